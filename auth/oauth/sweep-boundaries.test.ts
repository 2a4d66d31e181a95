// Tests which rows a sweep keeps: rows that have just ended, other kinds of rows, and locked rows.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPool, type ConnectionPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { issueToken } from '../testing/tokens.ts'
import { type Fixture, openFixture, peppers } from './testing/fixture.ts'
import { sweep } from './sweep.ts'

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

/** At least this long ago, although the columns round to milliseconds. */
const ago = (time: string) =>
  sql`clock_timestamp() - ${time}::text::interval - interval '1 millisecond'`
const issue = (kind: 'client' | 'agent' = 'agent') =>
  fixture.owner.use(connection =>
    issueToken(connection, peppers[0], { integration: fixture.integration, kind }),
  )
/** A family's refresh token, as its HMAC. */
async function newArtifact({ client, family }: { client: string; family: string }) {
  const hash = fixture.secrets.hash(newId('token'))
  await fixture.run(sql`
    insert into auth.artifacts (hash, kind, family, client, payload, expires_at)
    values (${hash}, 'refresh', ${family}, ${client}, '{}', now() + interval '1 day')`)
  return hash
}
const left = async (rows: Statement) => (await fixture.run(rows)).length

test('codes and tokens are removed an hour after they end, and families a week after', async () => {
  const cases = [
    ['59 minutes', '6 days 23:59', 1],
    ['1 hour', '7 days', 0],
  ] as const
  for (const [hours, days, kept] of cases) {
    const token = await issue()
    const hash = await newArtifact(token)
    await fixture.run(
      sql`update auth.artifacts set expires_at = ${ago(hours)} where hash = ${hash}`,
    )
    await fixture.run(sql`
      update auth.credentials set expires_at = ${ago(hours)} where id = ${token.id}`)
    const families = [await issue(), await issue()].map(({ family }) => family)
    await fixture.run(sql`
      update auth.token_families set ends_at = ${ago(days)} where id = ${families[0] ?? ''}`)
    await fixture.run(sql`
      update auth.token_families set revoked_at = ${ago(days)}, ends_at = now() + interval '1 day'
       where id = ${families[1] ?? ''}`)
    await sweep(pool)
    const counts = [
      await left(sql`select from auth.artifacts where hash = ${hash}`),
      await left(sql`select from auth.credentials where id = ${token.id}`),
      await left(sql`select from auth.token_families where id = any (${families}::text[])`),
    ]
    expect([hours, ...counts]).toEqual([hours, kept, kept, 2 * kept])
  }
})

test('integration clients stay, used or not, and so do their revocations', async () => {
  const [unused, dormant, revoked] = [
    (await fixture.addClient()).id,
    (await fixture.addClient()).id,
    (await fixture.addClient()).id,
  ]
  const all = [unused, dormant, revoked]
  await fixture.run(sql`
    update auth.clients set created_at = ${ago('1 year')} where id = any (${all}::text[])`)
  await fixture.run(sql`
    update auth.clients set last_token_at = ${ago('100 days')} where id = ${dormant}`)
  await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${revoked}`)
  await fixture.run(sql`
    update auth.token_families set revoked_at = ${ago('30 days')} where client = ${revoked}`)
  await sweep(pool)
  expect(await left(sql`select from auth.clients where id = any (${all}::text[])`)).toBe(3)
  expect(await left(sql`select from auth.token_families where client = any (${all}::text[])`)).toBe(
    3,
  )
})

test('rows locked by another statement are skipped, and do not block the sweep', async () => {
  const token = await issue()
  const hash = await newArtifact(token)
  const family = (await issue()).family
  const dormant = newId('client')
  await fixture.run(sql`
    insert into auth.clients (id, kind, name, created_at, last_token_at)
    values (${dormant}, 'registered', 'x', ${ago('1 year')}, ${ago('91 days')})`)
  await fixture.run(
    sql`update auth.artifacts set expires_at = ${ago('1 day')} where hash = ${hash}`,
  )
  await fixture.run(sql`
    update auth.credentials set expires_at = ${ago('1 day')} where id = ${token.id}`)
  await fixture.run(sql`
    update auth.token_families set revoked_at = ${ago('8 days')} where id = ${family}`)
  await fixture.run(sql`
    insert into auth.failed_attempts (kind, subject, count, last_at)
    values ('sign_in', sha256('held'), 1, ${ago('2 days')})`)
  const rows = [
    sql`select from auth.artifacts where hash = ${hash} for update`,
    sql`select from auth.credentials where id = ${token.id} for update`,
    sql`select from auth.token_families where id = ${family} for update`,
    sql`select from auth.clients where id = ${dormant} for update`,
    sql`select from auth.failed_attempts where subject = sha256('held') for update`,
  ]
  await using holder = new SQL(fixture.database.url, { max: 1 })
  await holder.begin(async held => {
    for (const row of rows) {
      const { text, values } = row.prepared
      expect(await held.unsafe(text, values)).toHaveLength(1)
    }
    await sweep(pool)
  })
  for (const row of rows) expect(await left(row)).toBe(1)
  const { artifacts, tokens, families, dormantClients, failedAttempts } = await sweep(pool)
  expect([artifacts, tokens, families, dormantClients, failedAttempts]).toEqual([1, 1, 1, 1, 1])
})
