// Tests the lists that a clinic's administrators see: staff and their licenses, invitations,
// calendar, emergency accesses and pharmacy. They show nothing from another clinic, and nothing
// that has ended.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { actFor, hire, openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { addCalendarException, listCalendarExceptions } from './calendar.ts'
import { emergencyReason, listEmergencyAccesses } from './emergency.ts'
import { readPharmacyOfClinic } from './pharmacy.ts'
import { readRetentionPolicy, setRetentionPolicy } from './retention.ts'
import { readClinic } from './settings.ts'
import { listStaff, listStaffInvitations } from './staff.ts'
import { listStaffMemberships } from './staff-memberships.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let other: string
let admin: TestPerson
beforeEach(async () => {
  ;[clinic, other] = [await openClinic(people), await openClinic(people)]
  admin = await hire(people, clinic, ['admin'])
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const staff = () => use(connection => listStaff(connection, clinic))
const addLicense = (organization: string, person: string, state: string, day: Statement) =>
  people.run(sql`
    insert into auth.licenses (organization, person, state, number, expires_on)
    values (${organization}, ${person}, ${state}, 'A 1', ${day})`)
const joins = (organization: string, person: string) =>
  people.run(sql`
    insert into auth.staff (organization, person, name, roles)
    values (${organization}, ${person}, 'Ada elsewhere', '{nurse}')`)

describe('staff', () => {
  test('active members come first, sorted by name, and only from this clinic', async () => {
    const [zoe, ben] = [
      await hire(people, clinic, ['nurse']),
      await hire(people, clinic, ['nurse']),
    ]
    await hire(people, other, ['admin'])
    const rename = (person: TestPerson, name: string) =>
      people.run(sql`update auth.staff set name = ${name} where person = ${person.id}`)
    await rename(zoe, 'Zoe')
    await rename(ben, 'Aaron')
    await people.run(sql`update auth.staff set removed_at = now() where person = ${ben.id}`)
    const rows = (await staff()).map(({ name, email }) => [name, email])
    expect(rows).toEqual([
      ['Ada', admin.email],
      ['Zoe', zoe.email],
      ['Aaron', ben.email],
    ])
  })

  test('has a second factor with an authenticator app or a passkey', async () => {
    const [app, passkey] = [await people.addPerson(), await people.addPerson(false)]
    for (const { id } of [app, passkey]) await joins(clinic, id)
    await people.run(sql`
      insert into auth.passkeys (id, person, name, public_key, sign_count)
      values ('a passkey of a test', ${passkey.id}, 'Phone', 'x', 0)`)
    const factors = (await staff()).map(row => [row.person, row.has_second_factor])
    expect(Object.fromEntries(factors)).toEqual({
      [admin.id]: false,
      [app.id]: true,
      [passkey.id]: true,
    })
  })

  test('has licenses from this clinic only, each valid through its last day', async () => {
    const nurse = await hire(people, clinic, ['nurse'])
    await joins(other, nurse.id)
    const today = sql`auth.clinic_day(${clinic})`
    await addLicense(clinic, nurse.id, 'NY', sql`${today} - 1`)
    await addLicense(clinic, nurse.id, 'CA', today)
    await addLicense(clinic, admin.id, 'TX', today)
    await addLicense(other, nurse.id, 'WA', today)
    const licenses = (await staff()).find(({ person }) => person === nurse.id)?.licenses
    expect(licenses?.map(({ state, is_valid }) => [state, is_valid])).toEqual([
      ['CA', true],
      ['NY', false],
    ])
    const memberships = await listStaffMemberships(people.pool, nurse.id)
    expect(memberships.map(one => [one.organization, one.states]).toSorted()).toEqual(
      [
        [clinic, ['CA']],
        [other, ['WA']],
      ].toSorted(),
    )
  })
})

// At any time, the day in at least one of these zones isn't the day in UTC.
test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  'licenses: the last day is a day in the clinic’s zone, %s',
  async zone => {
    const nurse = await hire(people, clinic, ['nurse'])
    await people.run(sql`
      update auth.clinic_settings set time_zone = ${zone} where organization = ${clinic}`)
    const today = sql`(now() at time zone ${zone})::date`
    await addLicense(clinic, nurse.id, 'CA', today)
    await addLicense(clinic, nurse.id, 'NY', sql`${today} - 1`)
    const licenses = (await staff()).find(({ person }) => person === nurse.id)?.licenses
    expect(licenses?.map(({ state, is_valid }) => [state, is_valid])).toEqual([
      ['CA', true],
      ['NY', false],
    ])
    const [membership] = await listStaffMemberships(people.pool, nurse.id)
    expect(membership?.states).toEqual(['CA'])
  },
)

test('memberships: only at open clinics, only for current staff, a hundred at most', async () => {
  const person = await hire(people, clinic, ['nurse'])
  const [left, closed, sandbox] = [
    await openClinic(people),
    await openClinic(people),
    await openClinic(people),
  ]
  const integration = await people.addMember(person)
  for (const one of [left, closed, sandbox]) await joins(one, person.id)
  await people.run(sql`
    update auth.staff set removed_at = now()
     where organization = ${left} and person = ${person.id}`)
  await people.run(sql`update auth.organizations set status = 'closed' where id = ${closed}`)
  await people.run(sql`
    update auth.organizations set sandbox_of = null where sandbox_of = ${integration}`)
  await people.run(sql`
    update auth.organizations set sandbox_of = ${integration} where id = ${sandbox}`)
  const list = () => listStaffMemberships(people.pool, person.id)
  expect((await list()).map(({ organization }) => organization)).toEqual([clinic])
  expect(await use(one => readClinic(one, sandbox))).toBeNull()
  await people.run(sql`
    with made as (
      insert into auth.organizations (id, name, slug)
      select 'org_many_' || n, 'Clinic', 'of-many-' || n from generate_series(1, 100) n returning id)
    insert into auth.staff (organization, person, name, roles)
    select id, ${person.id}, 'x', '{nurse}' from made`)
  expect(await list()).toHaveLength(100)
})

test("invitations: lists this clinic's open invitations, newest first", async () => {
  const add = async (of: string, state: Statement, age: string) => {
    const id = newId('invitation')
    await people.run(sql`
      insert into auth.invitations (id, organization, email, roles, created_at, accepted_by,
                                    accepted_at, cancelled_at, expires_at)
      select ${id}, ${of}, ${`${id}@example.com`}, '{nurse}', now() - ${age}::text::interval, made.*
        from (select ${state}) as made`)
    return id
  }
  const [no, soon] = [sql`null::timestamptz`, sql`now() + interval '1 hour'`]
  const open = sql`null::text, ${no}, ${no}, ${soon}`
  const [older, newer] = [await add(clinic, open, '2 hours'), await add(clinic, open, '1 hour')]
  await add(other, open, '1 hour')
  await add(clinic, sql`${admin.id}::text, now(), ${no}, ${soon}`, '1 hour')
  await add(clinic, sql`null::text, ${no}, now(), ${soon}`, '1 hour')
  await add(clinic, sql`null::text, ${no}, ${no}, now() - interval '1 s'`, '1 hour')
  const rows = await use(one => listStaffInvitations(one, clinic))
  expect(rows.map(({ id }) => id)).toEqual([newer, older])
})

test('time off: another clinic’s is not listed', async () => {
  const [own, theirs] = [
    await hire(people, clinic, ['clinician']),
    await hire(people, other, ['clinician']),
  ]
  const off = { kind: 'off', starts_at: '2040-01-01', ends_at: '2040-01-08' } as const
  await use(one => addCalendarException(one, own.id, off, actFor(clinic, own)))
  await use(one => addCalendarException(one, theirs.id, off, actFor(other, theirs)))
  const rows = await use(one => listCalendarExceptions(one, clinic))
  expect(rows.map(({ person }) => person)).toEqual([own.id])
})

test('emergency accesses: newest first, a hundred at most; a reason has 10 to 500 characters', async () => {
  await people.run(sql`
    insert into auth.emergency_accesses (id, organization, person, reason, started_at, ends_at)
    select 'emg_' || lpad(n::text, 4, '0'), ${clinic}, ${admin.id}, 'A reason of a test.',
           '2026-11-01', '2026-11-02' from generate_series(1, 101) n`)
  const ids = (await use(one => listEmergencyAccesses(one, clinic))).map(({ id }) => id)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 'emg_0101', 'emg_0002'])
  expect(emergencyReason).toEqual({ min: 10, max: 500 })
})

test('the pharmacy: shows the current connection, and when the previous secret expires', async () => {
  const add = (of: string, ended: Statement, previous: Statement) =>
    people.run(sql`
      insert into pharmacy.connections (id, organization, name, url, secret, previous_secret,
                                        ended_at, previous_secret_expires_at)
      values (${newId('pharmacy')}, ${of}, ${`Pharmacy of ${of}`}, 'https://pharmacy.example.com',
              'x', 'y', ${ended}, ${previous})`)
  const read = async () => {
    const row = await use(one => readPharmacyOfClinic(one, clinic))
    return row === null ? null : [row.name, row.previous_until]
  }
  const no = sql`null::timestamptz`
  await add(other, no, sql`'2999-01-01'`)
  await add(clinic, sql`now()`, sql`'2999-01-01'`)
  expect(await read()).toBeNull()
  await add(clinic, no, sql`'2999-01-01'`)
  expect(await read()).toEqual([`Pharmacy of ${clinic}`, '2999-01-01T00:00:00.000Z'])
  await people.run(
    sql`update pharmacy.connections set previous_secret_expires_at = now() - interval '1 ms'`,
  )
  expect(await read()).toEqual([`Pharmacy of ${clinic}`, null])
})

test('retention: shows this clinic’s policy', async () => {
  const theirs = await hire(people, other, ['admin'])
  const set = (of: string, by: TestPerson, years: number) =>
    use(one => setRetentionPolicy(one, { years, minorAge: 21, revision: '0' }, actFor(of, by)))
  expect((await set(other, theirs, 8)).refusal).toBeNull()
  expect(await use(one => readRetentionPolicy(one, clinic))).toBeNull()
  expect((await set(clinic, admin, 10)).refusal).toBeNull()
  expect(await use(one => readRetentionPolicy(one, clinic))).toMatchObject({
    years: 10,
    minor_age: 21,
  })
})
