import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addressReader } from '#http/client-address.ts'
import { createHostCheck } from '#http/host-check.ts'
import { createRouter } from '#http/router.ts'
import { listen } from '../origins/listen.ts'
import { readConfig } from '../settings/config.ts'
import { sandboxEndpoints } from './sandbox-key.ts'

const key = 'svc_sk_test_of_this_machine'
const ownPage = { 'sec-fetch-site': 'same-origin' }

const server = listen('127.0.0.1', 0)
const base = `http://localhost:${server.port}`
beforeAll(() => {
  server.serve(
    createRouter({
      groups: [],
      plain: sandboxEndpoints(readConfig({}), { key }),
      fallback: () => new Response('the site', { status: 405 }),
      isAllowedHost: createHostCheck(base, ['tunnel.example']),
      addressOf: addressReader([]),
      newRequestId: () => 'req_1',
      base,
      log: { request() {} },
      onError: failure => {
        throw failure
      },
    }),
  )
})
afterAll(() => server.stop(true))

const ask = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${base}/dev/sandbox`, { method, headers })

test('sandbox key: pages from this server on this machine get the key', async () => {
  for (const headers of [ownPage, { ...ownPage, origin: base }]) {
    const answer = await ask(headers)
    expect(await answer.json()).toEqual({ key })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test.each<[string, Record<string, string>]>([
  ['a request that no page sent', {}],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page at another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { ...ownPage, origin: 'http://evil.example' }],
  ['a tunnel', { ...ownPage, 'x-forwarded-for': '203.0.113.7' }],
  ['a proxy', { ...ownPage, via: '1.1 proxy' }],
  ['a proxy that follows RFC 7239', { ...ownPage, forwarded: 'for=203.0.113.7' }],
  ['a public name of this server', { ...ownPage, host: 'tunnel.example' }],
])('sandbox key: refused to %s', async (_, headers) => {
  const answer = await ask(headers)
  const text = await answer.text()
  expect([answer.status, text.includes(key)]).toEqual([404, false])
  expect(JSON.parse(text)).toMatchObject({ code: 'not_found', hint: expect.any(String) })
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

test('sandbox key: only GET works', async () => {
  expect((await ask(ownPage, 'POST')).status).toBe(405)
})

test.each([{ HOST: '0.0.0.0' }, { HOST: '::' }, { BASE_URL: 'https://api.example.com' }])(
  'sandbox key: not served with %j',
  environment => {
    expect(sandboxEndpoints(readConfig(environment), { key })).toEqual([])
  },
)

test('sandbox key: not served by a gateway without a sandbox', () => {
  expect(sandboxEndpoints(readConfig({}), undefined)).toEqual([])
})
