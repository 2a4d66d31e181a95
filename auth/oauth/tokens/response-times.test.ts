// Tests how a process remembers requests that consumed a token.

import { expect, spyOn, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { createResponseTimes } from './response-times.ts'

/** Waits two milliseconds of real time, even if a test froze `performance.now`, so the cache's
 *  timer runs. */
async function nextMoment(): Promise<void> {
  const began = Bun.nanoseconds()
  await until(() => Bun.nanoseconds() - began > 2_000_000, 1)
}

test('a request before the response was simultaneous, and a later one was not', async () => {
  const responseTimes = createResponseTimes()
  expect(responseTimes.cameBefore('token', performance.now())).toBeUndefined()
  const before = performance.now()
  await nextMoment()
  expect(await responseTimes.consuming('token', async () => true)).toBe(true)
  await nextMoment()
  expect(responseTimes.cameBefore('token', before)).toBe(true)
  expect(responseTimes.cameBefore('token', performance.now())).toBe(false)
})

test('a request counts as simultaneous while the second request finishes before the first', async () => {
  const responseTimes = createResponseTimes()
  const before = performance.now()
  const committed = Promise.withResolvers<boolean>()
  const first = responseTimes.consuming('token', () => committed.promise)
  expect(responseTimes.cameBefore('token', performance.now())).toBe(true)
  await nextMoment()
  expect(await responseTimes.consuming('token', async () => false)).toBe(false)
  expect(responseTimes.cameBefore('token', before)).toBe(true)
  committed.resolve(true)
  expect(await first).toBe(true)
  expect(responseTimes.cameBefore('token', before)).toBe(true)
})

test('if the connection is lost before the order is known, the database decides', async () => {
  const responseTimes = createResponseTimes()
  const lost = responseTimes.consuming('token', () => Promise.reject(new Error('lost')))
  await expect(lost).rejects.toThrow('lost')
  expect(responseTimes.cameBefore('token', performance.now())).toBeUndefined()
})

test('a request after the response stays late, even after another request came second', async () => {
  const responseTimes = createResponseTimes()
  expect(await responseTimes.consuming('token', async () => true)).toBe(true)
  await nextMoment()
  const between = performance.now()
  await nextMoment()
  expect(await responseTimes.consuming('token', async () => false)).toBe(false)
  expect(responseTimes.cameBefore('token', between)).toBe(false)
})

test('once the second request has lost the race, any later one counts as after the first', async () => {
  const responseTimes = createResponseTimes()
  const committed = Promise.withResolvers<boolean>()
  const first = responseTimes.consuming('token', () => committed.promise)
  await responseTimes.consuming('token', async () => false)
  await nextMoment()
  expect(responseTimes.cameBefore('token', performance.now())).toBe(false)
  committed.resolve(true)
  await first
})

test('responses are remembered for ten seconds, for the latest ten thousand tokens', async () => {
  const began = performance.now()
  const clock = spyOn(performance, 'now').mockReturnValue(began)
  try {
    const responseTimes = createResponseTimes()
    const consume = (name: string) => responseTimes.consuming(name, async () => true)
    await consume('token')
    expect(responseTimes.cameBefore('token', began)).toBe(false)
    expect(responseTimes.cameBefore('token', began - 1)).toBe(true)
    for (const [milliseconds, isKnown] of [
      [9_990, true],
      [10_010, false],
    ] as const) {
      clock.mockReturnValue(began + milliseconds)
      await nextMoment()
      const known = responseTimes.cameBefore('token', began) !== undefined
      expect([milliseconds, known]).toEqual([milliseconds, isKnown])
    }
    for (let at = 0; at < 10_001; at++) await consume(`token ${at}`)
    const known = ['token 0', 'token 1', 'token 10000'].map(
      name => responseTimes.cameBefore(name, began) !== undefined,
    )
    expect(known).toEqual([false, true, true])
  } finally {
    clock.mockRestore()
  }
})
