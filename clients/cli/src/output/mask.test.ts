// Live-mode tables mask patient data.

import { expect, test } from 'bun:test'
import { patient } from '#contract/examples/resources.ts'
import { masked } from './mask.ts'
import { openOutput } from './output.ts'
import { printable } from './table.ts'

test('masked: identifying values are shortened at any depth, and ids and states stay', () => {
  const text = JSON.stringify(masked([patient, { data: { patient } }]))
  const { first_name, last_name, email, phone, address, date_of_birth, id, status } = patient
  const personal = [first_name, last_name, email, phone, address.line1, address.city, date_of_birth]
  expect(personal.every(value => typeof value === 'string' && value.length > 2)).toBe(true)
  expect(personal.filter(value => text.includes(String(value)))).toEqual([])
  expect(text).toContain('"Ad…"')
  expect(text).toContain('"1988-…"')
  for (const kept of [id, status]) expect(text).toContain(kept)
})

test('masked: a short name is never shown whole', () => {
  expect(masked({ first_name: 'Bo', last_name: 'Ng', middle_name: 'J', phone: '+1415' })).toEqual({
    first_name: 'B…',
    last_name: 'N…',
    middle_name: '…',
    phone: '+1…',
  })
})

test.each([[['address.city', 'address.postal_code', 'first_name']], [undefined]])(
  'masked: values stay masked with --fields %p, in a table and for a single object',
  async fields => {
    let shown = ''
    const plain = { columns: Number.POSITIVE_INFINITY, hasColor: false }
    const out = openOutput({
      format: 'table',
      ...(fields ? { fields } : {}),
      isQuiet: false,
      isVerbose: false,
      isMasked: () => true,
      look: { stdout: plain, stderr: plain },
      write: text => void (shown += text),
      writeError: () => {},
    })
    await out.print(patient)
    await out.list([patient], ['id', 'first_name', 'address.city'])
    const { city, postal_code } = patient.address
    for (const value of [city, postal_code, patient.first_name]) expect(shown).not.toContain(value)
    expect(shown).toContain('Ad…')
  },
)

test('printable: text from outside can’t move the cursor or reverse the text direction', () => {
  expect(printable('a\u001b[2Jb\u202ec\rd\te\nf')).toBe('a\uFFFD[2Jb\uFFFDc\uFFFDd\te\nf')
})
