// What tables of live mode show of a patient.

import { expect, test } from 'bun:test'
import { patient } from '#contract/examples/resources.ts'
import { masked } from './mask.ts'
import { printable } from './table.ts'

test('masked: what says who a patient is is shortened at any depth, and ids and states stay', () => {
  const text = JSON.stringify(masked([patient, { data: { patient } }]))
  const { first_name, last_name, email, phone, address, date_of_birth, id, status } = patient
  const personal = [first_name, last_name, email, phone, address.line1, address.city, date_of_birth]
  expect(personal.every(value => typeof value === 'string' && value.length > 2)).toBe(true)
  expect(personal.filter(value => text.includes(String(value)))).toEqual([])
  expect(text).toContain('"Ad…"')
  expect(text).toContain('"1988-…"')
  for (const kept of [id, status]) expect(text).toContain(kept)
})

test('printable: a text from outside cannot move the cursor or turn the direction around', () => {
  expect(printable('a\u001b[2Jb\u202ec\rd\te\nf')).toBe('a\uFFFD[2Jb\uFFFDc\uFFFDd\te\nf')
})
