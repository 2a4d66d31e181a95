// Simultaneous requests whose shared token has expired.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { until } from '#http/testing/until.ts'
import { openApi } from './client.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => void (gateway = await openTestGateway()))
afterAll(() => gateway.close())

test('uses the server’s time, even if this machine’s clock is wrong', async () => {
  const ahead = 90_000
  const server = Bun.serve({
    port: 0,
    fetch: () =>
      Response.json({}, { headers: { date: new Date(Date.now() - ahead).toUTCString() } }),
  })
  const baseUrl = `http://localhost:${server.port}`
  const secret = () => Promise.resolve(`svc_sk_test_${'a'.repeat(40)}`)
  const api = openApi({ baseUrl, version: '0', timeoutMs: 10_000, secret })
  const behind = Date.now() - (await api.now())
  await server.stop(true)
  expect(Math.abs(behind - ahead)).toBeLessThan(3000)
})

test('only an invalid request is wrong usage, and nothing is sent', async () => {
  const login = new TypeError('fetch failed')
  const api = openApi({
    baseUrl: 'http://localhost:1',
    version: '0',
    timeoutMs: 10_000,
    secret: () => Promise.reject(login),
  })
  const call = (path: string, idempotencyKey = 'key') =>
    api.call({ method: 'POST', path, idempotencyKey }).catch((error: unknown) => error)
  expect(await call('/v1/cases')).toBe(login)
  expect(await call('/v1/../cases')).toMatchObject({ exit: 'usage' })
  expect(await call('/v1/cases', 'a key')).toMatchObject({ exit: 'usage' })
})

test('every refused request is retried with the token that one of them renewed', async () => {
  const ended = `svc_sk_test_${'a'.repeat(40)}`
  const renewal = Promise.withResolvers<string>()
  const statuses: number[] = []
  let current = ended
  const api = openApi({
    baseUrl: `http://localhost:${gateway.port}`,
    version: '0',
    timeoutMs: 10_000,
    secret: async refused => (refused === ended ? (current = await renewal.promise) : current),
    onExchange: ({ status }) => void statuses.push(status),
  })
  const call = () => api.call({ method: 'GET', path: '/v1/organization' })
  const calls = Promise.all([call(), call()])
  await until(() => statuses.length >= 2)
  renewal.resolve(gateway.fixtures.ada.test)
  await calls
  await call()
  expect(statuses).toEqual([401, 401, 200, 200, 200])
})
