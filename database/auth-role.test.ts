// Checks what SQL app_auth, the role of the authorization server and account pages, may run: it
// can't read patients, write keys, or change a person's password or role.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sqlState } from './failures.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

let database: TestDatabase
let role: SQL
beforeAll(async () => {
  database = await testDatabase()
  role = new SQL(database.urls.auth, { max: 1 })
})
afterAll(async () => {
  await role.close()
  await database.close()
})

test.each([
  'select from test.patients',
  'select from live.patients',
  'select from site.bookings',
  'select from audit.entries',
  'select from site.emails',
  "insert into auth.invitations (id) values ('x')",
  'update auth.invitations set accepted_at = null',
  "update auth.persons set email = 'other@example.com'",
  "insert into auth.persons (id, email, name) values ('per', 'per@example.com', 'x')",
  "insert into auth.recovery_codes (hash, person, pepper) values ('', 'per', 'x')",
  'update auth.recovery_codes set used_at = null',
  'update auth.passkeys set sign_count = 0',
  'update auth.recoveries set effective_at = now()',
  'update auth.sign_ups set used_at = null',
  'delete from audit.entries',
  "update auth.person_factors set password_hash = 'x'",
  "update auth.person_factors set totp_secret = 'x'",
  "insert into auth.person_factors (person, password_hash) values ('per', 'x')",
  'delete from auth.person_factors',
  "update auth.members set role = 'owner'",
  "insert into auth.members (integration, person, role) values ('int', 'per', 'owner')",
  "update auth.token_families set scopes = '{}'",
  "update auth.credentials set person = 'per'",
  'update auth.integrations set suspended_at = null',
  'create table auth.x ()',
])('app_auth: may not %s', async statement => {
  const refused = await role.unsafe(statement).then(
    () => 'succeeded',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('42501')
})

test('app_auth: can’t read or insert API keys', async () => {
  await using owner = new SQL(database.url, { max: 1 })
  await owner`insert into auth.integrations (id, name) values ('int', 'Ada')`
  await owner`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4)
    values ('key', 'int', 'test', 'k', '{}', sha256('key'), 'last')`
  expect(await role`select id from auth.credentials`).toHaveLength(0)
  const planted = role`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4)
    values ('planted', 'int', 'test', 'k', '{}', sha256('planted'), 'last')`
  const refused = await planted.then(
    () => 'succeeded',
    (failure: unknown) => sqlState(failure),
  )
  expect(refused).toBe('42501')
})
