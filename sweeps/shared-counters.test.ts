// Counters in a real Redis: shared by gateways, with a fallback while Redis is unavailable.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRateLimiter } from '#http/limits/rate-limiter.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import { type Counters, openCounters } from '#http/limits/shared-counters.ts'
import { until } from '#http/testing/until.ts'

const program = Bun.which('redis-server')
const mustHaveRedis = Bun.env['CI'] === 'true'
const folder = mkdtempSync(path.join(tmpdir(), 'redis-'))
let port = 0
let redis: Bun.Subprocess | undefined
const opened: Counters[] = []

const limiterOf = (quota: number, open: OpenCounter) =>
  createRateLimiter('site', { policy: 'default', quota, window: 60 }, open)

function startRedis(): void {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  redis = Bun.spawn([program ?? 'redis-server', ...settings], { stdout: 'ignore' })
}

/** The default timeout is longer than a gateway's, because the tests are about counts, not
 *  speed. Adds the names of what it logs to `events`. */
async function openNode(timeout = 5000, events: string[] = [], at = port): Promise<Counters> {
  const log = { event: (name: string) => void events.push(name) }
  const counters = await openCounters(`redis://127.0.0.1:${at}`, log, timeout)
  opened.push(counters)
  return counters
}

beforeAll(async () => {
  port = await freePort()
})
afterAll(async () => {
  for (const counters of opened) counters.close()
  redis?.kill('SIGKILL')
  await redis?.exited
  rmSync(folder, { recursive: true })
})

test('shared counters: Redis is installed in CI', () => {
  if (mustHaveRedis) expect(program).not.toBeNull()
})

test('shared counters: without a URL each process counts alone', async () => {
  const alone = await openCounters(undefined, { event() {} })
  expect(alone.isShared()).toBeNull()
  const quota = limiterOf(1, alone.open)
  expect((await quota.take('192.0.2.1')).left).toBe(0)
  expect((await quota.take('192.0.2.1')).left).toBe(-1)
})

describe.skipIf(program === null && !mustHaveRedis)('shared counters: with Redis', () => {
  const openLimiter = (counters: Counters, requests = 5) => limiterOf(requests, counters.open)

  test('two gateways share counts', async () => {
    startRedis()
    const [one, other] = [await openNode(), await openNode()]
    await until(() => one.isShared() === true && other.isShared() === true)
    const [first, second] = [openLimiter(one), openLimiter(other)]
    const left = [
      await first.take('192.0.2.1'),
      await second.take('192.0.2.1'),
      await first.take('192.0.2.1'),
      await second.peek('192.0.2.1'),
    ]
    expect(left.map(state => state.left)).toEqual([4, 3, 2, 2])
    expect(left.every(({ reset }) => reset > 0 && reset <= 60)).toBe(true)
    expect((await first.take('192.0.2.2')).left).toBe(4)
    const rest = await Promise.all(
      [1, 2, 3, 4].map(n => (n % 2 ? first : second).take('192.0.2.1')),
    )
    expect(rest.map(state => state.left).toSorted((a, b) => a - b)).toEqual([-1, -1, 0, 1])
  })

  test('a Redis that hangs, dies and restarts causes no error and is used again', async () => {
    const events: string[] = []
    const counters = await openNode(500, events)
    await until(() => counters.isShared() === true)
    const quota = openLimiter(counters, 1000)
    const shared = await quota.take('192.0.2.3')
    expect(shared.left).toBe(999)
    redis?.kill('SIGSTOP')
    const hung = await Promise.all(Array.from({ length: 50 }, () => quota.take('192.0.2.3')))
    expect(hung).toHaveLength(50)
    expect(counters.isShared()).toBe(false)
    expect((await quota.take('192.0.2.4')).left).toBe(999)
    redis?.kill('SIGKILL')
    await redis?.exited
    expect((await quota.take('192.0.2.4')).left).toBe(998)
    expect(events).toContain('redis.unavailable')
    startRedis()
    await until(() => counters.isShared() === true)
    // The restarted Redis has no counts, so a full quota shows that Redis is in use.
    expect((await quota.take('192.0.2.4')).left).toBe(999)
    expect(events.at(-1)).toBe('redis.connected')
  })

  test('an unreachable Redis is logged once, and each gateway counts alone', async () => {
    const events: string[] = []
    const unreachable = await openNode(5000, events, 1)
    const quota = openLimiter(unreachable, 2)
    const left = [await quota.take('192.0.2.5'), await quota.take('192.0.2.5')]
    expect(left.map(state => state.left)).toEqual([1, 0])
    await until(() => events.length > 0)
    expect(unreachable.isShared()).toBe(false)
    expect((await quota.take('192.0.2.5')).left).toBe(-1)
    expect(events).toEqual(['redis.unavailable'])
  })

  test('a used-up quota does not trigger the fallback', async () => {
    const counters = await openNode()
    await until(() => counters.isShared() === true)
    const counter = counters.open('test', 1, 60)
    await counter.take('a')
    expect((await counter.take('a')).left).toBe(-1)
    expect(counters.isShared()).toBe(true)
  })
})
