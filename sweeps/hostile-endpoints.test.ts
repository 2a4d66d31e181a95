// Hostile requests to the site's endpoints: generated requests with arbitrary headers and bodies,
// and raw bytes over a socket. No request may cause a server error, expose a stack trace or go
// unanswered.
import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import * as fc from 'fast-check'
import { createDryRunServices } from '#gateway/server/site-services.ts'
import { sampleBuild } from '#gateway/testing/content.ts'
import { failures, serve } from '#http/testing/endpoints.ts'
import { writeSampleSite } from '#gateway/testing/site.ts'
import { allEndpoints, withoutDatabase } from '#gateway/server/endpoints.ts'

const folder = writeSampleSite()
afterAll(() => rmSync(folder, { recursive: true }))
const build = sampleBuild(folder, 30)
const silent = { event() {} }
const site = { current: () => build, isRefusing: () => false, stop() {} }
/** These paths need no database. */
const siteServices = createDryRunServices({ base: 'http://localhost', site: () => build.site })
const endpoints = allEndpoints({ site, siteServices, ...withoutDatabase(site, silent) })
const { enter } = serve({ endpoints })
/** Soon gives up on bodies that never end. */
const { port } = serve({ endpoints, bodyMilliseconds: 40 })

const paths = ['/ask', '/api/articles', '/api/comparisons', '/api/health'] as const
const names = ['limit', 'cursor', 'query', 'streaming', 'lmit', '__proto__', '', '%00'] as const
const values = [
  '1',
  '50',
  '51',
  '-1',
  '9'.repeat(400),
  'MjAyNi0xMS0yMCBhcnRpY2xlLTA',
  'true',
  'NaN',
  '%',
  '%ff',
  '%00',
  '%F0%9F%A9%BA',
  "'; drop table users; --",
  '<script>',
  '../../etc/passwd',
  'webhooks',
  '',
] as const
const methods = ['GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'BREW'] as const
const headers = {
  'api-version': ['2026-08-23', '1999-01-01', '', '2026-08-23,2026-08-23', 'x'.repeat(300)],
  'idempotency-key': ['a', '"a"', '', ' ', 'x'.repeat(300), 'é'],
  'content-type': [
    'application/json',
    'text/plain',
    '',
    'application/json;;',
    'multipart/form-data',
  ],
  'x-forwarded-for': ['1.2.3.4', '::1', 'x', '1.2.3.4, '.repeat(500), ''],
  'request-id': ['mine', '<b>', 'x'.repeat(300)],
  accept: ['text/event-stream', '*/*', '', 'text/html;q=x', 'application/json'],
  origin: ['null', 'https://evil.example'],
} as const
const bodies = [
  '{"query":"webhooks"}',
  '{"query":{"text":"webhooks","num_results":3},"prefer":{"streaming":true}}',
  '{"query":{"text":{"text":"a"}}}',
  '{"query":["a"],"limit":1e999}',
  '{"__proto__":{"query":"a"},"constructor":1}',
  '{"query":"\\ud800"}',
  '['.repeat(30_000),
  `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
  '{"query":"a","query":1}',
  'null',
  '',
  '\u0000',
  'x'.repeat(70_000),
] as const

const some = <Item>(items: readonly Item[]) => fc.constantFrom(...items)
const request = fc.record({
  method: some(methods),
  path: some(paths),
  pairs: fc.array(fc.tuple(some(names), some(values)), { maxLength: 3 }),
  headers: fc
    .subarray(Object.entries<readonly string[]>(headers))
    .chain(all =>
      fc.tuple(...all.map(([name, values]) => fc.tuple(fc.constant(name), some(values)))),
    ),
  body: some(bodies),
})

/** Expects a known status, and no source location or error class in the body. */
function expectSound(status: number, text: string): void {
  expect([200, 204, 400, 404, 405, 413, 415, 429]).toContain(status)
  expect(text).not.toMatch(/node_modules|\.ts:\d+|\bat \w+ \(|TypeError|SyntaxError/)
}

describe('endpoints: hostile requests', () => {
  test('1,000 generated requests: each gets an expected status and the common headers', async () => {
    const property = fc.asyncProperty(request, async ({ method, path, pairs, headers, body }) => {
      const query = pairs.map(([name, value]) => `${name}=${value}`).join('&')
      const sent = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body }
      const url = `http://localhost${path}?${query}`
      const answer = await enter(new Request(url, { method, headers, ...sent }))
      expectSound(answer.status, await answer.text())
      expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
      expect(answer.headers.get('api-version')).toBe('2026-08-23')
      if (answer.status >= 400) {
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
      }
    })
    await fc.assert(property, { seed: 2026, numRuns: 1000 })
    expect(failures).toEqual([])
  })

  /** Sends raw bytes; the server responds with a status or closes the connection. */
  const line = (first: string, more = '', body = '') =>
    `${first}\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n${body}`
  const raw: [name: string, bytes: string][] = [
    ['no version', 'GET /ask\r\n\r\n'],
    ['an old version', 'GET /ask HTTP/0.9\r\n\r\n'],
    ['a new version', line('GET /ask HTTP/9.9')],
    ['bare line ends', 'GET /ask HTTP/1.1\nHost: localhost\n\n'],
    ['a NUL in the path', line('GET /ask\u0000 HTTP/1.1')],
    ['a NUL in a header', line('GET /ask HTTP/1.1', 'X: a\u0000b\r\n')],
    ['a folded header', line('GET /ask HTTP/1.1', 'X: a\r\n b\r\n')],
    ['a header without a name', line('GET /ask HTTP/1.1', ': a\r\n')],
    ['a space before the colon', line('GET /ask HTTP/1.1', 'X : a\r\n')],
    ['bytes over 127', line('GET /ask?query=\u00e9\u00ff HTTP/1.1', 'X: \u00ff\r\n')],
    ['an absolute URL', line('GET http://localhost/api/articles HTTP/1.1')],
    ['an asterisk as target', line('GET * HTTP/1.1')],
    ['a long query', line(`GET /ask?query=${'a'.repeat(15_000)} HTTP/1.1`)],
    ['many parameters', line(`GET /api/articles?${'a=1&'.repeat(3000)} HTTP/1.1`)],
    ['a huge header', line('GET /api/health HTTP/1.1', `X: ${'a'.repeat(60_000)}\r\n`)],
    ['many headers', line('GET /api/health HTTP/1.1', 'X: 1\r\n'.repeat(500))],
    ['an invalid length', line('POST /ask HTTP/1.1', 'Content-Length: x\r\n', '{}')],
    ['a negative length', line('POST /ask HTTP/1.1', 'Content-Length: -1\r\n', '{}')],
    ['a huge length', line('POST /ask HTTP/1.1', `Content-Length: ${'9'.repeat(30)}\r\n`, '{}')],
    [
      'two transfer codings',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'),
    ],
    [
      'a chunk shorter than its size',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'ff\r\n{}\r\n'),
    ],
    [
      'an invalid chunk size',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    ],
    ['a body in a GET', line('GET /ask?query=a HTTP/1.1', 'Content-Length: 2\r\n', '{}')],
    [
      'a missing body',
      line('POST /ask HTTP/1.1', 'Content-Length: 10\r\nContent-Type: application/json\r\n'),
    ],
    [
      'an Expect header',
      line('POST /ask HTTP/1.1', 'Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
    ],
  ]
  test.each(raw)('raw request with %s: no server error', async (_name, bytes) => {
    const output = await exchange(bytes)
    const status = Number(output.split(' ')[1] ?? 0)
    expect(output === '' || (status >= 100 && status < 500) || status === 505).toBe(true)
    expect(output).not.toMatch(/node_modules|\.ts:\d+|TypeError/)
  })

  test('after all hostile requests, the next valid one gets a response', async () => {
    expect(failures).toEqual([])
    const answer = await fetch(`http://127.0.0.1:${port}/ask?query=webhooks`)
    expect([answer.status, (await answer.json()).results.length > 0]).toEqual([200, true])
  })
})

/** Returns everything that the server sends until a later request gets its response. */
function exchange(bytes: string): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const later = () => fetch(`http://127.0.0.1:${port}/ask?query=webhooks`)
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from(bytes, 'latin1'), () => void later().then(() => socket.end()))
    })
    socket.on('data', some => (received += some.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
