// Clinical notes: drafts, signing with and without a decision, addenda, and who can't see them.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { bookedLiveVisit } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
const { state } = rivera.address
const as = () => fixtures.ada.live
const doctors = () => staff.hire(['clinician'], { states: [state] })
const versionOf = async (id: string) =>
  (await invokeOk(fixtures, 'getCase', { as: as(), id })).updated_at

type Note = { id: string; body: string; signed_at: string | null; codes: object[] }

test('an author has one draft per case, and the decision signs it', async () => {
  const { id, patient } = await queuedCase(fixtures, as())
  const [doctor, colleague] = [await doctors(), await doctors()]
  const notesFor = async (reader: typeof doctor): Promise<Note[]> =>
    (await staff.ok('readChart', { as: reader, id })).chart.notes
  const save = (body: object) => staff.ok('saveCaseNote', { as: doctor, id, body })
  const first = await save({ body: 'Subjective: tired' })
  const second = await save({ body: 'Subjective: tired. Plan: rest.', codes: ['R53.83'] })
  expect([second.id, second.signed_at]).toEqual([first.id, null])
  expect(await notesFor(doctor)).toMatchObject([{ body: 'Subjective: tired. Plan: rest.' }])
  expect(await notesFor(colleague)).toEqual([])
  expect(
    (await staff.call('saveCaseNote', { as: doctor, id, body: { body: '', codes: ['obese'] } }))
      .code,
  ).toBe('invalid_request')

  const before = await invokeOk(fixtures, 'listEvents', { as: as(), query: { limit: '100' } })
  const body = { version: await versionOf(id), reason: 'Please see someone.' }
  await staff.ok('declineCase', { as: doctor, id, body })
  const [signed] = await notesFor(colleague)
  expect(signed).toMatchObject({ id: first.id, codes: [{ code: 'R53.83' }], addenda: [] })
  expect(signed?.signed_at).not.toBeNull()

  // A signed note never changes; a later draft is another note.
  const later = await save({ body: 'Another.' })
  expect(later.id).not.toBe(first.id)
  await staff.ok('signCaseNote', { as: doctor, id, body: { body: 'Another, longer.' } })
  const addendum = { as: colleague, id: first.id, body: { body: 'Called back.' } }
  const { addenda } = await staff.ok('addAddendum', addendum)
  expect(addenda).toMatchObject([{ body: 'Called back.', by: { name: colleague.name } }])
  expect(await notesFor(colleague)).toMatchObject([
    { id: first.id, body: 'Subjective: tired. Plan: rest.', addenda: [{ body: 'Called back.' }] },
    { id: later.id, body: 'Another, longer.' },
  ])

  // The integration sees no trace: no event, no field, and no audit row of its own.
  const after = await invokeOk(fixtures, 'listEvents', { as: as(), query: { limit: '100' } })
  const types = after.data.slice(before.data.length).map((one: { type: string }) => one.type)
  expect(types.filter((type: string) => /note|addend/.test(type))).toEqual([])
  for (const [operation, of] of [
    ['getCase', id],
    ['getPatient', patient],
    ['listMessages', id],
    ['listCaseEvents', id],
  ] as const) {
    const { text } = await invoke(fixtures, operation, { as: as(), id: of })
    for (const secret of ['tired', first.id, 'Called back']) expect(text).not.toContain(secret)
  }
})

test('someone else’s draft can’t be amended, and a case without a draft is decided as usual', async () => {
  const { id } = await queuedCase(fixtures, as())
  const [doctor, colleague] = [await doctors(), await doctors()]
  const draft = await staff.ok('saveCaseNote', { as: doctor, id, body: { body: 'A draft.' } })
  for (const by of [doctor, colleague]) {
    const body = { body: 'More.' }
    expect((await staff.call('addAddendum', { as: by, id: draft.id, body })).code).toBe('not_found')
  }
  await staff.ok('approveCase', { as: colleague, id, body: { version: await versionOf(id) } })
  const { chart } = await staff.ok('readChart', { as: doctor, id })
  expect(chart.notes).toMatchObject([{ body: 'A draft.', signed_at: null }])
})

test('two concurrent drafts by one author become one note', async () => {
  const { id } = await queuedCase(fixtures, as())
  const doctor = await doctors()
  const saved = await Promise.all(
    ['One.', 'Two.', 'Three.'].map(body =>
      staff.ok('saveCaseNote', { as: doctor, id, body: { body } }),
    ),
  )
  expect(new Set(saved.map(note => note.id)).size).toBe(1)
})

test('a visit has its own notes, and the export includes the signed ones', async () => {
  const { patient } = await queuedCase(fixtures, as())
  const visit = await bookedLiveVisit(fixtures, { as: as(), patient, state })
  const doctor = await doctors()
  const body = { body: 'Assessment: well.', codes: ['Z00.00'] }
  await staff.ok('saveVisitNote', { as: doctor, id: visit.id, body: { body: 'Unfinished' } })
  await staff.ok('signVisitNote', { as: doctor, id: visit.id, body })
  const { notes } = await staff.ok('readClinicVisit', { as: doctor, id: visit.id })
  const codes = [{ code: 'Z00.00', title: null, year: null }]
  expect(notes).toMatchObject([{ body: body.body, codes, visit: visit.id, case: null }])
  await staff.ok('saveVisitNote', { as: doctor, id: visit.id, body: { body: 'A second draft.' } })
  const [row] = await queryAsOwner<{ drafts: number; signed: number }>(
    fixtures,
    sql`select count(*) filter (where signed_at is null)::int as drafts,
               count(*) filter (where signed_at is not null)::int as signed
          from records.notes where visit = ${visit.id}`,
  )
  expect(row).toEqual({ drafts: 1, signed: 1 })
})
