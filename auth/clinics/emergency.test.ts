// Tests who can read charts in an emergency, who can end that access and who is emailed, with the
// account pages' database role. clinical/console/emergency.test.ts covers reading.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { StaffRole } from '#contract/console/row.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { emailsTo } from '../testing/emails.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import {
  allowEmergencyAccess,
  endEmergencyAccess,
  listEmergencyAccesses,
  listWatching,
  startEmergencyAccess,
} from './emergency.ts'
import { changeStaff, deactivateStaff, listStaff } from './staff.ts'
import { listStaffMemberships } from './staff-memberships.ts'

const reason = 'The only clinician is in hospital.'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
let other: TestPerson
beforeEach(async () => {
  clinic = await openClinic(people)
  ;[admin, other] = [await hire(people, clinic, ['admin']), await hire(people, clinic, ['admin'])]
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const act = (by: TestPerson | null = admin) => actFor(clinic, by)
const start = (by = act()) => use(connection => startEmergencyAccess(connection, reason, by))
const end = (id: string, by = act()) => use(connection => endEmergencyAccess(connection, id, by))
const list = () => use(connection => listEmergencyAccesses(connection, clinic))
const allow = (id: string, by = act()) => use(one => allowEmergencyAccess(one, id, by))
/** Moves the clinic's accesses back by this many hours. */
const pass = (hours: number) =>
  people.run(sql`
    update auth.emergency_accesses
       set started_at = started_at - ${hours}::int * interval '1 hour',
           ends_at = ends_at - ${hours}::int * interval '1 hour',
           ended_at = ended_at - ${hours}::int * interval '1 hour' where organization = ${clinic}`)
const reads = async ({ id }: TestPerson) => (await membershipOf(id))?.emergencyUntil != null
const rolesOf = async ({ id }: TestPerson) => (await membershipOf(id))?.roles
const membershipOf = async (person: string) =>
  (await listStaffMemberships(people.pool, person)).find(one => one.organization === clinic)
const revisionOf = async ({ id }: TestPerson) =>
  (await use(one => listStaff(one, clinic))).find(({ person }) => person === id)?.revision ?? ''

test('emergency access: reads for 24 hours without another role, and emails the other administrators', async () => {
  await hire(people, clinic, ['records'])
  const asked = act()
  expect((await start(asked)).refusal).toBeNull()
  expect([await reads(admin), await rolesOf(admin)]).toEqual([true, ['admin']])
  expect(await reads(other)).toBe(false)
  const [only, ...rest] = await list()
  expect([only?.reason, only?.person, only?.is_open, rest]).toEqual([reason, admin.id, true, []])
  const hours = (Date.parse(only?.ends_at ?? '') - Date.parse(only?.started_at ?? '')) / 3_600_000
  expect(hours).toBeCloseTo(24, 3)
  expect((await membershipOf(admin.id))?.emergencyUntil).toBe(only?.ends_at ?? '')
  const emails: unknown[] = await emailsTo(people, other.email)
  const facts = {
    email: other.email,
    name: 'Ada',
    organization: 'River Clinic',
    ends_at: only?.ends_at ?? '',
  }
  expect(emails).toMatchObject([{ kind: 'emergency_access_started', facts }])
  expect(await emailsTo(people, admin.email)).toEqual([])
  expect(await auditOf(people, asked)).toMatchObject([
    { action: 'startEmergencyAccess', person: admin.id, target: only?.id, outcome: 'ok' },
  ])
})

test('emergency access: if there is only one administrator, the incident address is emailed', async () => {
  await people.run(sql`update auth.staff set removed_at = now() where person = ${other.id}`)
  const addresses = async (incident: string | null, contact: string | null) => {
    await people.run(sql`
      update auth.clinic_settings set incident_email = ${incident}, contact_email = ${contact}
       where organization = ${clinic}`)
    return use(one => listWatching(one, { organization: clinic, person: admin.id }))
  }
  expect(await addresses(null, null)).toEqual([])
  expect((await start()).refusal).toBe('no_recipient')
  const [incidents, front] = ['incidents', 'front'].map(one => `${one}@${clinic}.example.com`)
  expect(await addresses(null, front ?? '')).toEqual([front ?? ''])
  expect(await addresses(incidents ?? '', front ?? '')).toEqual([incidents ?? ''])
  expect((await start()).refusal).toBeNull()
  expect(await emailsTo(people, incidents ?? '')).toHaveLength(1)
  expect(await emailsTo(people, other.email)).toEqual([])
})

test('emergency access: only for administrators without the role, one at a time', async () => {
  for (const role of ['clinician', 'nurse', 'pharmacy', 'records', 'auditor'] as const) {
    const by = await hire(people, clinic, [role])
    expect([role, (await start(act(by))).refusal]).toEqual([role, 'admin_required'])
    expect(await rolesOf(by)).toEqual([role])
  }
  const both = await hire(people, clinic, ['admin', 'records'])
  expect((await start(act(both))).refusal).toBe('has_records')
  const elsewhere = await hire(people, await openClinic(people), ['admin'])
  expect((await start(act(elsewhere))).refusal).toBe('unknown_organization')
  expect((await start(act(null))).refusal).toBe('admin_required')
  const two = await Promise.all([start(), start()])
  expect(two.map(one => one.refusal).toSorted()).toEqual(['already_started', null])
  expect(await list()).toHaveLength(1)
})

test('emergency access: only an administrator of the same clinic can end it, once', async () => {
  await start()
  const [{ id = '' } = {}] = await list()
  const elsewhere = await hire(people, await openClinic(people), ['admin'])
  const foreign = { ...act(elsewhere), organization: clinic }
  expect((await end(id, foreign)).refusal).toBe('unknown_organization')
  const nurse = await hire(people, clinic, ['nurse'])
  expect((await end(id, act(nurse))).refusal).toBe('admin_required')
  expect(await reads(admin)).toBe(true)
  const two = await Promise.all([end(id, act(other)), end(id)])
  expect(two.map(one => one.refusal).toSorted()).toEqual(['not_found', null])
  expect(await reads(admin)).toBe(false)
  const [over] = await list()
  expect(over).toMatchObject({ is_open: false, ended_by: expect.any(String) })
  // This person also works at another clinic, whose name isn't listed here.
  const second = await openClinic(people)
  await people.run(sql`
    insert into auth.staff (organization, person, name, roles)
    values (${second}, ${admin.id}, 'Ada elsewhere', '{nurse}')`)
  await allow(id, act(other))
  expect((await start()).refusal).toBeNull()
  expect((await list()).map(one => [one.name, one.is_open])).toEqual([
    ['Ada', true],
    ['Ada', false],
  ])
  expect(await use(one => listEmergencyAccesses(one, second))).toEqual([])
})

test('emergency access: ends on its own, and when the person loses the role or leaves', async () => {
  await start()
  await people.run(sql`
    update auth.emergency_accesses set started_at = now() - interval '25 hours',
           ends_at = now() - interval '1 second' where organization = ${clinic}`)
  expect(await reads(admin)).toBe(false)
  expect((await end((await list())[0]?.id ?? '')).refusal).toBe('not_found')

  await pass(24)
  expect((await start()).refusal).toBeNull()
  const change = async (roles: StaffRole[]) => {
    const asked = { person: admin.id, revision: await revisionOf(admin), name: 'Ada', roles }
    return use(one => changeStaff(one, asked, act(other)))
  }
  expect((await change(['nurse'])).refusal).toBeNull()
  expect(await rolesOf(admin)).toEqual(['nurse'])

  // A reinstated administrator doesn't get the access back.
  expect((await change(['admin'])).refusal).toBeNull()
  expect(await reads(admin)).toBe(false)
  await pass(24)
  expect((await start()).refusal).toBeNull()
  const asked = { person: admin.id, revision: await revisionOf(admin) }
  expect((await use(one => deactivateStaff(one, asked, act(other)))).refusal).toBeNull()
  await people.run(sql`
    update auth.staff set removed_at = null
     where organization = ${clinic} and person = ${admin.id}`)
  expect(await reads(admin)).toBe(false)
  expect((await list()).some(one => one.is_open)).toBe(false)
})

test('emergency access: a second one within a day waits until another administrator allows it', async () => {
  await start()
  const [{ id = '' } = {}] = await list()
  await end(id)
  expect((await start()).refusal).toBe('too_soon')
  // Another administrator doesn't have to wait, and can't lend their own access.
  expect((await start(act(other))).refusal).toBeNull()
  await pass(23)
  expect((await start()).refusal).toBe('too_soon')
  expect((await allow(id)).refusal).toBe('own_access')
  const nurse = await hire(people, clinic, ['nurse'])
  for (const by of [nurse, null]) expect((await allow(id, act(by))).refusal).toBe('admin_required')
  const asked = act(other)
  const two = await Promise.all([allow(id, asked), allow(id, act(other))])
  expect(two.map(one => one.refusal).toSorted()).toEqual(['not_found', null])
  expect(await auditOf(people, asked)).toMatchObject([
    { action: 'allowEmergencyAccess', person: other.id, target: id },
  ])
  expect((await start()).refusal).toBeNull()
  const [again] = await list()
  await end(again?.id ?? '')
  expect((await start()).refusal).toBe('too_soon')
  await pass(24)
  expect((await allow(again?.id ?? '', act(other))).refusal).toBe('not_found')
  expect((await start()).refusal).toBeNull()
})

test('emergency access: if a person starts it while being removed, only one takes effect', async () => {
  const revision = await revisionOf(admin)
  const [begun, removed] = await Promise.all([
    start(),
    use(one => deactivateStaff(one, { person: admin.id, revision }, act(other))),
  ])
  // If the access started first, the member's version changed. Otherwise, the member was already
  // removed.
  expect([begun.refusal, removed.refusal]).toContainEqual(null)
  expect(await reads(admin)).toBe(begun.refusal === null)
  expect([null, 'unknown_organization']).toContain(begun.refusal)
  expect([null, 'version_changed']).toContain(removed.refusal)
})
