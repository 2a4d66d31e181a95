// 429 responses over real HTTP. Each test opens its own gateway, because limits have state.
import { expect, test } from 'bun:test'
import { mintKey } from '#auth/tokens.ts'
import { rivera } from '#clinical/testing/call.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'

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
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(refused.headers.get('ratelimit-limit')).toBe('3')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe(String(seconds))
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 })
    // The quota is checked before the scope, the body and the Idempotency-Key.
    const write = await gateway.call('/v1/patients', { method: 'POST', body: '{' })
    expect(write.status).toBe(429)
    expect((await gateway.call('/v1/organization', { as: gateway.fixtures.ben.test })).status).toBe(
      200,
    )
  } finally {
    await gateway.close()
  }
})

test('v1: after 60 failed authentications bad credentials get 429, valid ones are accepted', async () => {
  const here = await openTestGateway()
  const { fixtures } = here
  const there = await openTestGateway({ beside: fixtures })
  const read = async (gateway: typeof here, as: string) =>
    (await gateway.call('/v1/organization', { as })).status
  const write = async (gateway: typeof here, as: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const body = JSON.stringify(rivera)
    return (await gateway.call('/v1/patients', { method: 'POST', as, headers, body })).status
  }
  const inventedKey = () => mintKey('test', crypto.getRandomValues(new Uint8Array(32)))
  try {
    expect(await read(here, fixtures.ada.test)).toBe(200)
    for (let count = 0; count < 60; count++) {
      expect(await read(here, count % 20 === 0 ? inventedKey() : 'guess')).toBe(401)
    }
    here.breaks(new Error('a query'))
    const refused = await here.call('/v1/organization', { as: 'guess' })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth";q=60;w=60')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    here.breaks(undefined)
    expect([await read(here, inventedKey()), await write(there, inventedKey())]).toEqual([429, 429])
    for (const gateway of [here, there]) {
      // Ada's key is cached at the first gateway; Ben's was never used.
      for (const as of [fixtures.ada.test, fixtures.ben.test, fixtures.ben.live]) {
        expect([await read(gateway, as), await write(gateway, as)]).toEqual([200, 201])
      }
    }
    expect(await read(here, 'guess')).toBe(429)
    // The server responds without waiting for the body.
    const head = `POST /v1/patients HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n`
    const early = await exchange(here.port, `${head}Authorization: Bearer ${inventedKey()}\r\n\r\n`)
    expect(early).toStartWith('HTTP/1.1 429')
    const elsewhere = await here.call('/v1/organization', {
      as: 'guess',
      headers: { 'x-forwarded-for': '203.0.113.50' },
    })
    expect(elsewhere.status).toBe(401)
  } finally {
    await there.close()
    await here.close()
  }
})
