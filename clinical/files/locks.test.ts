// What calls about files lock: the patient, then the case, then the file, and nothing of others.
// Writes that lock in another order would end each other.

import { afterEach, describe, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { consentedPatient, caseBody, invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { countWaiting, runIntoLock, whileLocked } from '../testing/races.ts'
import { attachFile, confirmation, reserveFile } from '../testing/files.ts'

const fixtures = useFixtures({ poolSize: 8 })
afterEach(() => expect(fixtures.errors).toEqual([]))

/** A reservation for a case. */
async function reserved() {
  const agreed = await consentedPatient(fixtures)
  const { id: theCase } = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
  const { id, patient } = await reserveFile(fixtures, { case: theCase })
  return { agreed, id, patient, case: String(theCase) }
}
type Reserved = Awaited<ReturnType<typeof reserved>>

const calls = {
  createFile: ({ patient, case: theCase }: Reserved) =>
    invoke(fixtures, 'createFile', { body: { patient, case: theCase, mime: 'image/png' } }),
  confirmFile: ({ id, patient }: Reserved) =>
    invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
  deleteFile: ({ id }: Reserved) => invoke(fixtures, 'deleteFile', { id }),
}

const rows: Record<'patient' | 'case' | 'file', (of: Reserved) => Statement> = {
  patient: of => sql`test.patients where id = ${of.patient}`,
  case: of => sql`test.cases where id = ${of.case}`,
  file: of => sql`test.files where id = ${of.id}`,
}

const orders: [keyof typeof calls, keyof typeof rows, (keyof typeof rows)[]][] = [
  ['createFile', 'patient', ['case']],
  ['confirmFile', 'patient', ['case', 'file']],
  ['confirmFile', 'case', ['file']],
  ['deleteFile', 'case', ['file']],
]
test.each(orders)('%s waits for the %s before it locks the %p', async (call, first, later) => {
  const of = await reserved()
  const lock = sql`select from ${rows[first](of)} for update`
  let waiting = 0
  const free: string[] = []
  const [answer] = await runIntoLock(fixtures, lock, [() => calls[call](of)], async connection => {
    waiting = await countWaiting(fixtures)
    for (const name of later) {
      const found = await connection.run(sql`select from ${rows[name](of)} for update skip locked`)
      if (found.length > 0) free.push(name)
    }
  })
  expect([waiting, free, answer?.code]).toEqual([1, later, null])
})

describe('files: while another case of the patient is locked', () => {
  test.each(['createFile', 'confirmFile', 'deleteFile'] as const)(
    '%s does not wait',
    async call => {
      const of = await reserved()
      const { id: other } = await invokeOk(fixtures, 'createCase', { body: caseBody(of.agreed) })
      const lock = sql`select from test.cases where id = ${other} for update`
      const answer = await whileLocked(fixtures, lock, () => calls[call](of))
      expect(answer === 'waits' ? answer : answer.code).toBeNull()
    },
  )
})

test('files: while another file of the case is locked, a deletion does not wait', async () => {
  const of = await reserved()
  const other = await attachFile(fixtures, { case: of.case })
  const lock = sql`select from test.files where id = ${other.id} for update`
  const answer = await whileLocked(fixtures, lock, () => calls.deleteFile(of))
  expect(answer === 'waits' ? answer : answer.code).toBeNull()
})

test('files: a case that is canceled meanwhile takes no reservation and no file', async () => {
  const of = await reserved()
  const lock = sql`select from ${rows.case(of)} for update`
  const cancel = () => invoke(fixtures, 'cancelCase', { id: of.case })
  const inOrder = [cancel, () => calls.createFile(of), () => calls.confirmFile(of)]
  const answers = await runIntoLock(fixtures, lock, inOrder)
  expect(answers.map(one => one.code)).toEqual([null, 'invalid_transition', 'invalid_transition'])
  expect((await invokeOk(fixtures, 'getCase', { id: of.case })).files).toEqual([])
})
