// Tests the emails to owners before a live key expires.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from './ids.ts'
import { openIntegration } from './integrations.ts'
import { openAuthDatabase } from './testing/database.ts'

const context = await openAuthDatabase()
const { owner, run, urls } = context
const worker = openPool({ url: urls.worker_live, size: 2, name: 'worker' })
afterAll(async () => {
  await worker.close()
  await context.close()
})

let integration: string
let person: string
beforeEach(async () => {
  await run(sql`update auth.credentials set revoked_at = now() where kind = 'key'`)
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ada')))
  person = await addMember('owner')
})

async function addMember(role: string): Promise<string> {
  const id = newId('person')
  await run(sql`insert into auth.persons (id, email, name)
                values (${id}, ${`${id}@example.com`}, 'Ada')`)
  await run(sql`insert into auth.members (integration, person, role)
                values (${integration}, ${id}, ${role})`)
  return id
}
/** A key created some days ago that expires in some days. */
async function keyThat(endsIn: number, madeAgo = 100, mode = 'live'): Promise<string> {
  const id = newId('key')
  await run(sql`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, created_at,
                                  expires_at)
    values (${id}, ${integration}, ${mode}, 'Nightly', '{}', sha256(${id}::text::bytea), 'abcd',
            now() - ${madeAgo}::float * interval '1 day',
            now() + ${endsIn}::float * interval '1 day')`)
  return id
}
const notify = async () => {
  const [row] = await worker.use(connection =>
    connection.run<{ keys: number }>(sql`select auth.notify_ending_keys() as keys`),
  )
  return row?.keys
}
const emails = () =>
  run(sql`select facts from site.emails
           where facts ->> 'email' = ${`${person}@example.com`} and kind = 'key_ends' order by id`)
const noticesOf = async (key: string) =>
  (await run(sql`select days from auth.key_end_notices where key = ${key} order by days desc`)).map(
    ({ days }) => days,
  )

test('a live key gets one notice each 30, 7 and 1 days before it expires', async () => {
  const key = await keyThat(31)
  expect(await notify()).toBe(0)
  for (const days of [30, 7, 1]) {
    await run(sql`
      update auth.credentials
         set expires_at = now() + ${days}::int * interval '1 day' - interval '1 second'
       where id = ${key}`)
    expect(await notify()).toBe(1)
    expect(await notify()).toBe(0)
  }
  expect(await noticesOf(key)).toEqual([30, 7, 1])
  const facts = (await emails()).map(({ facts }) => facts as { days: number; ends_at: string })
  expect(facts.map(({ days }) => days)).toEqual([30, 7, 1])
  expect(facts[0]).toMatchObject({ name: 'Nightly', integration: 'Ada', last4: 'abcd' })
  expect(facts[0]?.ends_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('the audit log attributes each notice to the worker', async () => {
  const key = await keyThat(6)
  expect(await notify()).toBe(1)
  expect(
    await run(sql`select mode, integration, actor, surface, action from audit.entries
                   where target = ${key}`),
  ).toEqual([
    { mode: 'live', integration, actor: 'worker', surface: 'worker', action: 'notifyKeyEnd' },
  ])
})

test('only the latest of several missed notices is sent', async () => {
  const key = await keyThat(0.5)
  expect(await notify()).toBe(1)
  expect(await noticesOf(key)).toEqual([1])
})

test('two simultaneous workers send only one notice', async () => {
  const key = await keyThat(6)
  expect((await Promise.all([notify(), notify()])).toSorted()).toEqual([0, 1])
  expect(await noticesOf(key)).toEqual([7])
  expect(await emails()).toHaveLength(1)
})

test('every owner who can sign in is emailed, and no other member', async () => {
  await addMember('developer')
  await addMember('owner')
  const disabled = await addMember('owner')
  await run(sql`update auth.persons set disabled_at = now() where id = ${disabled}`)
  await keyThat(6)
  const before = await run(sql`select from site.emails`)
  await notify()
  expect(await run(sql`select from site.emails`)).toHaveLength(before.length + 2)
})

const quiet: [string, () => Promise<unknown>][] = [
  ['in test mode', () => keyThat(6, 100, 'test')],
  ['that was created with a shorter lifetime', () => keyThat(6.9, 0.1)],
  ['that has expired', () => keyThat(-0.1)],
  [
    'that was rotated',
    async () =>
      run(sql`update auth.credentials set replaced_by = 'key' where id = ${await keyThat(6)}`),
  ],
  [
    'that was revoked',
    async () =>
      run(sql`update auth.credentials set revoked_at = now() where id = ${await keyThat(6)}`),
  ],
  [
    'of a suspended integration',
    async () => {
      await keyThat(6)
      await run(sql`update auth.integrations set suspended_at = now() where id = ${integration}`)
    },
  ],
]
test.each(quiet)('no notice for a key %s', async (_what, prepare) => {
  await prepare()
  expect(await notify()).toBe(0)
})
