// A clinic's activity shows who saw which patient.

import { beforeAll, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { openOrganization } from '#auth/integrations.ts'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

type ActivityRow = { id: string; at: string; operation: string; target: string | null } & Record<
  'person' | 'name' | 'patient' | 'outcome' | 'code' | 'integration' | 'address',
  string | null
>

let auditor: StaffMember
let doctor: StaffMember
let nurse: StaffMember
let pharmacist: StaffMember
let one: { id: string; patient: string }
let order: string
beforeAll(async () => {
  auditor = await staff.hire(['auditor'])
  doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
  nurse = await staff.hire(['nurse'])
  pharmacist = await staff.hire(['pharmacy'])
  one = await queuedCase(fixtures, fixtures.ada.live)
  const other = await queuedCase(fixtures, fixtures.ben.live)
  await staff.ok('readPatient', { as: nurse, id: one.patient })
  await staff.ok('readChart', { as: nurse, id: other.id })
  const { updated_at: version } = await staff.ok('readChart', { as: doctor, id: one.id })
  const signed = await staff.ok('approveCase', { as: doctor, id: one.id, body: { version } })
  order = signed.order_ids[0]
  const { updated_at } = await invokeOk(fixtures, 'getOrder', { as: fixtures.ada.live, id: order })
  await staff.ok('shipOrder', { as: pharmacist, id: order, body: { version: updated_at } })
  expect((await staff.call('readChart', { as: pharmacist, id: one.id })).status).toBe(403)
})

const activity = async (query: Record<string, string> = {}, as = auditor) => {
  const { data, next } = await staff.ok('listActivity', { as, query })
  return { rows: data as ActivityRow[], next: next as string | null }
}
const brief = ({ name, operation, outcome }: ActivityRow) => [name, operation, outcome]

test('who saw a patient: each read and write of the patient, their case and their order, newest first', async () => {
  const { rows, next } = await activity({ patient: one.patient })
  expect(rows.map(brief)).toEqual([
    [pharmacist.name, 'readChart', 'refused'],
    [pharmacist.name, 'shipOrder', 'ok'],
    [doctor.name, 'approveCase', 'ok'],
    [doctor.name, 'readChart', 'ok'],
    [nurse.name, 'readPatient', 'ok'],
  ])
  expect(rows.map(row => row.patient)).toEqual(Array(5).fill(one.patient))
  expect(rows[0]).toMatchObject({ code: 'role_required', target: one.id })
  expect(rows[1]).toMatchObject({
    person: pharmacist.person,
    target: order,
    integration: fixtures.ada.integration,
    address: '203.0.113.40',
  })
  expect(next).toBeNull()
})

test('activity can be filtered by person and between two times', async () => {
  const { rows } = await activity({ person: nurse.person })
  expect(rows.map(brief)).toEqual([
    [nurse.name, 'readChart', 'ok'],
    [nurse.name, 'readPatient', 'ok'],
  ])
  const [last, first] = rows
  const since = await activity({ person: nurse.person, since: last?.at ?? '' })
  expect(since.rows.map(row => row.id)).toEqual([last?.id ?? ''])
  const until = await activity({ person: nurse.person, until: last?.at ?? '' })
  expect(until.rows.map(row => row.id)).toEqual([first?.id ?? ''])
})

test('paging skips no rows, and a name stays after a person leaves', async () => {
  await queryAsOwner(
    fixtures,
    sql`update auth.staff set removed_at = now() where person = ${nurse.person}`,
  )
  const until = new Date().toISOString()
  const whole = await activity({ until, limit: '500' })
  const ids: string[] = []
  let before: string | null = null
  do {
    const page: Awaited<ReturnType<typeof activity>> = await activity({
      until,
      limit: '3',
      ...(before === null ? {} : { before }),
    })
    ids.push(...page.rows.map(row => row.id))
    before = page.next
  } while (before !== null)
  expect(ids).toEqual(whole.rows.map(row => row.id))
  expect(ids.length).toBeGreaterThan(6)
  expect(whole.rows.map(row => row.name)).toContain(nurse.name)
})

test('a clinic sees only its own activity, even when it filters by another clinic’s patient', async () => {
  const organization = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Another Clinic', 'clinic-of-another'),
  )
  const foreign = await staff.hire(['auditor', 'records'], { organization })
  for (const query of [{ patient: one.patient }, { person: doctor.person }]) {
    expect((await activity(query, foreign)).rows).toEqual([])
  }
  const { rows } = await activity({}, foreign)
  expect(rows.map(row => row.person)).toEqual(Array(rows.length).fill(foreign.person))
  const [newest] = (await activity({ person: doctor.person })).rows
  expect((await activity({ before: newest?.id ?? '' }, foreign)).rows.length).toBeLessThan(4)
  expect((await activity({ patient: unknownId('pat') })).rows).toEqual([])
})

test('reading activity is itself recorded as activity', async () => {
  await activity({ patient: one.patient })
  const { rows } = await activity({ person: auditor.person, limit: '1' })
  expect(rows).toMatchObject([{ operation: 'listActivity', target: null, patient: null }])
})

test('each filter uses an index, however many other calls exist', async () => {
  await queryAsOwner(
    fixtures,
    sql`insert into audit.entries (mode, organization, surface, action, outcome, status, request)
        select 'live', 'org_' || n % 50, case when n % 3 = 0 then 'console' else 'rest' end,
               'getPatient', 'ok', 200, 'req_' || n from generate_series(1, 20000) n`,
  )
  await queryAsOwner(fixtures, sql`analyze audit.entries`)
  const from = sql`select seq from audit.entries e where e.surface = 'console'
    and e.organization = ${fixtures.clinic}`
  const end = sql`order by e.at desc, e.seq desc limit 50`
  const plans: [Statement, string][] = [
    [sql`${from} ${end}`, 'entries_of_clinic'],
    [sql`${from} and e.person = ${nurse.person} ${end}`, 'entries_of_staff'],
    [sql`${from} and e.target = any (array[${one.id}, ${order}]) ${end}`, 'entries_of_target'],
  ]
  for (const [statement, index] of plans) {
    const lines = await queryAsOwner<{ 'QUERY PLAN': string }>(
      fixtures,
      sql`explain (costs off) ${statement}`,
    )
    const plan = lines.map(line => line['QUERY PLAN']).join('\n')
    expect([index, plan.includes('Seq Scan')]).toEqual([index, false])
  }
})

test('activity counts what each integration created in a week', async () => {
  const admin = await staff.hire(['admin'])
  const read = async () => (await staff.ok('listIntegrations', { as: admin })).data
  const rows = await read()
  expect(rows.map((row: { integration: { id: string } }) => row.integration.id).toSorted()).toEqual(
    [fixtures.ada.integration, fixtures.ben.integration].toSorted(),
  )
  const own = (all: typeof rows) =>
    all.find(
      (row: { integration: { id: string } }) => row.integration.id === fixtures.ada.integration,
    )
  const before = own(rows)
  expect(before).toMatchObject({ integration: { name: "Ada's brand" }, messages: 0, visits: 0 })
  await queuedCase(fixtures, fixtures.ada.live)
  const after = own(await read())
  expect([after.patients - before.patients, after.cases - before.cases]).toEqual([1, 1])
  expect(after.last_case_at > before.last_case_at).toBe(true)
})
