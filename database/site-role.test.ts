// Checks what SQL the site's role may run: it can book calls, and can't do anything else.
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
  ['app_site', 'select from test.patients'],
  ['app_site', 'select from live.patients'],
  ['app_site', 'select from auth.credentials'],
  ['app_site', 'delete from site.bookings'],
  ['app_site', 'delete from site.emails'],
  ['app_site', "update site.bookings set wording = 'x'"],
  ['app_site', "update site.bookings set protocol = 'web', agent = null"],
  ['app_site', "update site.emails set subject = 'x'"],
  ['app_site', 'create table site.x ()'],
  ['app_test', 'select from site.bookings'],
  ['app_live', 'select from site.emails'],
])('%s: may not %s', async (role, statement) => {
  const refused = await roles[role]?.unsafe(statement).then(
    () => 'succeeded',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('42501')
})

test('bookings: the database refuses an erased row that still has the person’s details', async () => {
  const insert = roles.app_site?.unsafe(`
    insert into site.bookings (id, status, time_zone, person, first_name, protocol, wording, erased_at)
    values ('bkg_x', 'cancelled', 'UTC', null, 'Ada', 'web', 'x', now())`)
  const refused = await insert?.then(
    () => 'succeeded',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('23514')
})
