// Refused realtime connections, and how non-browser clients send their token.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createRateLimits } from '#clinical/pipeline/rate-limits.ts'
import { invoke } from '#clinical/testing/call.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { countWaiting } from '#clinical/testing/races.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { subscribersMax } from '#clinical/realtime/open-files.ts'
import {
  type Gateway,
  openGateway,
  quotaOf,
  subscribe,
  tokenFor,
} from '#gateway/testing/subscribers.ts'

let fixtures: Fixtures
let here: Gateway
beforeAll(async () => {
  fixtures = await openFixtures()
  here = await openGateway(fixtures)
})
afterAll(async () => {
  await here.close()
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

test('realtime: a connection counts against the quota while its gateway renews it', async () => {
  const { socket, closed } = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
  const held = async () => (await quotaOf(fixtures, fixtures.ada.integration)).length
  const end = () =>
    fixtures.owner.use(connection =>
      connection.run(
        sql`update public.realtime_connections set expires_at = now() - interval '1 ms'`,
      ),
    )
  expect(await held()).toBe(1)
  await end()
  await here.pass(11)
  expect(await held()).toBe(1)
  // Closed connections are not renewed.
  socket.close()
  await closed
  await until(async () => (await held()) === 0)
  await here.pass(11)
  expect(await held()).toBe(0)
})

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describe('realtime: refused connections', () => {
  const ask = (headers: Record<string, string>) => fetch(here.http, { headers })
  test('401: no token, an API key, and tokens with another signature, algorithm or key', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    const [head = '', body = '', signature = ''] = token.split('.')
    const widened = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace(':test', ''),
    ).toString('base64url')
    const none = Buffer.from('{"alg":"none","kid":"test"}').toString('base64url')
    const live = Buffer.from('{"alg":"HS256","typ":"JWT","kid":"live"}').toString('base64url')
    for (const bearer of [
      '',
      fixtures.ada.test,
      [head, widened, signature].join('.'),
      [none, body, ''].join('.'),
      [live, body, signature].join('.'),
    ]) {
      const answer = await ask({ ...upgrade, authorization: `Bearer ${bearer}` })
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ code: 'unauthorized' })
    }
  })
  test('421 for another host name; the app handles a request without an upgrade', async () => {
    expect(await (await ask({})).text()).toBe('the app')
    expect((await ask({ ...upgrade, host: 'elsewhere.example' })).status).toBe(421)
    const app = await fetch(`http://127.0.0.1:${here.port}/v1/realtime/tokens`)
    expect(await app.text()).toBe('the app')
  })
  test('accepts the token in a header or in the URL, which the log redacts', async () => {
    const token = await tokenFor(fixtures, fixtures.ada.test)
    for (const [url, headers] of [
      [here.url, { authorization: `Bearer ${token}` }],
      [`${here.url}?token=${token}`, {}],
    ] as const) {
      const socket = withHeaders(url, headers)
      const { data } = await new Promise<MessageEvent>(resolve =>
        socket.addEventListener('message', resolve),
      )
      expect(JSON.parse(String(data)).name).toBe('hello')
      socket.close()
    }
    expect(here.lines.at(-1)).toMatchObject({ method: 'GET', status: 101 })
  })
})

test('realtime: after 60 bad tokens an address gets 429 for bad ones, accepts valid ones, and its API calls are not limited', async () => {
  const limiter = createRateLimits(100)
  const limited: Fixtures = { ...fixtures, context: { ...fixtures.context, limiter } }
  const gateway = await openGateway(limited)
  const ask = () => fetch(gateway.http, { headers: { ...upgrade, authorization: 'Bearer x' } })
  for (let count = 0; count < 60; count++) {
    expect((await ask()).status).toBe(401)
  }
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
  const { hello, socket } = await subscribe(gateway, await tokenFor(limited, fixtures.ada.test))
  expect(hello).not.toBeNull()
  socket.close()
  const bad = await invoke(limited, 'getOrganization', { as: 'x', address: '203.0.113.9' })
  expect(bad.code).toBe('unauthorized')
  await gateway.close()
})

test('realtime: a full gateway responds with 503, and accepts the next connection once one closes', async () => {
  const gateway = await openGateway(fixtures, 1)
  const token = await tokenFor(fixtures, fixtures.ada.test)
  const first = await subscribe(gateway, token)
  expect(first.hello).not.toBeNull()
  const headers = { ...upgrade, authorization: `Bearer ${token}` }
  const refused = await fetch(gateway.http, { headers })
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ code: 'service_unavailable' })
  expect(gateway.broker.subscribers()).toBe(1)
  first.socket.close()
  await first.closed
  await until(() => gateway.broker.subscribers() === 0)
  expect((await subscribe(gateway, token)).hello).not.toBeNull()
  await gateway.close()
})

test('realtime: a gateway accepts half as many connections as it may open files', () => {
  const limits =
    'Max processes  94  94  processes\nMax open files            65536                70000'
  expect(subscribersMax(limits)).toBe(32_768)
  expect(subscribersMax('')).toBe(Number.POSITIVE_INFINITY)
})

test('realtime: the connections of several integrations are renewed together', async () => {
  const both = [fixtures.ada, fixtures.ben]
  const open = await Promise.all(
    both.map(async one => subscribe(here, await tokenFor(fixtures, one.test))),
  )
  const held = async () =>
    (await Promise.all(both.map(one => quotaOf(fixtures, one.integration)))).map(
      rows => rows.length,
    )
  await fixtures.owner.use(connection =>
    connection.run(
      sql`update public.realtime_connections set expires_at = now() - interval '1 ms'`,
    ),
  )
  expect(await held()).toEqual([0, 0])
  await here.pass(11)
  expect(await held()).toEqual([1, 1])
  for (const { socket } of open) socket.close()
})

test('realtime: a check during a renewal ends when the renewal does', async () => {
  const { socket } = await subscribe(here, await tokenFor(fixtures, fixtures.ada.test))
  const held = async () => (await quotaOf(fixtures, fixtures.ada.integration)).length
  let isOver = false
  const check = await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(
      sql`update public.realtime_connections set expires_at = now() - interval '1 ms'`,
    )
    const renewal = here.pass(11)
    await until(async () => (await countWaiting(fixtures)) >= 1)
    const during = here.pass(0).finally(() => (isOver = true))
    // More queries than the check makes before it renews.
    for (let at = 0; at < 20; at++) await countWaiting(fixtures)
    expect(isOver).toBe(false)
    await connection.run(sql`commit`)
    return Promise.all([renewal, during])
  })
  expect(check).toHaveLength(2)
  expect(await held()).toBe(1)
  socket.close()
})

/** Unlike in a browser, a WebSocket in Bun accepts headers. */
const withHeaders = (url: string, headers: Record<string, string>): WebSocket =>
  new WebSocket(url, { headers } as unknown as string[])
