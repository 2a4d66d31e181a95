import { expect, test } from 'bun:test'
import { countInProcess, type Counter, type OpenCounter } from '#http/counter.ts'
import { createRateLimits } from './rate-limits.ts'

/** Shares its counts, like two gateways with one Redis. */
function sharedCounter(): OpenCounter {
  const counters = new Map<string, Counter>()
  return (name, points, seconds) => {
    const counter = counters.get(name) ?? countInProcess(name, points, seconds)
    counters.set(name, counter)
    return counter
  }
}

test('rate limits: calls of an integration and failures of an address are shared by gateways', async () => {
  const counter = sharedCounter()
  const [first, second] = [createRateLimits(2, counter), createRateLimits(2, counter)]
  expect((await first.take('int_1', 'test')).left).toBe(1)
  expect((await second.take('int_1', 'test')).left).toBe(0)
  await expect(first.take('int_1', 'test')).rejects.toMatchObject({ code: 'rate_limited' })
  for (let time = 0; time < 60; time++) await first.recordAuthFailure('192.0.2.9')
  await expect(second.admit('192.0.2.9')).rejects.toMatchObject({ code: 'rate_limited' })
  await second.admit('192.0.2.10')
})

test('rate limits: failures of one IPv6 network count together, whichever address they came from', async () => {
  const limits = createRateLimits(2)
  for (let time = 0; time < 60; time++) await limits.recordAuthFailure(`2001:db8:1:2::${time}`)
  await expect(limits.admit('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ code: 'rate_limited' })
  await limits.admit('2001:db8:1:3::1')
})
