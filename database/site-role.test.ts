// The role of the site: it books calls, and sees and changes nothing else.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'
import { roleName } from './roles.ts'

let database: TestDatabase
const roles: Record<string, SQL> = {}
beforeAll(async () => {
  database = await testDatabase()
  for (const role of ['site', 'test', 'live'] as const) {
    roles[roleName(role)] = new SQL(database.urls[role], { max: 1 })
  }
})
afterAll(async () => {
  await Promise.all(Object.values(roles).map(role => role.close()))
  await database.close()
})

test.each([
  ['svc_site', 'select from test.patients'],
  ['svc_site', 'select from live.patients'],
  ['svc_site', 'select from auth.keys'],
  ['svc_site', 'delete from site.bookings'],
  ['svc_site', 'delete from site.mail'],
  ['svc_site', "update site.bookings set wording = 'x'"],
  ['svc_site', "update site.bookings set protocol = 'web', agent = null"],
  ['svc_site', "update site.mail set subject = 'x'"],
  ['svc_site', 'create table site.x ()'],
  ['svc_test', 'select from site.bookings'],
  ['svc_live', 'select from site.mail'],
])('%s may not %s', async (role, statement) => {
  const refused = await roles[role]?.unsafe(statement).then(
    () => 'it went through',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('42501')
})

test('what is erased has no owner left in any column, or the database refuses it', async () => {
  const insert = roles.svc_site?.unsafe(`
    insert into site.bookings (id, status, time_zone, person, first_name, protocol, wording, erased_at)
    values ('bkg_x', 'cancelled', 'UTC', null, 'Ada', 'web', 'x', now())`)
  const refused = await insert?.then(
    () => 'it went through',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('23514')
})
