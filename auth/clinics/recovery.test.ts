// Tests account recovery by email for staff: who is notified, who can stop it, and which roles
// count before an administrator confirms the person.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { actOf } from '../act.ts'
import { decide } from '../accounts/own-acts.ts'
import { beginRecovery, requestRecovery } from '../accounts/recoveries.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { emailsTo } from '../testing/emails.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { confirmStaff, inviteStaff, listStaff, stopRecoveryOfStaff } from './staff.ts'
import { listStaffMemberships } from './staff-memberships.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let [admin, doctor]: TestPerson[] = []
const own = { surface: 'oauth', request: 'req_recovery', address: null, agent: null } as const
const as = (by: TestPerson | null | undefined) => actFor(clinic, by ?? null)
const kindsTo = async (email = '') => (await emailsTo(people, email)).map(({ kind }) => kind)
const stop = (who: TestPerson, by = as(admin)) =>
  people.pool.use(one => stopRecoveryOfStaff(one, who.id, by))
const confirm = (who: TestPerson, by = as(admin)) =>
  people.pool.use(one => confirmStaff(one, who.id, by))
const rolesOf = async ({ id }: TestPerson) =>
  (await listStaffMemberships(people.pool, id)).find(one => one.organization === clinic)?.roles

beforeEach(async () => {
  clinic = await openClinic(people)
  admin = await hire(people, clinic, ['admin'])
  doctor = await hire(people, clinic, ['clinician', 'records'])
})

async function begin({ email, id }: TestPerson): Promise<string> {
  await requestRecovery(people.pool, email, own)
  const [row] = await people.run<{ id: string }>(sql`
    select id from auth.recoveries where person = ${id} order by created_at desc, id desc limit 1`)
  expect(await beginRecovery(people.pool, row?.id ?? '', own)).toBeNull()
  await people.run(sql`
    update auth.recoveries set effective_at = now() - interval '1 minute' where person = ${id} and begun_at is not null`)
  return row?.id ?? ''
}
const complete = (id: string, keepsFactors = false) =>
  decide(
    people.pool,
    sql`auth.complete_recovery(${id}, '$argon2id$a hash', ${keepsFactors}, ${actOf(own)})`,
  )

test('staff recovery: only administrators are emailed, at the start and the end', async () => {
  if (!admin || !doctor) throw new Error('no one was hired')
  const nurse = await hire(people, clinic, ['nurse'])
  const elsewhere = await hire(people, await openClinic(people), ['admin'])
  const id = await begin(doctor)
  expect(await kindsTo(admin.email)).toEqual(['recovery_begun_by_staff'])
  expect(await complete(id)).toBeNull()
  expect(await kindsTo(admin.email)).toEqual(['recovery_begun_by_staff', 'recovered_staff'])
  for (const { email } of [nurse, elsewhere]) expect(await kindsTo(email)).toEqual([])
  // Notices about the clinic's only administrator go to its incident address.
  await complete(await begin(admin))
  const [{ incident = '' } = {}] = await people.run<{ incident: string }>(sql`
    select incident_email as incident from auth.clinic_settings where organization = ${clinic}`)
  expect(await kindsTo(incident)).toEqual(['recovery_begun_by_staff', 'recovered_staff'])
})

test('staff recovery: an email has its recipient’s time zone, or else the clinic’s', async () => {
  if (!admin || !doctor) throw new Error('no one was hired')
  const zonesTo = async (email = '') =>
    (await emailsTo(people, email)).map(({ facts }) => facts['zone'])
  await people.run(sql`
    update auth.clinic_settings set time_zone = 'America/Denver' where organization = ${clinic}`)
  await begin(doctor)
  await people.run(sql`
    update auth.persons set time_zone = 'America/Chicago' where id = ${admin.id}`)
  const other = await hire(people, clinic, ['clinician'])
  await begin(other)
  expect(await zonesTo(admin.email)).toEqual(['America/Denver', 'America/Chicago'])
})

test('staff recovery: only an administrator can stop it, once', async () => {
  if (!doctor) throw new Error('no one was hired')
  const id = await begin(doctor)
  const all = await people.pool.use(one => listStaff(one, clinic))
  expect(all.find(one => one.person === doctor?.id)).toMatchObject({
    recovery_at: expect.any(String),
    recovered_at: null,
  })
  const nurse = await hire(people, clinic, ['nurse'])
  const elsewhere = await hire(people, await openClinic(people), ['admin'])
  expect((await stop(doctor, as(nurse))).refusal).toBe('admin_required')
  expect((await stop(doctor, as(elsewhere))).refusal).toBe('unknown_organization')
  expect((await stop(elsewhere)).refusal).toBe('not_found')
  const asked = as(admin)
  expect((await stop(doctor, asked)).refusal).toBeNull()
  expect((await stop(doctor)).refusal).toBe('not_found')
  expect(await complete(id)).toBe('link_ended')
  expect((await kindsTo(doctor.email)).at(-1)).toBe('recovery_cancelled')
  expect(await auditOf(people, asked)).toMatchObject([
    { action: 'stopRecoveryOfStaff', target: doctor.id, outcome: 'ok' },
  ])
})

test('staff recovery: pauses every role until another administrator confirms', async () => {
  if (!admin || !doctor) throw new Error('no one was hired')
  await complete(await begin(doctor))
  expect(await rolesOf(doctor)).toEqual([])
  expect((await confirm(doctor, as(doctor))).refusal).toBe('admin_required')
  const asked = as(admin)
  expect((await confirm(doctor, asked)).refusal).toBeNull()
  expect(await rolesOf(doctor)).toEqual(['clinician', 'records'])
  expect((await confirm(doctor)).refusal).toBe('not_found')
  expect(await auditOf(people, asked)).toMatchObject([{ action: 'confirmStaff', outcome: 'ok' }])
  // A recovery with a second factor pauses nothing.
  expect(await complete(await begin(doctor), true)).toBeNull()
  expect(await rolesOf(doctor)).toEqual(['clinician', 'records'])
})

test('staff recovery: a recovered administrator can’t make changes; the operator can confirm a sole one', async () => {
  if (!admin) throw new Error('no one was hired')
  await complete(await begin(admin))
  expect((await confirm(admin)).refusal).toBe('admin_required')
  const invitation = { email: 'friend@example.com', roles: ['records'] } as const
  const invited = await people.pool.use(one => inviteStaff(one, invitation, as(admin)))
  expect(invited.refusal).toBe('admin_required')
  expect((await confirm(admin, as(null))).refusal).toBeNull()
  expect(await rolesOf(admin)).toEqual(['admin'])
})
