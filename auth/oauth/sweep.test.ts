// Tests which rows a sweep removes and keeps, and that it doesn't wait for requests.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPool, type ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { agentTokens, authorize, refreshWith } from './testing/agent.ts'
import { type Fixture, openFixture } from './testing/fixture.ts'
import { newAgent, tokenFor } from './testing/requests.ts'
import { nextBatchSize, sweep } from './sweep.ts'

let fixture: Fixture
let pool: ConnectionPool
beforeAll(async () => {
  fixture = await openFixture()
  pool = openPool({ url: fixture.database.urls.auth, size: 2, name: 'sweep' })
})
afterAll(async () => {
  await pool.close()
  await fixture.close()
})

const count = async (table: 'artifacts' | 'credentials' | 'token_families' | 'clients') => {
  const [row] = await fixture.run<{ count: number }>(
    table === 'artifacts'
      ? sql`select count(*)::int as count from auth.artifacts`
      : table === 'credentials'
        ? sql`select count(*)::int as count from auth.credentials`
        : table === 'token_families'
          ? sql`select count(*)::int as count from auth.token_families`
          : sql`select count(*)::int as count from auth.clients`,
  )
  return row?.count ?? 0
}

test('nothing usable is swept, and nothing that was just used', async () => {
  const { client, refresh } = await agentTokens(fixture)
  await authorize(fixture)
  const { id, secret } = await fixture.addClient()
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  await tokenFor(fixture, form)
  const swept = Object.values(await sweep(pool))
  expect(swept.length).toBeGreaterThan(5)
  expect(swept.filter(count => count !== 0)).toEqual([])
  expect((await refreshWith(fixture, client, refresh)).status).toBe(200)
})

test('expired codes, tokens and families are removed, and keys stay', async () => {
  await agentTokens(fixture)
  const keys = await fixture.run(sql`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, expires_at)
    values ('key_1', ${fixture.integration}, 'test', 'k', '{}', ${fixture.secrets.hash('k')}, 'abcd',
            now() - interval '1 year') returning id`)
  expect(keys).toHaveLength(1)
  await fixture.run(sql`
    update auth.artifacts set expires_at = now() - interval '2 hours'`)
  await fixture.run(sql`
    update auth.credentials set expires_at = now() - interval '2 hours' where kind <> 'key'`)
  await fixture.run(sql`
    update auth.token_families set ends_at = now() - interval '8 days' where kind = 'agent'`)
  await fixture.run(sql`
    update auth.token_families set revoked_at = now() - interval '8 days'
     where id = (select min(id) from auth.token_families where kind = 'agent')`)
  const swept = await sweep(pool)
  expect(swept.artifacts).toBeGreaterThan(0)
  expect(swept.tokens).toBeGreaterThan(0)
  expect(swept.families).toBeGreaterThan(0)
  expect(await count('artifacts')).toBe(0)
  expect(await count('credentials')).toBe(1)
  const families = await fixture.run(sql`select distinct kind from auth.token_families`)
  expect(families).toEqual([{ kind: 'client' }])
})

test('unused clients are removed after a day, others 90 days after their last token', async () => {
  const age = async (created: string, used: string | null) => {
    const id = await newAgent(fixture)
    await fixture.run(sql`
      update auth.clients set created_at = now() - ${created}::interval,
             last_token_at = now() - ${used}::interval where id = ${id}`)
    return id
  }
  const kept = [
    await age('23:59', null),
    await age('1 year', '89 days 23:59'),
    (await fixture.addClient()).id,
  ]
  const gone = [await age('24 hours', null), await age('1 year', '90 days')]
  await sweep(pool)
  const rows = await fixture.run<{ id: string }>(sql`
    select id from auth.clients where id = any (${[...kept, ...gone]}::text[]) order by id`)
  expect(rows.map(({ id }) => id)).toEqual(kept.toSorted())
})

test('sign-ups are removed after a week, recoveries and invitations after 90 days, attempts after a day', async () => {
  const { integration } = fixture
  const [person] = await fixture.run<{ id: string }>(sql`
    insert into auth.persons (id, email, name) values ('per_sweep', 'ada@example.com', 'Ada')
    returning id`)
  const ago = (time: string) => sql`now() - ${time}::text::interval`
  const add = {
    sign_ups: (id: string, time: string) => sql`
      insert into auth.sign_ups (id, email, name, company, expires_at)
      values (${id}, 'ben@example.com', 'Ben', 'Ben Health', ${ago(time)})`,
    recoveries: (id: string, time: string) => sql`
      insert into auth.recoveries (id, person, expires_at)
      values (${id}, ${person?.id ?? ''}, ${ago(time)})`,
    invitations: (id: string, time: string) => sql`
      insert into auth.invitations (id, integration, email, role, expires_at)
      values (${id}, ${integration}, ${`${id}@example.com`}, 'viewer', ${ago(time)})`,
    failed_attempts: (id: string, time: string) => sql`
      insert into auth.failed_attempts (kind, subject, count, last_at)
      values ('sign_in', sha256(${id}::text::bytea), 1, ${ago(time)})`,
    used_challenges: (id: string, time: string) => sql`
      insert into auth.used_challenges (hash, expires_at)
      values (sha256(${id}::text::bytea), ${ago(time)})`,
  }
  for (const [table, kept, gone] of [
    ['sign_ups', '6 days 23:59', '7 days'],
    ['recoveries', '89 days 23:59', '90 days'],
    ['invitations', '89 days 23:59', '90 days'],
    ['failed_attempts', '23:59', '24:00'],
    ['used_challenges', '-0:01', '0:00'],
  ] as const) {
    await fixture.run(add[table](`${table}-kept`, kept))
    await fixture.run(add[table](`${table}-gone`, gone))
  }
  expect(await sweep(pool)).toMatchObject({
    signUps: 1,
    recoveries: 1,
    invitations: 1,
    failedAttempts: 1,
    challenges: 1,
  })
})

test('removing a client removes its tokens', async () => {
  const { client } = await agentTokens(fixture)
  await fixture.run(sql`
    update auth.clients set last_token_at = now() - interval '91 days' where id = ${client}`)
  const before = await count('credentials')
  await sweep(pool)
  expect(await count('credentials')).toBe(before - 1)
})

test('many rows are removed in batches, and locked ones are left for later', async () => {
  await fixture.run(sql`
    insert into auth.clients (id, kind, name, network, created_at)
    select 'cli_9' || lpad(n::text, 25, '0'), 'registered', 'x', 'n', now() - interval '2 days'
      from generate_series(1, 3000) n`)
  const holder = new SQL(fixture.database.url, { max: 1 })
  const reserved = await holder.reserve()
  await reserved`begin`
  await reserved`select from auth.clients where id = 'cli_90000000000000000000000007' for update`
  const { unusedClients } = await sweep(pool)
  await reserved`commit`
  await reserved.release()
  await holder.close()
  expect(unusedClients).toBe(2999)
  expect((await sweep(pool)).unusedClients).toBe(1)
})

test('a slow batch halves the next one, and a fast batch doubles it, within bounds', () => {
  const sizes = [
    nextBatchSize(100, 16),
    nextBatchSize(100, 15),
    nextBatchSize(100, 5),
    nextBatchSize(100, 4),
    nextBatchSize(11, 60),
    nextBatchSize(10, 60),
    nextBatchSize(200, 1),
  ]
  expect(sizes).toEqual([50, 100, 100, 200, 10, 10, 250])
})
