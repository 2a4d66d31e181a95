// An administrator's decisions, as the affected staff and integrations see them. Two consoles on
// one database stand in for two gateways.

import { beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { changeStaff, deactivateStaff, listStaff, setLicense } from '#auth/clinics/staff.ts'
import { changeFormulary, readClinic } from '#auth/clinics/settings.ts'
import { listGrantsOfClinic, revokeGrantOfClinic } from '#auth/grants/grants.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, minoxidil, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const gateways = [useConsole(fixtures), useConsole(fixtures)] as const
const [staff] = gateways

let admin: StaffMember
beforeAll(async () => {
  admin = await staff.hire(['admin'])
})

let requests = 0
const act = () => ({
  surface: 'console' as const,
  request: `req_${++requests}`,
  person: admin.person,
  organization: fixtures.clinic,
})
/** Acts like the console's pages, with the database role that can't read patients. */
async function asAuth<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const pool = openPool({ url: fixtures.database.urls.auth, size: 1, name: 'administration' })
  try {
    return await pool.use(work)
  } finally {
    await pool.close()
  }
}
const versionOf = async ({ person }: StaffMember) => {
  const all = await asAuth(connection => listStaff(connection, fixtures.clinic))
  return { person, revision: all.find(one => one.person === person)?.revision ?? '' }
}
const statusesOf = (as: StaffMember) =>
  Promise.all(
    gateways.map(async gateway => (await gateway.call('listPharmacyOrders', { as })).status),
  )

test('a deactivated staff member’s next call is refused at both gateways', async () => {
  const nurse = await staff.hire(['nurse'])
  expect(await statusesOf(nurse)).toEqual([200, 200])
  const member = await versionOf(nurse)
  const { refusal } = await asAuth(connection => deactivateStaff(connection, member, act()))
  expect(refusal).toBeNull()
  expect(await statusesOf(nurse)).toEqual([401, 401])
})

test('adding or removing a role applies to the next call at both gateways', async () => {
  const person = await staff.hire(['auditor'])
  expect(await statusesOf(person)).toEqual([403, 403])
  const change = async (roles: ('auditor' | 'pharmacy')[]) => {
    const member = { ...(await versionOf(person)), name: 'Noor', roles }
    const { refusal } = await asAuth(connection => changeStaff(connection, member, act()))
    expect(refusal).toBeNull()
  }
  await change(['pharmacy'])
  expect(await statusesOf(person)).toEqual([200, 200])
  await change(['auditor'])
  expect(await statusesOf(person)).toEqual([403, 403])
})

test('a clinician can sign where an administrator recorded a license, through its last day', async () => {
  const doctor = await staff.hire(['clinician'])
  const sign = async () => {
    const { id } = await queuedCase(fixtures, fixtures.ada.live)
    const { updated_at } = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
    return (await staff.call('approveCase', { as: doctor, id, body: { version: updated_at } })).code
  }
  const license = async (expires_on: string) => {
    const { state } = rivera.address
    const given = { ...(await versionOf(doctor)), state, number: 'A 1', expires_on }
    const { refusal } = await asAuth(connection => setLicense(connection, given, act()))
    expect(refusal).toBeNull()
  }
  expect(await sign()).toBe('license_required')
  await license('2099-12-31')
  expect(await sign()).toBeNull()
  await license('2020-12-31')
  expect(await sign()).toBe('license_required')
})

test('a catalog change applies to the next call', async () => {
  const change = async (medications: string[] | null) => {
    const clinic = await asAuth(connection => readClinic(connection, fixtures.clinic))
    const revision = clinic?.revision ?? ''
    const { refusal } = await asAuth(connection =>
      changeFormulary(connection, { medications, revision }, act()),
    )
    expect(refusal).toBeNull()
    return (await invokeOk(fixtures, 'listMedications', { as: fixtures.ada.live })).data.length
  }
  expect(await change([minoxidil])).toBe(1)
  expect(await change(null)).toBe(20)
})

test('an integration with a revoked grant is refused on the next call; the clinic keeps its patients', async () => {
  const as = fixtures.ben.live
  const { id } = await queuedCase(fixtures, as)
  const nurse = await staff.hire(['nurse'])
  const grants = await asAuth(connection => listGrantsOfClinic(connection, fixtures.clinic))
  const own = grants.find(one => one.integration === fixtures.ben.integration)
  const { refusal } = await asAuth(connection =>
    revokeGrantOfClinic(connection, own?.id ?? '', act()),
  )
  expect(refusal).toBeNull()
  const refused = await invoke(fixtures, 'getCase', { as, id })
  expect([refused.status, refused.code]).toEqual([403, 'organization_not_granted'])
  expect((await staff.call('readChart', { as: nurse, id })).status).toBe(200)
  const [row] = await queryAsOwner<{ person: string }>(
    fixtures,
    sql`select person from audit.entries where action = 'revokeGrant' and target = ${own?.id ?? ''}`,
  )
  expect(row?.person).toBe(admin.person)
})
