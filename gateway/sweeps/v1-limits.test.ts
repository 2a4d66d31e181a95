// 429 over real HTTP. Each test opens its own gateway, because limits are stateful.
import { expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { openTestGateway } from '../testing/gateway.ts'

test('v1: 429 with Retry-After and five headers, for the integration that exceeded its quota', async () => {
  const gateway = await openTestGateway({ rateLimit: 3 })
  try {
    for (const left of ['2', '1', '0']) {
      const answer = await gateway.call('/v1/organization')
      expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, left])
    }
    const refused = await gateway.call('/v1/organization')
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(limits.rateWindowSeconds)
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(refused.headers.get('ratelimit-limit')).toBe('3')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe(String(seconds))
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 })
    // The quota is checked before scope, body and key.
    const write = await gateway.call('/v1/patients', { method: 'POST', body: '{' })
    expect(write.status).toBe(429)
    expect((await gateway.call('/v1/organization', { as: gateway.fixtures.ben.test })).status).toBe(
      200,
    )
  } finally {
    await gateway.close()
  }
})

test('v1: after 60 refused credentials an address gets 429 without a query', async () => {
  const gateway = await openTestGateway()
  try {
    for (let count = 0; count < limits.authFailuresPerWindow; count++) {
      expect((await gateway.call('/v1/organization', { as: 'guess' })).status).toBe(401)
    }
    const roundTrips = gateway.fixtures.context.pools.test.roundTrips()
    const refused = await gateway.call('/v1/organization')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=60;w=60')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(gateway.fixtures.context.pools.test.roundTrips()).toBe(roundTrips)
    // Other addresses are not affected.
    expect((await gateway.call('/v1/nope')).status).toBe(404)
  } finally {
    await gateway.close()
  }
})
