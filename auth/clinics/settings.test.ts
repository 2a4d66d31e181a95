// Tests a clinic's settings and formulary.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { actFor, auditOf, hire, openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { changeClinicSettings, changeFormulary, isTimeZone, readClinic } from './settings.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
beforeEach(async () => {
  clinic = await openClinic(people)
  admin = await hire(people, clinic, ['admin'])
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const read = () => use(connection => readClinic(connection, clinic))
const settings = {
  name: 'River Health',
  time_zone: 'America/Denver',
  contact_email: 'front@example.com',
  contact_phone: '555-0101',
  incident_email: null,
}
const change = (revision: string, act = actFor(clinic, admin)) =>
  use(connection => changeClinicSettings(connection, { ...settings, revision }, act))
const dispense = (medications: string[] | null, revision: string, by = admin) =>
  use(connection => changeFormulary(connection, { medications, revision }, actFor(clinic, by)))

test('a clinic that changed nothing has defaults and dispenses the whole catalog', async () => {
  expect(await read()).toMatchObject({
    id: clinic,
    name: 'River Clinic',
    time_zone: 'America/New_York',
    contact_email: null,
    formulary: null,
    revision: '0',
  })
})

test('each version of the settings is changed once, and the change is audited', async () => {
  const act = actFor(clinic, admin)
  expect((await change('0', act)).refusal).toBeNull()
  expect(await read()).toMatchObject({ ...settings, revision: '1' })
  expect((await change('0')).refusal).toBe('version_changed')
  expect(await auditOf(people, act)).toMatchObject([
    { action: 'changeClinicSettings', organization: clinic, person: admin.id, target: clinic },
  ])
})

test('if two forms change settings or the formulary at once, one is refused', async () => {
  const all = await Promise.all([change('0'), dispense(['med_1'], '0'), change('0')])
  expect(all.map(({ refusal }) => refusal).toSorted()).toEqual([
    null,
    'version_changed',
    'version_changed',
  ])
})

test('the formulary can list some entries, and be reset to the whole catalog', async () => {
  expect((await dispense(['med_1', 'med_2'], '0')).refusal).toBeNull()
  expect(await read()).toMatchObject({ formulary: ['med_1', 'med_2'], revision: '1' })
  expect((await dispense(null, '1')).refusal).toBeNull()
  expect(await read()).toMatchObject({ formulary: null, revision: '2' })
})

test('only the clinic’s administrators can change its settings or formulary', async () => {
  const nurse = await hire(people, clinic, ['nurse', 'records'])
  const other = await hire(people, await openClinic(people), ['admin'])
  expect((await change('0', actFor(clinic, nurse))).refusal).toBe('admin_required')
  expect((await dispense(['med_1'], '0', nurse)).refusal).toBe('admin_required')
  expect((await change('0', actFor(clinic, other))).refusal).toBe('unknown_organization')
  expect(await read()).toMatchObject({ name: 'River Clinic', formulary: null, revision: '0' })
})

test('a time zone must be in the tz database', () => {
  expect(['America/Denver', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, false, false])
})

test('settings with an invalid time zone are not written', async () => {
  const wrong = { ...settings, time_zone: 'Mars/Base', revision: '0' }
  const change = use(connection => changeClinicSettings(connection, wrong, actFor(clinic, admin)))
  await expect(change).rejects.toThrow('time zone')
  expect(await read()).toMatchObject({ time_zone: 'America/New_York', revision: '0' })
})

test('app_auth: can read staff and licenses, but not write them', async () => {
  for (const attempt of [
    sql`update auth.staff set roles = '{admin}'`,
    sql`insert into auth.licenses (organization, person, state, number, expires_on)
        values (${clinic}, ${admin.id}, 'CA', '1', '2099-01-01')`,
    sql`update auth.clinic_settings set revision = 0`,
    sql`update auth.organizations set formulary = null`,
    sql`select auth.refuse_clinic_change(${clinic}, '{}')`,
  ]) {
    await expect(use(connection => connection.run(attempt))).rejects.toThrow('permission denied')
  }
})
