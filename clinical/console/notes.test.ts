// Clinical notes: drafts, signing with and without a decision, addenda, and who can't see them.
import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { bookedLiveVisit } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
const { state } = rivera.address
const as = () => fixtures.ada.live
const doctors = () => staff.hire(['clinician'], { states: [state] })
const versionOf = async (id: string) =>
  (await invokeOk(fixtures, 'getCase', { as: as(), id })).updated_at

const notesOf = async (reader: StaffMember, id: string): Promise<Note[]> =>
  (await staff.ok('readChart', { as: reader, id })).chart.notes

type Note = {
  id: string
  body: string
  updated_at: string
  signed_at: string | null
  codes: object[]
}

test('an author has one draft per case, and the decision signs it', async () => {
  const { id, patient } = await queuedCase(fixtures, as())
  const [doctor, colleague] = [await doctors(), await doctors()]
  const notesFor = (reader: StaffMember) => notesOf(reader, id)
  const save = (body: object) =>
    staff.ok('saveCaseNote', { as: doctor, id, body: { version: null, ...body } })
  const first = await save({ body: 'Subjective: tired' })
  const second = await save({
    version: first.updated_at,
    body: 'Subjective: tired. Plan: rest.',
    codes: ['R53.83'],
  })
  expect([second.id, second.signed_at]).toEqual([first.id, null])
  expect(await notesFor(doctor)).toMatchObject([{ body: 'Subjective: tired. Plan: rest.' }])
  expect(await notesFor(colleague)).toEqual([])
  expect(
    (
      await staff.call('saveCaseNote', {
        as: doctor,
        id,
        body: { version: second.updated_at, body: '', codes: ['obese'] },
      })
    ).code,
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
  const longer = { version: later.updated_at, body: 'Another, longer.' }
  await staff.ok('signCaseNote', { as: doctor, id, body: longer })
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
  const draft = await staff.ok('saveCaseNote', {
    as: doctor,
    id,
    body: { version: null, body: 'A draft.' },
  })
  for (const by of [doctor, colleague]) {
    const body = { body: 'More.' }
    expect((await staff.call('addAddendum', { as: by, id: draft.id, body })).code).toBe('not_found')
  }
  await staff.ok('approveCase', { as: colleague, id, body: { version: await versionOf(id) } })
  const { chart } = await staff.ok('readChart', { as: doctor, id })
  expect(chart.notes).toMatchObject([{ body: 'A draft.', signed_at: null }])
})

test('of concurrent drafts and signatures by one author, one is stored', async () => {
  const { id } = await queuedCase(fixtures, as())
  const doctor = await doctors()
  const write = async (operation: 'saveCaseNote' | 'signCaseNote', body: object): Promise<string> =>
    (await staff.call(operation, { as: doctor, id, body })).code ?? 'done'
  const saved = ['One.', 'Two.', 'Three.'].map(body =>
    write('saveCaseNote', { version: null, body }),
  )
  const one = ['done', 'version_changed', 'version_changed']
  expect((await Promise.all(saved)).toSorted()).toEqual(one)
  const version = (await notesOf(doctor, id))[0]?.updated_at
  const signed = ['Four.', 'Five.', 'Six.'].map(body => write('signCaseNote', { version, body }))
  expect((await Promise.all(signed)).toSorted()).toEqual(one)
  expect(await notesOf(doctor, id)).toHaveLength(1)
})

test('a draft changed or signed in another window is neither overwritten nor signed again', async () => {
  const { id } = await queuedCase(fixtures, as())
  const doctor = await doctors()
  const send = (operation: 'saveCaseNote' | 'signCaseNote', body: object) =>
    staff.call(operation, { as: doctor, id, body })
  const { updated_at: version } = (await send('saveCaseNote', { version: null, body: 'Short.' }))
    .body
  const newer = (await send('saveCaseNote', { version, body: 'Short. And more.' })).body
  for (const operation of ['saveCaseNote', 'signCaseNote'] as const) {
    for (const stale of [version, null]) {
      const refused = await send(operation, { version: stale, body: 'Short, edited.' })
      expect([refused.status, refused.code]).toEqual([409, 'version_changed'])
      expect(refused.body.members.version).toBe(newer.updated_at)
    }
  }
  expect(await notesOf(doctor, id)).toMatchObject([{ body: 'Short. And more.', signed_at: null }])

  const decision = { version: await versionOf(id), reason: 'Please see someone.' }
  const declined = (note_version: string | null) =>
    staff.call('declineCase', { as: doctor, id, body: { ...decision, note_version } })
  expect([(await declined(version)).code, (await declined(null)).code]).toEqual([
    'version_changed',
    'version_changed',
  ])
  expect(await versionOf(id)).toBe(decision.version)

  expect((await declined(newer.updated_at)).code).toBeNull()
  for (const operation of ['saveCaseNote', 'signCaseNote'] as const) {
    const late = await send(operation, { version: newer.updated_at, body: 'Short. And more.' })
    expect([late.code, late.body.members.version]).toEqual(['version_changed', null])
  }
  const notes = await notesOf(doctor, id)
  expect(notes).toHaveLength(1)
  expect(notes[0]?.signed_at).not.toBeNull()
})

test('a save whose response got lost can be repeated, and followed by another', async () => {
  const { id } = await queuedCase(fixtures, as())
  const doctor = await doctors()
  const save = async (body: object) =>
    (await staff.call('saveCaseNote', { as: doctor, id, body: { version: null, ...body } })).code
  const codes = ['R53.83']
  expect(await save({ body: 'One.', codes })).toBeNull()
  expect(await save({ body: 'One.', codes })).toBeNull()
  expect(await save({ body: 'One.' })).toBe('version_changed')
  expect(await save({ body: 'One. Two.', codes, unconfirmed: 'Other.' })).toBe('version_changed')
  expect(await save({ body: 'One. Two.', codes, unconfirmed: 'One.' })).toBeNull()
  expect(await notesOf(doctor, id)).toMatchObject([{ body: 'One. Two.' }])
})

test('a visit has its own notes, and the export includes the signed ones', async () => {
  const { patient } = await queuedCase(fixtures, as())
  const visit = await bookedLiveVisit(fixtures, { as: as(), patient, state })
  const doctor = await doctors()
  const body = { body: 'Assessment: well.', codes: ['Z00.00'] }
  const read = () => staff.ok('readClinicVisit', { as: doctor, id: visit.id })
  const save = (text: string) =>
    staff.ok('saveVisitNote', { as: doctor, id: visit.id, body: { version: null, body: text } })
  const { updated_at: version } = await save('Unfinished')
  expect((await read()).has_draft).toBe(true)
  const others = await staff.ok('readClinicVisit', { as: await doctors(), id: visit.id })
  expect(others.has_draft).toBe(false)
  await staff.ok('signVisitNote', { as: doctor, id: visit.id, body: { version, ...body } })
  const { notes, has_draft } = await read()
  expect(has_draft).toBe(false)
  const codes = [{ code: 'Z00.00', title: null, year: null }]
  expect(notes).toMatchObject([{ body: body.body, codes, visit: visit.id, case: null }])
  await save('A second draft.')
  const [row] = await queryAsOwner<{ drafts: number; signed: number }>(
    fixtures,
    sql`select count(*) filter (where signed_at is null)::int as drafts,
               count(*) filter (where signed_at is not null)::int as signed
          from records.notes where visit = ${visit.id}`,
  )
  expect(row).toEqual({ drafts: 1, signed: 1 })
})
