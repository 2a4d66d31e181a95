import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { randomBytes } from '#database/clock.ts'
import { until } from '#http/testing/until.ts'
import { canonical } from './canonical.ts'
import {
  type Answer,
  type Call,
  noStore,
  createIdempotencyStore,
  type IdempotencyStore,
} from './store.ts'

/** The idempotency store on a real database. */
let database: TestDatabase
let pool: ConnectionPool
let idempotencyStore: IdempotencyStore
let owner: SQL

beforeAll(async () => {
  database = await testDatabase()
  pool = openPool({ url: database.urls.site, size: 8, name: 'idempotency' })
  idempotencyStore = createIdempotencyStore({ pool, secret: 'a secret of a test', randomBytes })
  owner = new SQL(database.url, { max: 1 })
}, 60_000)

afterAll(async () => {
  await pool?.close()
  await owner?.close()
  await database?.close()
})

let keys = 0
const newCall = (content = '{"email":"ada@example.com"}'): Call => ({
  scope: 'test',
  key: `key-${++keys}`,
  content,
})
const done: Answer = { status: 201, body: '{"who":"Ada"}' }
const work = (answer = done) => {
  const calls = { count: 0 }
  return { calls, run: async () => (calls.count++, answer) }
}

describe('idempotency: once', () => {
  test('the first call does the work, later ones get the same bytes', async () => {
    const call = newCall()
    const { calls, run } = work()
    expect(await idempotencyStore.once(call, run)).toEqual({
      kind: 'answered',
      answer: done,
      replayed: false,
    })
    for (let again = 0; again < 2; again++) {
      const outcome = await idempotencyStore.once(call, run)
      expect(outcome).toEqual({ kind: 'answered', answer: done, replayed: true })
    }
    expect(calls.count).toBe(1)
  })

  test('the same key with different content is a conflict and does nothing', async () => {
    const call = newCall()
    const { calls, run } = work()
    await idempotencyStore.once(call, run)
    expect(await idempotencyStore.once({ ...call, content: '{}' }, run)).toEqual({
      kind: 'conflict',
    })
    expect(calls.count).toBe(1)
  })

  test('the same key in another scope is a different call', async () => {
    const call = newCall()
    const { calls, run } = work()
    await idempotencyStore.once(call, run)
    await idempotencyStore.once({ ...call, scope: 'elsewhere' }, run)
    expect(calls.count).toBe(2)
  })

  test('only a success is stored: after any other response, the key may be used again', async () => {
    const before = newCall()
    await idempotencyStore.once(before, work().run)
    for (const status of [300, 400]) {
      const call = newCall()
      await idempotencyStore.once(call, work({ status, body: '{}' }).run)
      expect(await idempotencyStore.once({ ...call, content: '{}' }, work().run)).toMatchObject({
        replayed: false,
        answer: done,
      })
    }
    expect(await idempotencyStore.find(before)).toMatchObject({ answer: done, replayed: true })
  })

  test('every five hundredth call deletes expired records', async () => {
    const store = createIdempotencyStore({ pool, secret: 'of another test', randomBytes })
    for (let call = 1; call <= 2; call++) await store.keep(newCall(), done)
    await owner`delete from site.idempotency_records where key_hmac not in (
      select key_hmac from site.idempotency_records order by expires_at desc, key_hmac limit 2)`
    await owner`update site.idempotency_records set expires_at = now() - interval '1 ms'`
    const expired = async () =>
      (await owner`select from site.idempotency_records where expires_at <= now()`).length
    for (let call = 3; call < 500; call++) await store.keep(newCall(), done)
    expect(await expired()).toBe(2)
    // Rows locked by another session are skipped, not waited for.
    const other = new SQL(database.url, { max: 1 })
    await other.unsafe(`begin; select from site.idempotency_records
      where expires_at <= now() limit 1 for update`)
    await store.keep(newCall(), done)
    expect(await expired()).toBe(1)
    await other.unsafe('rollback')
    await other.close()
  })

  test('a call that fails while deleting expired records does no work and may be retried', async () => {
    const store = createIdempotencyStore({ pool, secret: 'of another test', randomBytes })
    for (let call = 1; call < 500; call++) await store.keep(newCall(), done)
    const call = newCall()
    const { calls, run } = work()
    await owner`revoke delete on site.idempotency_records from app_site`
    try {
      await expect(store.once(call, run)).rejects.toMatchObject({ errno: '42501' })
    } finally {
      await owner`grant delete on site.idempotency_records to app_site`
    }
    expect([calls.count, await store.find(call)]).toEqual([0, undefined])
    expect(await store.once(call, run)).toMatchObject({ replayed: false, answer: done })
    await owner`delete from site.idempotency_records`
  })

  test('an invisible row counts as in flight, and the work is not done', async () => {
    await owner`create function site.hide() returns trigger language plpgsql
      as 'begin return null; end'`
    await owner`create trigger hide before insert on site.idempotency_records
      for each row execute function site.hide()`
    const { calls, run } = work()
    try {
      const outcome = await idempotencyStore.once(newCall(), run)
      expect(outcome).toEqual({ kind: 'in_flight', retrySeconds: 1 })
      expect(calls.count).toBe(0)
    } finally {
      await owner`drop trigger hide on site.idempotency_records`
      await owner`drop function site.hide()`
    }
  })

  test('work that throws releases the key', async () => {
    const call = newCall()
    const broken = idempotencyStore.once(call, () => Promise.reject(new Error('no')))
    await expect(broken).rejects.toThrow('no')
    await broken.catch(() => {})
    expect(await idempotencyStore.once(call, work().run)).toMatchObject({ replayed: false })
  })

  test('one of twenty concurrent calls does the work; the others are in flight or get its bytes', async () => {
    const call = newCall()
    const calls = { count: 0 }
    const gate = Promise.withResolvers<void>()
    const slow = async () => {
      calls.count++
      await gate.promise
      return done
    }
    const all = Array.from({ length: 20 }, () => idempotencyStore.once(call, slow))
    const rest = Promise.race(all)
    expect(await rest).toEqual({ kind: 'in_flight', retrySeconds: 1 })
    gate.resolve()
    const outcomes = await Promise.all(all)
    expect(
      outcomes.filter(outcome => outcome.kind === 'answered' && !outcome.replayed),
    ).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome.kind === 'conflict')).toEqual([])
    expect(calls.count).toBe(1)
  })

  test('a call that never finished is repeated after its lease ends', async () => {
    const call = newCall()
    const never = idempotencyStore.once(call, () => new Promise<Answer>(() => {}))
    void never
    const { run } = work()
    await until(async () => (await idempotencyStore.find(call)) !== undefined, 1)
    expect(await idempotencyStore.once(call, run)).toMatchObject({ kind: 'in_flight' })
    await owner`update site.idempotency_records set lease_until = now() - interval '1 second' where status is null`
    expect(await idempotencyStore.once(call, run)).toMatchObject({ answer: done, replayed: false })
  })

  test('work with an expired lease does not overwrite its replacement’s response', async () => {
    const call = newCall()
    const [slow, second] = [Promise.withResolvers<Answer>(), Promise.withResolvers<Answer>()]
    const first = idempotencyStore.once(call, () => slow.promise)
    await until(async () => (await idempotencyStore.find(call)) !== undefined, 1)
    await owner`update site.idempotency_records set lease_until = now() - interval '1 second' where status is null`
    const { promise: isWorking, resolve: begin } = Promise.withResolvers<void>()
    const replacing = idempotencyStore.once(call, () => (begin(), second.promise))
    await isWorking
    slow.resolve({ status: 200, body: 'slow' })
    await first
    expect(await idempotencyStore.find(call)).toMatchObject({ kind: 'in_flight' })
    second.resolve(done)
    await replacing
    expect(await idempotencyStore.find(call)).toMatchObject({ answer: done, replayed: true })
  })

  test('a lease lasts thirty seconds, a response seven days; expired rows are deleted', async () => {
    const call = newCall()
    await idempotencyStore.once(call, async () => {
      const [row] = await owner`
        select round(extract(epoch from expires_at - lease_until))::int as between,
               ceil(extract(epoch from expires_at - clock_timestamp()) / 86400)::int as days
          from site.idempotency_records where status is null and lease_until > now()`
      expect(row).toEqual({ between: 7 * 86_400 - 30, days: 7 })
      return done
    })
    await owner`update site.idempotency_records set expires_at = now() - interval '1 ms'`
    // Expired rows are deleted once in 500 requests.
    for (let times = 0; times < 10; times++) {
      const some = Array.from({ length: 50 }, () => idempotencyStore.keep(newCall(), done))
      await Promise.all(some)
    }
    const [{ expired }] = await owner`
      select count(*)::int as expired from site.idempotency_records where expires_at <= now()`
    expect(expired).toBe(0)
    const [{ kept }] = await owner`
      select count(*)::int as kept from site.idempotency_records where expires_at > now()`
    expect(kept).toBe(500)
  })

  test('an expired response is not replayed', async () => {
    const call = newCall()
    await idempotencyStore.once(call, work().run)
    await owner`update site.idempotency_records set expires_at = now() - interval '1 ms'`
    expect(await idempotencyStore.find(call)).toBeUndefined()
    expect(await idempotencyStore.once({ ...call, content: '{}' }, work().run)).toMatchObject({
      replayed: false,
    })
  })
})

describe('idempotency: keep', () => {
  test('stores the first of two responses', async () => {
    const call = newCall()
    const other = { status: 200, body: '{"who":"Eve"}' }
    expect(await idempotencyStore.keep(call, done)).toMatchObject({ answer: done, replayed: false })
    expect(await idempotencyStore.keep(call, other)).toMatchObject({ answer: done, replayed: true })
    expect(await idempotencyStore.find(call)).toMatchObject({ answer: done, replayed: true })
  })
})

test('idempotency: stored responses are encrypted, and one row cannot replace another', async () => {
  const [one, other] = [newCall('{"email":"ada@example.com"}'), newCall()]
  await idempotencyStore.once(one, work().run)
  await idempotencyStore.once(other, work().run)
  const rows = await owner`select r::text as text, response from site.idempotency_records r`
  const everything = rows
    .map((row: { text: string; response: Uint8Array | null }) => {
      return row.text + Buffer.from(row.response ?? []).toString('latin1')
    })
    .join()
  expect(everything).not.toMatch(/Ada|example\.com|key-\d/)
  await owner`
    update site.idempotency_records r set response = o.response from site.idempotency_records o
    where r.key_hmac <> o.key_hmac and r.status = 201 and o.status = 201`
  await expect(idempotencyStore.find(one)).rejects.toThrow()
})

test('idempotency: without a store every call does the work', async () => {
  const call = newCall()
  const { calls, run } = work()
  await noStore.once(call, run)
  expect(await noStore.once(call, run)).toMatchObject({ answer: done, replayed: false })
  expect(await noStore.keep(call, done)).toEqual({
    kind: 'answered',
    answer: done,
    replayed: false,
  })
  expect(await noStore.find(call)).toBeUndefined()
  expect(calls.count).toBe(2)
})

describe('idempotency: canonical JSON', () => {
  const same: [string, string][] = [
    ['{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3.0,"c":2},"a":1.0}'],
    ['["é"]', '["\\u00e9"]'],
    ['{"a":-0}', '{"a":0}'],
  ]
  const different: [string, string][] = [
    ['[1,2]', '[2,1]'],
    ['{"a":null}', '{}'],
    ['{"a":"1"}', '{"a":1}'],
    ['{"a":["b"]}', '{"a":{"0":"b"}}'],
    ['["a,b"]', '["a","b"]'],
  ]
  test('values have equal texts only if they are equal', () => {
    const of = (text: string) => canonical(JSON.parse(text))
    for (const [one, other] of same) expect(of(one)).toBe(of(other))
    for (const [one, other] of different) expect(of(one)).not.toBe(of(other))
  })
})
