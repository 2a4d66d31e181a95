// A case canceled while one of its files is reserved or confirmed.
import { afterEach, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { consentedPatient, caseBody, invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { confirmation, reserveFile } from '../testing/files.ts'

const fixtures = useFixtures({ poolSize: 8 })
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Reserves a file for a case. */
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

test('files: a case canceled in the meantime accepts no reservation and no file', async () => {
  const of = await reserved()
  const lock = sql`select from ${rows.case(of)} for update`
  const cancel = () => invoke(fixtures, 'cancelCase', { id: of.case })
  const inOrder = [cancel, () => calls.createFile(of), () => calls.confirmFile(of)]
  const answers = await runIntoLock(fixtures, lock, inOrder)
  expect(answers.map(one => one.code)).toEqual([null, 'invalid_transition', 'invalid_transition'])
  expect((await invokeOk(fixtures, 'getCase', { id: of.case })).files).toEqual([])
})
