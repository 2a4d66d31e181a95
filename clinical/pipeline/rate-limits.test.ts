import { expect, test } from 'bun:test'
import { invoke, rivera } from '../testing/call.ts'
import { openFixtures } from '../testing/fixtures.ts'
import { countInProcess, type Counter, type OpenCounter } from '#http/limits/counter.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'

/** Shares counts, like two gateways with one Redis. */
function sharedCounter(): OpenCounter {
  const counters = new Map<string, Counter>()
  return (name, points, seconds) => {
    const counter = counters.get(name) ?? countInProcess(name, points, seconds)
    counters.set(name, counter)
    return counter
  }
}

/** Fails as often as one address may. */
async function failOften(limits: RateLimits, address: string, kind?: 'realtimeToken' | 'none') {
  for (let time = 0; time < 60; time++) {
    expect(await limits.recordAuthFailure(address, kind)).toBeNull()
  }
}

test('rate limits: gateways share an integration’s calls and an address’s failures', async () => {
  const counter = sharedCounter()
  const [first, second] = [createRateLimits(2, counter), createRateLimits(2, counter)]
  expect((await first.take('int_1', 'test')).left).toBe(1)
  expect((await second.take('int_1', 'test')).left).toBe(0)
  await expect(first.take('int_1', 'test')).rejects.toMatchObject({ code: 'rate_limited' })
  await failOften(first, '192.0.2.9')
  expect(await second.hasFailedTooOften('192.0.2.9')).toBe(true)
  expect(await second.recordAuthFailure('192.0.2.9')).toMatchObject({ code: 'rate_limited' })
  expect(await second.hasFailedTooOften('192.0.2.10')).toBe(false)
})

test('rate limits: failures from one IPv6 network count together, whatever their addresses', async () => {
  const rateLimits = createRateLimits(2)
  for (let time = 0; time < 60; time++) {
    expect(await rateLimits.recordAuthFailure(`2001:db8:1:2::${time}`)).toBeNull()
  }
  expect(await rateLimits.hasFailedTooOften('2001:db8:1:2:ffff::1')).toBe(true)
  expect(await rateLimits.hasFailedTooOften('2001:db8:1:3::1')).toBe(false)
})

test.each([
  ['realtimeToken', 'realtime token'],
  ['none', 'API key'],
] as const)(
  'rate limits: failures with %s don’t count as failures with keys',
  async (kind, name) => {
    const rateLimits = createRateLimits(2)
    await failOften(rateLimits, '192.0.2.9', kind)
    const exceeded = await rateLimits.recordAuthFailure('192.0.2.9', kind)
    expect(exceeded?.content.hint).toContain(`Send a valid ${name}`)
    expect(await rateLimits.hasFailedTooOften('192.0.2.9')).toBe(false)
    expect(await rateLimits.recordAuthFailure('192.0.2.9')).toBeNull()
  },
)

test('rate limits: the refusal says how many seconds to wait, at least one', async () => {
  for (const [window, wait] of [
    [1, 'Try again in 1 second.'],
    [60, 'Try again in 60 seconds.'],
  ] as const) {
    const rateLimits = createRateLimits(1, (name, points) => countInProcess(name, points, window))
    await rateLimits.take('int_1', 'test')
    await expect(rateLimits.take('int_1', 'test')).rejects.toMatchObject({
      content: { detail: expect.stringContaining(wait) },
    })
  }
})

test('rate limits: an address is over the limit after its sixtieth failure, not before', async () => {
  const rateLimits = createRateLimits(2)
  const failed = async () => {
    await rateLimits.recordAuthFailure('192.0.2.9')
    return rateLimits.hasFailedTooOften('192.0.2.9')
  }
  const after = []
  for (let time = 0; time < 60; time++) after.push(await failed())
  expect(after.indexOf(true)).toBe(59)
})

test('rate limits: the response names the quota with the smaller share left', async () => {
  const policyOf = async (calls: number) =>
    (await createRateLimits(calls).take('int_1', 'test', 'exports')).policy
  // 59 of 60 exports are left.
  expect([await policyOf(61), await policyOf(60), await policyOf(59)]).toEqual([
    'exports',
    'default',
    'default',
  ])
})

test.each([
  [undefined, 1, 'The limit of 1 requests per 60 seconds was reached. Try again in 60 seconds.'],
  [
    'exports',
    60,
    'The limit of 60 exports per 3600 seconds was reached. Try again in 3600 seconds.',
  ],
  [
    'redeliveries',
    60,
    'The limit of 60 redeliveries per 60 seconds was reached. Try again in 60 seconds.',
  ],
  ['triggers', 60, 'The limit of 60 triggers per 60 seconds was reached. Try again in 60 seconds.'],
] as const)(
  'rate limits: the refusal says which limit is used up (%p)',
  async (quota, times, detail) => {
    const rateLimits = createRateLimits(quota === undefined ? 1 : 100)
    for (let time = 0; time < times; time++) await rateLimits.take('int_1', 'test', quota)
    const refused = rateLimits.take('int_1', 'test', quota)
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', content: { detail } })
  },
)

test('rate limits: an integration’s keys share its quota, and each mode has its own', async () => {
  const few = await openFixtures({ rateLimit: 2 })
  const { integration, test: first, live } = few.ada
  const second = await few.key({ integration, mode: 'test', name: 'second' })
  const list = async (as: string) => (await invoke(few, 'listPatients', { as })).code
  expect([await list(first), await list(second)]).toEqual([null, null])
  expect([await list(first), await list(second)]).toEqual(['rate_limited', 'rate_limited'])
  expect([await list(live), await list(few.ben.test)]).toEqual([null, null])
  await few.close()
})

test('rate limits: a refused request counts, and so does a replay', async () => {
  const few = await openFixtures({ rateLimit: 3 })
  const create = async (body: unknown) => {
    const { code, headers } = await invoke(few, 'createPatient', { key: 'once', body })
    return code ?? headers['idempotent-replayed'] ?? 'made'
  }
  expect([await create({}), await create(rivera), await create(rivera)]).toEqual([
    'invalid_request',
    'made',
    'true',
  ])
  expect(await create(rivera)).toBe('rate_limited')
  await few.close()
})
