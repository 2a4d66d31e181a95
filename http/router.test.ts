// Which paths reach an endpoint, and which reach the site.
import { beforeEach, expect, test } from 'bun:test'
import { addressReader } from './client-address.ts'
import type { AnsweredRequest } from './log.ts'
import { createRouter, type RouterOptions } from './router.ts'

const lines: AnsweredRequest[] = []
const failures: unknown[] = []
beforeEach(() => {
  lines.length = 0
  failures.length = 0
})

const options: Omit<RouterOptions, 'plain'> = {
  groups: [],
  fallback({ path }) {
    if (path === '/broken') throw new TypeError('a secret of ours')
    return new Response(`the site at ${path}`)
  },
  isAllowedHost: host => host === 'localhost',
  addressOf: addressReader([]),
  newRequestId: () => 'req_1',
  base: 'https://api.example.com',
  log: { request: line => void lines.push(line) },
  onError: failure => void failures.push(failure),
}
const plain: RouterOptions['plain'] = [
  { path: '/docs/mcp', answer: () => new Response('the tools') },
  { path: '/status', methods: ['GET'], answer: () => new Response('the status') },
  {
    path: '/documents/:token/pages/:page',
    answer: ({ params }) => new Response(`page ${params['page']} of ${params['token']}`),
  },
]
const router = createRouter({ ...options, plain })

const ask = (path: string, init?: RequestInit) =>
  router(new Request(`http://localhost${path}`, { headers: { host: 'localhost' }, ...init }), {
    requestIP: () => ({ address: '192.0.2.1' }),
  })
const textAt = async (path: string, init?: RequestInit) => (await ask(path, init)).text()

test('router: an endpoint serves its own path, with or without a query', async () => {
  expect(await textAt('/docs/mcp')).toBe('the tools')
  expect(await textAt('/docs/mcp?a=b')).toBe('the tools')
  expect(await textAt('/status?a=b/c')).toBe('the status')
  expect(await textAt('/documents/a/pages/2')).toBe('page 2 of a')
  const { status, headers } = await ask('/status/')
  expect([status, headers.get('location')]).toEqual([308, '/status'])
})

test('router: an ID may be percent-encoded, but only with characters that occur in IDs', async () => {
  const seen: string[] = []
  const grouped = createRouter({
    ...options,
    groups: [],
    plain: [
      {
        path: '/uploads/:token',
        answer: ({ path, params }) => {
          seen.push(path)
          return new Response(params['token'])
        },
      },
    ],
  })
  const at = (path: string) =>
    grouped(new Request(`http://localhost${path}`, { headers: { host: 'localhost' } }), {
      requestIP: () => null,
    })
  expect(await (await at('/uploads/a%5Fb%2dc%7E%41')).text()).toBe('a_b-c~A')
  expect(seen).toEqual(['/uploads/a_b-c~A'])
  for (const kept of ['/uploads/a%2Fb', '/uploads/a%2e', '/uploads/a%255Fb']) {
    await at(kept)
    expect(seen.pop()).toBe(kept)
  }
})

test('router: a TLS listener finds the same paths, and refuses the other scheme', async () => {
  const secure = createRouter({ ...options, plain, isTls: true })
  const at = (url: string) =>
    secure(new Request(url, { headers: { host: 'localhost' } }), { requestIP: () => null })
  const texts = ['/docs/mcp?a=b', '/documents/a/pages/2', '/docs'].map(async path =>
    (await at(`https://localhost${path}`)).text(),
  )
  expect(await Promise.all(texts)).toEqual(['the tools', 'page 2 of a', 'the site at /docs'])
  expect((await at('http://localhost/docs/mcp')).status).toBe(421)
  const plainAnswer = await router(
    new Request('https://localhost/docs/mcp', { headers: { host: 'localhost' } }),
    { requestIP: () => null },
  )
  expect(plainAnswer.status).toBe(421)
})

test('router: the site serves every other path, including ones that look similar', async () => {
  const paths = [
    '/',
    '/docs',
    '/docs/',
    '/docs/mcp-servers',
    '/docs/mcp/more',
    '/STATUS',
    '/%73tatus',
    '/status/more',
    '//status',
    '/documents',
    '/documents/a/pages',
    '/documents/a/pages/2/more',
  ]
  for (const path of paths) expect(await textAt(path)).toBe(`the site at ${path}`)
  expect(lines.map(({ route }) => route)).toEqual(paths.map(() => '*'))
  const post = { method: 'POST', headers: { host: 'localhost' } }
  expect(await textAt('/status', post)).toBe('the site at /status')
})

test('router: a path may begin with a name, as in the portal', async () => {
  const named = createRouter({
    ...options,
    plain: [{ path: '/:one/keys', answer: ({ params }) => new Response(params['one']) }],
  })
  const asked = (path: string) =>
    named(new Request(`http://localhost${path}`, { headers: { host: 'localhost' } }), {
      requestIP: () => ({ address: '192.0.2.1' }),
    })
  expect(await (await asked('/int_1/keys')).text()).toBe('int_1')
  expect(await (await asked('/int_1')).text()).toBe('the site at /int_1')
})

test('router: the host is checked and the request is logged for every path', async () => {
  for (const path of ['/docs/mcp', '/a-page']) {
    expect((await ask(path, { headers: { host: 'evil.example.com' } })).status).toBe(421)
    expect((await ask(path)).status).toBe(200)
  }
  expect(lines.map(({ status, requestId, route }) => [status, requestId, route])).toEqual([
    [421, 'req_1', '*'],
    [200, 'req_1', '/docs/mcp'],
    [421, 'req_1', '*'],
    [200, 'req_1', '*'],
  ])
})

test('router: a failure in the site is a problem without its message', async () => {
  const answer = await ask('/broken')
  expect(answer.status).toBe(500)
  expect(answer.headers.get('request-id')).toBe('req_1')
  expect(await answer.text()).not.toContain('secret')
  expect(failures).toEqual([new TypeError('a secret of ours')])
  expect(lines.map(({ status }) => status)).toEqual([500])
})
