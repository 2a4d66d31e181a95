// The list of who saw a patient, through any surface.

import { expect, test } from 'bun:test'
import { callable } from '#contract/callable.ts'
import { type FhirId, fhirIds } from '#contract/fhir/operations.ts'
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import { dayMilliseconds } from '#contract/moments.ts'
import type { AnyOperation } from '#contract/operation.ts'
import { openOrganization } from '#auth/integrations.ts'
import { momentText, now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { consoleBodies } from '../testing/console-calls.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { nextMoment } from '../testing/replays.ts'
import { useConsole } from '../testing/staff.ts'
import { liveOperations } from '../testing/sweep.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { bookedVisit } from '../testing/visits.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

type AccessRow = Record<'id' | 'surface' | 'operation' | 'outcome', string> &
  Record<'name' | 'integration' | 'code', string | null>

test('access: lists calls by the integration and staff on everything about the patient, newest first', async () => {
  const as = fixtures.ada.live
  const [records, nurse] = [await staff.hire(['records']), await staff.hire(['nurse'])]
  const { id, patient } = await queuedCase(fixtures, as)
  const other = await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'getPatient', { as, id: patient })
  await invokeOk(fixtures, 'getPatient', { as, id: other.patient })
  await invokeOk(fixtures, 'createExport', { as, id: patient })
  await staff.ok('readPatient', { as: nurse, id: patient })
  await staff.ok('placeHold', { as: records, id: patient, body: consoleBodies.placeHold })
  expect(
    (await invoke(fixtures, 'getPatient', { as: fixtures.ben.live, id: patient })).status,
  ).toBe(404)
  const read = (query: Record<string, string> = {}) =>
    staff.ok('listAccess', { as: records, id: patient, query }) as Promise<{
      data: AccessRow[]
      next: string | null
    }>
  const { data, next } = await read()
  expect(data.map(one => [one.surface, one.operation, one.name ?? one.integration])).toEqual([
    ['rest', 'getPatient', "Ben's brand"],
    ['console', 'placeHold', records.name],
    ['console', 'readPatient', nurse.name],
    ['rest', 'createExport', "Ada's brand"],
    ['rest', 'getPatient', "Ada's brand"],
    ['rest', 'createCase', "Ada's brand"],
    ['rest', 'recordConsent', "Ada's brand"],
    ['rest', 'recordConsent', "Ada's brand"],
    ['rest', 'createPatient', "Ada's brand"],
  ])
  expect(data[0]).toMatchObject({ outcome: 'refused', code: 'not_found' })
  expect(next).toBeNull()
  const first = await read({ limit: '4' })
  const rest = await read({ limit: '500', before: first.next ?? '' })
  // The activity also includes each read of itself.
  expect(first.data.slice(0, 1)).toMatchObject([{ operation: 'listAccess', name: records.name }])
  expect(rest.data.map(one => one.id)).toEqual(data.slice(3).map(one => one.id))
  expect(id).toStartWith('case_')
})

test('access: includes every list that showed the patient, through any surface, and no others', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  const [records, nurse] = [await staff.hire(['records']), await staff.hire(['nurse'])]
  const since = await nextMoment(fixtures)
  await invokeOk(fixtures, 'listPatients', { as, query: { limit: '100' } })
  await invokeOk(fixtures, 'listPatients', { as, query: { external_id: 'of no one' } })
  await invokeOk(fixtures, 'listCases', { as, query: { limit: '100' } })
  const query = { limit: '100', include_resource: 'true' }
  await invokeOk(fixtures, 'listEvents', { as, query: { ...query, type: 'case.queued.v1' } })
  await invokeOk(fixtures, 'listEvents', { as, query: { ...query, type: 'visit.booked.v1' } })
  await staff.ok('listQueue', { as: nurse })
  await staff.ok('listPharmacyOrders', { as: nurse })
  const { data } = await staff.ok('listAccess', { as: records, id: patient })
  const lists = data.filter((one: AccessRow) => one.operation.startsWith('list'))
  expect(
    lists.map((one: AccessRow) => [one.surface, one.operation, one.name ?? one.integration]),
  ).toEqual([
    ['console', 'listQueue', nurse.name],
    ['rest', 'listEvents', "Ada's brand"],
    ['rest', 'listCases', "Ada's brand"],
    ['rest', 'listPatients', "Ada's brand"],
  ])
  const activity = await staff.ok('listActivity', { as: records, query: { patient, since } })
  expect(activity.data.map((one: AccessRow) => one.operation)).toEqual(['listAccess', 'listQueue'])
})

test('access: every read without a target has a row with all patients in its response', async () => {
  const as = fixtures.ada.live
  await bookedVisit(fixtures, as)
  const all = await staff.hire(['admin', 'clinician', 'nurse', 'pharmacy', 'records'], {
    states: [rivera.address.state],
  })
  const { id: queued } = await queuedCase(fixtures, as)
  const { updated_at: version } = await staff.ok('readChart', { as: all, id: queued })
  await staff.ok('approveCase', { as: all, id: queued, body: { version } })
  await invokeOk(fixtures, 'createMessage', { as, id: queued, body: { body: 'Hello.' } })
  const [order] = (await staff.ok('listPharmacyOrders', { as: all })).data
  const failed = { version: order.updated_at, reason: 'Lost in the mail.' }
  await staff.ok('failOrder', { as: all, id: order.id, body: failed })
  const showing: string[] = []
  // No file was attached.
  const noneInLive = new Set<FhirId>(['searchFhirDocumentReference'])
  const compare = async (id: string, answer: string) => {
    const [row] = await queryAsOwner<{ patients: string[] | null }>(
      fixtures,
      sql`select patients from audit.entries where action = ${id} order by seq desc limit 1`,
    )
    const shown = new Set(Array.from(answer.matchAll(/"(pat_[0-9a-z]{26})"/g), one => one[1] ?? ''))
    expect([id, row?.patients ?? []]).toEqual([id, [...shown].toSorted()])
    expect([id, answer.includes(rivera.last_name) && shown.size === 0]).toEqual([id, false])
    if (shown.size > 0) showing.push(id)
  }
  const isUntargeted = (row: AnyOperation) => row.method === 'GET' && !row.path.includes('{')
  for (const id of liveOperations.filter(one => isUntargeted(callable[one]))) {
    const options = { as, ...(await validCalls[id](fixtures, as)) }
    await compare(id, (await invoke(fixtures, id, options)).text)
  }
  const searches = fhirIds.filter(id => id.startsWith('search'))
  for (const id of searches) await compare(id, (await invoke(fixtures, id, { as })).text)
  for (const [id, row] of Object.entries(consoleOperations)) {
    if (!isUntargeted(row)) continue
    const window = { from: momentText(now()), to: momentText(now() + 30 * dayMilliseconds) }
    const queries: Readonly<Record<string, Record<string, string>>> = {
      listClinicVisits: window,
      listPastOrders: { status: 'failed' },
    }
    const query = queries[id] ?? {}
    await compare(id, (await staff.call(id as ConsoleId, { as: all, query })).text)
  }
  expect(showing).toEqual([
    'listPatients',
    'listCases',
    'listEvents',
    'listRequests',
    ...searches.filter(id => !noneInLive.has(id)),
    'listQueue',
    'listDecided',
    'listUnanswered',
    'listPharmacyOrders',
    'listPastOrders',
    'listClinicPatients',
    'listActivity',
    'listClinicVisits',
  ])
})

test('access: another clinic can’t read a patient’s access list', async () => {
  const organization = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Another Clinic', 'clinic-of-access'),
  )
  const as = await staff.hire(['records'], { organization })
  const { patient } = await queuedCase(fixtures, fixtures.ada.live)
  expect((await staff.call('listAccess', { as, id: patient })).code).toBe('not_found')
})

test('access: the list uses indexes, however many other calls exist', async () => {
  await queryAsOwner(
    fixtures,
    sql`insert into audit.entries (mode, organization, surface, action, target, outcome, status, request)
        select 'live', 'org_' || n % 50, case when n % 3 = 0 then 'console' else 'rest' end,
               'getPatient', 'pat_' || n % 5000, 'ok', 200, 'req_' || n from generate_series(1, 20000) n`,
  )
  await queryAsOwner(fixtures, sql`analyze audit.entries`)
  const lines = await queryAsOwner<{ 'QUERY PLAN': string }>(
    fixtures,
    sql`explain (costs off) select seq from audit.entries e
         where e.mode = 'live' and e.surface <> 'console' and e.target = any (array['pat_1', 'pat_2'])
           and e.organization = 'org_1'
        union all select seq from audit.entries e
         where e.mode = 'live' and e.patients && array['pat_1', 'pat_2'] and e.target is null`,
  )
  const plan = lines.map(line => line['QUERY PLAN']).join('\n')
  expect(plan).toContain('entries_of_live_target')
  expect(plan).toContain('entries_of_shown_patient')
})
