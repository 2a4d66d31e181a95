// What a hostile client may send to the endpoints, drawn at random from a fixed seed: over fetch
// with every header and body, and as bytes of any kind. No 500, no stack, no silence.
import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { createDryRunServices } from '../server/site-services.ts'
import { sampleBuild } from '../testing/content.ts'
import { failures, serve } from '#http/testing/endpoints.ts'
import { writeSampleSite } from '../testing/site.ts'
import { allEndpoints } from '../server/endpoints.ts'

const folder = writeSampleSite()
afterAll(() => rmSync(folder, { recursive: true }))
const build = sampleBuild(folder, 30)
const site = { current: () => build, isRefusing: () => false, stop() {} }
/** What these paths answer needs no database. */
const siteServices = createDryRunServices({ base: 'http://localhost', site: () => build.site })
const endpoints = allEndpoints({ site, siteServices, checks: [] })
const { enter, port } = serve({ endpoints, bodyMilliseconds: 40 })

/** A small linear congruential generator, so that a failure is the same failure tomorrow. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
const roll = dice(2026)
const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[roll(items.length)] ?? items[0]

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

/** No answer may tell where it was made, or hold what an answer does not hold. */
function expectSound(where: string, status: number, text: string): void {
  const allowed = [200, 204, 400, 404, 405, 413, 415, 429]
  expect([where, allowed.includes(status)]).toEqual([where, true])
  expect(text).not.toMatch(/node_modules|\.ts:\d+|\bat \w+ \(|TypeError|SyntaxError/)
}

describe('the endpoints', () => {
  test('1,000 requests with anything in address, headers and body', async () => {
    for (let round = 0; round < 1000; round++) {
      const method = pick(methods)
      const pairs = Array.from({ length: roll(4) }, () => `${pick(names)}=${pick(values)}`)
      const url = `http://localhost${pick(paths)}?${pairs.join('&')}`
      const sent = new Headers()
      for (const [name, all] of Object.entries(headers)) {
        if (roll(3) === 0) sent.set(name, pick(all as readonly [string, ...string[]]))
      }
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: pick(bodies) }
      const answer = await enter(new Request(url, { method, headers: sent, ...body }))
      const where = `${method} ${url}`
      expectSound(where, answer.status, await answer.text())
      expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
      expect(answer.headers.get('api-version')).toBe('2026-08-23')
      if (answer.status >= 400) {
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
      }
    }
    expect(failures).toEqual([])
  })

  /** Bytes, and what may come back: a status, or an end without a word. */
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
    ['an absolute address', line('GET http://localhost/api/articles HTTP/1.1')],
    ['a star', line('GET * HTTP/1.1')],
    ['a long query', line(`GET /ask?query=${'a'.repeat(15_000)} HTTP/1.1`)],
    ['many parameters', line(`GET /api/articles?${'a=1&'.repeat(3000)} HTTP/1.1`)],
    ['a huge header', line('GET /api/health HTTP/1.1', `X: ${'a'.repeat(60_000)}\r\n`)],
    ['many headers', line('GET /api/health HTTP/1.1', 'X: 1\r\n'.repeat(500))],
    ['a length that is none', line('POST /ask HTTP/1.1', 'Content-Length: x\r\n', '{}')],
    ['a negative length', line('POST /ask HTTP/1.1', 'Content-Length: -1\r\n', '{}')],
    ['a huge length', line('POST /ask HTTP/1.1', `Content-Length: ${'9'.repeat(30)}\r\n`, '{}')],
    [
      'two codings',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'),
    ],
    [
      'a chunk that lies',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'ff\r\n{}\r\n'),
    ],
    [
      'a chunk that is none',
      line('POST /ask HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    ],
    ['a body of a GET', line('GET /ask?query=a HTTP/1.1', 'Content-Length: 2\r\n', '{}')],
    [
      'a body that never comes',
      line('POST /ask HTTP/1.1', 'Content-Length: 10\r\nContent-Type: application/json\r\n'),
    ],
    [
      'an expectation',
      line('POST /ask HTTP/1.1', 'Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
    ],
  ]
  test.each(raw)('%s ends, and not as a fault of ours', async (_name, bytes) => {
    const said = await exchange(bytes)
    const status = Number(said.split(' ')[1] ?? 0)
    expect(said === '' || (status >= 100 && status < 500) || status === 505).toBe(true)
    expect(said).not.toMatch(/node_modules|\.ts:\d+|TypeError/)
  })

  test('whoever sent all that, the next one is answered', async () => {
    expect(failures).toEqual([])
    const answer = await fetch(`http://127.0.0.1:${port}/ask?query=webhooks`)
    expect([answer.status, (await answer.json()).results.length > 0]).toEqual([200, true])
  })
})

/** All that comes back; whoever keeps us waiting without a word is left after a while. */
function exchange(bytes: string): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    const patience = setTimeout(() => socket.end(), 150)
    socket.on('data', some => (received += some.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(received)
    })
  })
}
