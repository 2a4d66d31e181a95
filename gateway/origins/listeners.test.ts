// The listeners from a caller's point of view: one port for each module, with host, origin, client
// address and request ID determined before the module runs.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { exchange } from '../testing/gateway.ts'
import { openOrigins } from '../testing/origins.ts'
import type { RequestListener } from './node-listener.ts'

type Origins = Awaited<ReturnType<typeof openOrigins>>

/** Echoes its input, fails or waits, depending on the path. */
const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const application: RequestListener = async (request, response, call) => {
  const { url, headers } = request
  if (url === '/fails') throw new TypeError('broken on purpose')
  if (url === '/fails-late') {
    response.write('begun')
    throw new TypeError('broken on purpose')
  }
  if (url === '/reads') {
    for await (const _ of request);
    await new Promise<void>(go => void setImmediate(go))
  }
  if (url === '/waits') {
    reached.resolve()
    await held.promise
  }
  call.logFields['client'] = 'dcr_1'
  response.setHeader('content-type', 'application/json')
  // Removes headers, as Koa does before it responds to a failure.
  if (url === '/removes') for (const name of response.getHeaderNames()) response.removeHeader(name)
  response.end(JSON.stringify({ url, headers, address: call.address }))
}

let open: Origins
let proxied: Origins
beforeAll(async () => {
  const paths = ['/token']
  open = await openOrigins({ auth: application, paths })
  proxied = await openOrigins({
    auth: application,
    paths,
    environment: {
      BASE_URL: 'https://api.example.com',
      AUTH_URL: 'https://auth.example.com',
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
  })
})
afterAll(async () => {
  await Promise.all([open.close(), proxied.close()])
})
beforeEach(() => {
  for (const { lines, failures } of [open, proxied]) lines.length = failures.length = 0
})

const ask = (origins: Origins, path: string, host: string, more = '', method = 'GET') =>
  exchange(
    origins.listeners.auth.port,
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`,
  )
const statusOf = (text: string) => Number(text.split(' ')[1])
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4)
const said = (text: string) => JSON.parse(/\{.*\}/s.exec(bodyOf(text))?.[0] ?? 'null')

test('node listener: a complete request gets a response, whatever bytes follow on the connection', async () => {
  const post = (more: string, body: string, path = '/reads') =>
    `POST ${path} HTTP/1.1\r\nHost: localhost:${open.listeners.auth.port}\r\n${more}\r\n\r\n${body}`
  const chunked = post('Transfer-Encoding: chunked', '2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n')
  const [whole, last] = ['', 'Connection: close\r\n'].map(more =>
    post(`${more}Content-Length: 2`, 'ok'),
  ) as [string, string]
  const bad = post('Transfer-Encoding: chunked', '2\r\nok\r\nZZ')
  for (const [bytes, statuses] of [
    [chunked + last, [200, 200]],
    [whole + chunked + last, [200, 200, 200]],
    [`${whole}no request\r\n\r\n`, [200, 400]],
    [whole + bad, [200, 400]],
    ['no request\r\n\r\n', [400]],
  ] as const) {
    const text = await exchange(open.listeners.auth.port, bytes)
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(one => Number(one[1]))).toEqual([
      ...statuses,
    ])
  }
})

describe('origins: every module has its own port', () => {
  test('with a URL that any client on this machine can call', async () => {
    const { base, urls } = open.listeners
    const all = [base, ...Object.values(urls)].map(url => new URL(url))
    expect(new Set(all.map(({ port }) => port)).size).toBe(5)
    expect(all.map(({ hostname }) => hostname)).toEqual(Array(5).fill('localhost'))
    for (const { origin } of all) expect((await fetch(origin)).status).toBeLessThan(405)
  })
  test('the authorization server gets the issuer’s and its resources’ metadata paths', () => {
    expect(proxied.opened).toMatchObject([
      {
        issuer: 'https://auth.example.com',
        resources: {
          api: 'https://api.example.com',
          mcp: `http://localhost:${new URL(proxied.listeners.urls.mcp).port}/mcp`,
        },
        own: { origin: 'https://auth.example.com' },
      },
    ])
  })
})

describe('origins: nothing is served yet', () => {
  let empty: Origins
  beforeAll(async () => {
    const path = '/.well-known/known'
    empty = await openOrigins({
      mcp: [{ path, methods: ['GET'], answer: () => new Response('here') }],
    })
  })
  afterAll(() => empty.close())

  test.each(['auth', 'mcp', 'portal', 'console'] as const)('at %s', async name => {
    const { origin } = new URL(empty.listeners.urls[name])
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${origin}/any/path`, {
        method,
        ...(method === 'POST' && { body: 'x' }),
      })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('request-id')).toStartWith('req_')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        detail: 'Nothing is served at this path.',
        hint: `The site and the API are at ${empty.listeners.base}.`,
      })
    }
    await until(() => empty.lines.some(({ status }) => status === 404))
    expect(empty.lines.map(({ route }) => route)).not.toContain('/any/path')
  })
  test('a listener refuses every path except its module’s', async () => {
    const { origin } = new URL(empty.listeners.urls.mcp)
    expect(await (await fetch(`${origin}/.well-known/known`)).text()).toBe('here')
  })
})

describe('origins: each host is served by its own module', () => {
  test('a request for another host gets 421 with the origin that serves it', async () => {
    const { auth, site, urls } = proxied.listeners
    const text = await ask(proxied, '/token', 'api.example.com')
    expect(statusOf(text)).toBe(421)
    expect(said(text)).toMatchObject({
      code: 'misdirected_request',
      hint: expect.stringContaining('https://api.example.com'),
    })
    expect(statusOf(await ask(proxied, '/token', 'evil.example'))).toBe(421)
    for (const port of [new URL(urls.portal).port, site.port]) {
      expect(statusOf(await ask(proxied, '/token', `localhost:${port}`))).toBe(421)
    }
    expect(statusOf(await ask(proxied, '/token', `localhost:${auth.port}`))).toBe(200)
  })
})

describe('origins: an application behind node:http', () => {
  test('gets its public address and the client’s, regardless of the caller’s headers', async () => {
    const sent =
      'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: gopher\r\nForwarded: host=evil.example\r\n' +
      'X-Forwarded-Port: 1\r\n'
    const text = await ask(proxied, '/token?code=secret', 'auth.example.com', sent)
    const { headers, address } = said(text)
    expect(headers).toMatchObject({
      host: 'auth.example.com',
      'x-forwarded-host': 'auth.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    })
    expect(Object.keys(headers)).not.toContain('forwarded')
    expect(Object.keys(headers)).not.toContain('x-forwarded-port')
    expect(address).toBe('203.0.113.9')
    // If no proxy is trusted, the connection's address counts.
    const direct = await ask(open, '/token', `localhost:${open.listeners.auth.port}`, sent)
    expect(said(direct).address).toBe('127.0.0.1')
  })
  test('accepts one host, and no host in the request target', async () => {
    const { port } = open.listeners.auth
    const host = `localhost:${port}`
    const target = await ask(open, 'http://evil.example/token', host)
    expect(said(target)).toMatchObject({ code: 'misdirected_request', hint: `Use http://${host}.` })
    for (const more of ['evil.example', host]) {
      expect(statusOf(await ask(open, '/token', host, `Host: ${more}\r\n`))).toBe(421)
    }
    expect(statusOf(await ask(open, '/token', 'evil.example', `Host: ${host}\r\n`))).toBe(421)
  })
  test('its requests are logged with known paths only, plus its own fields', async () => {
    const host = `localhost:${open.listeners.auth.port}`
    const text = await ask(open, '/token?code=secret', host)
    await ask(open, '/Ada-Lovelace', host)
    await until(() => open.lines.length >= 2)
    expect(open.lines.map(({ route, status, fields }) => [route, status, fields])).toEqual([
      ['/token', 200, { client: 'dcr_1' }],
      ['*', 200, { client: 'dcr_1' }],
    ])
    expect(text).toContain(`request-id: ${open.lines[0]?.requestId}`)
  })
  test('responses have the headers for an origin with sessions, even if it removes them all', async () => {
    const host = `localhost:${open.listeners.auth.port}`
    for (const path of ['/token', '/removes']) {
      const text = (await ask(open, path, host)).toLowerCase()
      expect(text).toContain('cross-origin-resource-policy: same-origin')
      expect(text).toContain("frame-ancestors 'none'")
      expect(text).toContain('cache-control: no-store')
      expect(text).toContain('request-id: req_')
      expect(text).not.toContain('access-control')
    }
  })
  test('a failure returns 500 with a request ID and without the error message', async () => {
    const host = `localhost:${open.listeners.auth.port}`
    const text = await ask(open, '/fails', host)
    expect(statusOf(text)).toBe(500)
    expect(text).not.toContain('broken on purpose')
    expect(said(text)).toMatchObject({ code: 'internal_error' })
    expect(open.failures).toMatchObject([{ message: 'broken on purpose' }])
    // The response has begun, so the connection closes and the client gets an incomplete response.
    const late = await ask(open, '/fails-late', host)
    expect(late).not.toContain('\r\n0\r\n\r\n')
    expect(open.failures).toHaveLength(2)
  })
  test('a browser gets an error page', async () => {
    const text = await ask(open, '/', 'evil.example', 'Accept: text/html\r\n')
    expect(text).toContain('<h1>Misdirected Request</h1>')
  })
})

describe('origins: only a module’s own pages can use its session', () => {
  const cookie = 'Cookie: auth_session=1\r\n'
  test.each([
    ['POST', 'Sec-Fetch-Site: same-site\r\nOrigin: http://localhost:1\r\n', 403],
    [
      'GET',
      'Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n',
      403,
    ],
    [
      'GET',
      'Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n',
      200,
    ],
    ['POST', 'Sec-Fetch-Site: same-origin\r\n', 200],
  ])('%s %p: %p', async (method, more, status) => {
    const host = `localhost:${open.listeners.auth.port}`
    const body = method === 'POST' ? 'Content-Length: 0\r\n' : ''
    const text = await ask(open, '/token', host, cookie + more + body, method)
    expect(statusOf(text)).toBe(status)
    if (status === 403) expect(said(text)).toMatchObject({ code: 'foreign_origin' })
  })
  test('our own modules also refuse other sites’ requests with a session', async () => {
    const { origin } = new URL(open.listeners.urls.portal)
    const headers = { cookie: 'portal_session=1', 'sec-fetch-site': 'same-site' }
    expect((await fetch(origin, { headers })).status).toBe(403)
    expect(
      (await fetch(origin, { headers: { ...headers, cookie: 'auth_session=1' } })).status,
    ).toBe(404)
  })
})

test('origins: stopping waits for running requests, and refuses new ones', async () => {
  const stopping = await openOrigins({ auth: application })
  const { auth } = stopping.listeners
  const running = ask(stopping, '/waits', `localhost:${auth.port}`)
  await reached.promise
  let isStopped = false
  const stopped = stopping.listeners.stop().then(() => (isStopped = true))
  expect(await ask(stopping, '/', `localhost:${auth.port}`)).toBe('')
  expect(isStopped).toBe(false)
  held.resolve()
  expect(statusOf(await running)).toBe(200)
  await stopped
  await stopping.close()
})
