// The console operations that emergency access allows, and for how long.

import { beforeAll, expect, test } from 'bun:test'
import { newRequestId } from '#http/http-request.ts'
import { endEmergencyAccess, startEmergencyAccess } from '#auth/clinics/emergency.ts'
import type { ActOfClinic } from '#auth/clinics/staff.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { queuedCase } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

let admin: StaffMember
let other: StaffMember
let auditor: StaffMember
let queued: { id: string; patient: string }
beforeAll(async () => {
  queued = await queuedCase(fixtures, fixtures.ada.live)
  other = await staff.hire(['admin'])
  auditor = await staff.hire(['auditor'])
})

const act = (by: StaffMember): ActOfClinic => ({
  surface: 'console',
  request: newRequestId(),
  organization: by.organization,
  person: by.person,
})
const reason = 'The only clinician is in hospital.'
async function begin() {
  admin = await staff.hire(['admin'])
  const before = await readsChart()
  await fixtures.owner.use(one => startEmergencyAccess(one, reason, act(admin)))
  return before
}
const readsChart = async (as = admin) =>
  (await staff.call('readChart', { as, id: queued.id })).status
const openAccess = async (): Promise<string> => {
  const [row] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id from auth.emergency_accesses where person = ${admin.person}`,
  )
  return row?.id ?? ''
}

test('emergency access: no chart before, a chart after, none once another administrator ends it', async () => {
  expect(await begin()).toBe(403)
  expect(await readsChart()).toBe(200)
  expect(await readsChart(other)).toBe(403)
  const id = await openAccess()
  await fixtures.owner.use(one => endEmergencyAccess(one, id, act(other)))
  expect(await readsChart()).toBe(403)
})

test('emergency access: allows the same reads as the records role, and no decisions', async () => {
  await begin()
  expect((await staff.call('readPatient', { as: admin, id: queued.patient })).status).toBe(200)
  const body = { version: '2026-01-01T00:00:00.000Z' }
  expect((await staff.call('approveCase', { as: admin, id: queued.id, body })).code).toBe(
    'role_required',
  )
})

test('emergency access: expires by the database’s clock, without a job, even during a call', async () => {
  await begin()
  expect(await readsChart()).toBe(200)
  const stands = async (revision: string | null) => {
    const [row] = await queryAsOwner<{ revision: string; stands: boolean }>(
      fixtures,
      sql`select r.revision, auth.staff_stands(k.id, s.organization, r.revision::bigint) as stands
            from auth.staff s join auth.credentials k on k.person = s.person,
                 coalesce(${revision}, auth.revision_now(s)::text) as r (revision)
           where s.person = ${admin.person}`,
    )
    return row
  }
  const during = await stands(null)
  expect(during?.stands).toBe(true)
  await queryAsOwner(
    fixtures,
    sql`update auth.emergency_accesses set started_at = now() - interval '24 hours',
               ends_at = clock_timestamp() - interval '1 ms' where person = ${admin.person}`,
  )
  expect(await readsChart()).toBe(403)
  // A call that was admitted before is refused by its own statement.
  expect((await stands(during?.revision ?? null))?.stands).toBe(false)
})

/** Waits for the next millisecond. Activity timestamps are rounded to milliseconds, so actions in
 *  the same one have no order. */
async function nextMillisecond(): Promise<void> {
  const clock = async () => {
    const now = sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
    return (await queryAsOwner<{ ms: number }>(fixtures, now))[0]?.ms ?? 0
  }
  const before = await clock()
  await until(async () => (await clock()) > before + 1)
}

test('emergency access: activity marks only the calls that used it', async () => {
  admin = await staff.hire(['admin'])
  await readsChart()
  await nextMillisecond()
  await fixtures.owner.use(one => startEmergencyAccess(one, reason, act(admin)))
  await nextMillisecond()
  await readsChart()
  await nextMillisecond()
  await fixtures.owner.use(async one => {
    await endEmergencyAccess(one, await openAccess(), act(other))
  })
  await nextMillisecond()
  await readsChart()
  const query = { person: admin.person }
  const { data } = await staff.ok('listActivity', { as: auditor, query })
  const marked = data.map((row: { operation: string; outcome: string; is_emergency: boolean }) => [
    row.operation,
    row.outcome,
    row.is_emergency,
  ])
  expect(marked).toEqual([
    ['readChart', 'refused', false],
    ['readChart', 'ok', true],
    ['startEmergencyAccess', 'ok', true],
    ['readChart', 'refused', false],
  ])
})
