// Tests how long attempts wait after failures, and which subjects a failure counts for.
// accounts.test.ts has the other tests of failed attempts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Connection, ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openPeople, type TestPeople } from '../testing/people.ts'
import { withSlow } from '../testing/slow-writes.ts'
import { type FailedAttempts, openFailedAttempts } from './failed-attempts.ts'

let people: TestPeople
let attempts: FailedAttempts
const hmac = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
beforeAll(async () => {
  people = await openPeople()
  attempts = openFailedAttempts(people.pool, hmac)
})
afterAll(() => people.close())
beforeEach(() => people.run(sql`delete from auth.failed_attempts`))

const past = (seconds: number) =>
  people.run(sql`
    update auth.failed_attempts
       set first_at = first_at - ${seconds}::int * interval '1 second',
           last_at = last_at - ${seconds}::int * interval '1 second',
           blocked_until = blocked_until - ${seconds}::int * interval '1 second'`)

const beginMany = async (kind: 'sign_in', subject: string, count: number) => {
  const waits: number[] = []
  for (let at = 0; at < count; at++) waits.push(await attempts.begin(kind, subject))
  return waits
}

/** The wait before each of `count` attempts, each made as soon as it's allowed. */
async function waitsOf(kind: 'sign_in', subject: string, count: number, isStrict = false) {
  const waits: number[] = []
  for (let at = 0; at < count; at++) {
    const seconds = await attempts.begin(kind, subject, isStrict)
    waits.push(seconds)
    await past(seconds)
    expect(await attempts.begin(kind, subject, isStrict)).toBe(0)
  }
  return waits
}

test('attempts: a strict subject’s first attempt runs immediately, and after a failure the next has to wait', async () => {
  expect(await attempts.begin('sign_in', 'strict', true)).toBe(0)
  expect(await waitsOf('sign_in', 'strict', 4, true)).toEqual([1, 2, 4, 8])
})

test('attempts: each subject is delayed only by its own failures', async () => {
  await beginMany('sign_in', 'often', 5)
  await waitsOf('sign_in', 'often', 6)
  await beginMany('sign_in', 'rarely', 5)
  expect(await attempts.begin('sign_in', 'rarely')).toBe(1)
  expect(await attempts.begin('sign_in', 'often')).toBeGreaterThan(60)
  await attempts.succeeded('sign_in', 'rarely', true)
  expect(await attempts.begin('sign_in', 'often')).toBeGreaterThan(60)
})

test("attempts: a success clears only its own subject's failures", async () => {
  const left = async () =>
    (
      await people.run<{ count: number }>(
        sql`select count from auth.failed_attempts order by count, subject`,
      )
    ).map(({ count }) => count)
  await beginMany('sign_in', 'ada', 2)
  await beginMany('sign_in', 'ben', 3)
  await attempts.succeeded('sign_in', 'ada', false)
  expect(await left()).toEqual([1, 3])
  await attempts.succeeded('sign_in', 'ada', true)
  expect(await left()).toEqual([3])
})

test('attempts: a success is stored before it is reported', async () => {
  await attempts.begin('sign_in', 'ada')
  const left = await withSlow(people, 'failed attempts', async () => {
    await attempts.succeeded('sign_in', 'ada', true)
    return people.run(sql`select from auth.failed_attempts`)
  })
  expect(left).toHaveLength(0)
})

test('attempts: a first attempt waits a second if simultaneous attempts use up the limit', async () => {
  const waits = await people.owner.use(async connection => {
    await connection.run(sql`begin`)
    const inside = openFailedAttempts(poolOf(connection), hmac)
    for (let at = 0; at < 6; at++) await inside.begin('sign_in', 'at once')
    const beside = attempts.begin('sign_in', 'at once')
    await until(async () => (await people.countWaiting()) === 1, 4)
    await connection.run(sql`commit`)
    return beside
  })
  expect(waits).toBe(1)
})

/** A pool that uses only this connection. */
const poolOf = (connection: Connection) =>
  ({ use: work => work(connection) }) as Pick<ConnectionPool, 'use'> as ConnectionPool

test('windows: enough failures fill a window until it ends', async () => {
  for (const [kind, max, seconds] of [
    ['device_code', 5, 600],
    ['device_code_person', 30, 3600],
    ['sign_in_network', 30, 3600],
    ['sign_in_account', 30, 86_400],
    ['email_network', 20, 3600],
  ] as const) {
    for (let at = 1; at < max; at++) await attempts.count(kind, 'one')
    expect([kind, await attempts.fullSeconds(kind, 'one')]).toEqual([kind, 0])
    expect(await attempts.count(kind, 'one')).toBe(max)
    const left = await attempts.fullSeconds(kind, 'one')
    expect(left).toBeGreaterThan(seconds - 10)
    expect(left).toBeLessThanOrEqual(seconds)
    expect([kind, await attempts.fullSeconds(kind, 'another')]).toEqual([kind, 0])
    await past(seconds - 10)
    expect(await attempts.fullSeconds(kind, 'one')).toBeGreaterThan(0)
    await past(11)
    expect([kind, await attempts.fullSeconds(kind, 'one')]).toEqual([kind, 0])
    expect(await attempts.count(kind, 'one')).toBe(1)
  }
})
