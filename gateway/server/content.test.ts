import { afterAll, describe, expect, test } from 'bun:test'
import { testLinks } from '#booking/testing/booking-service.ts'
import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { siteLimits } from '#contract/limits.ts'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { testRouter } from '#http/testing/endpoints.ts'
import { rawHttp } from '#http/testing/raw-http.ts'
import { createSiteGroup, siteContent } from './content.ts'
import { sampleFiles, writeSampleSite } from '../testing/site.ts'

const folder = writeSampleSite()
const build = sampleBuild(folder)
const routes = sampleContent({ build: () => build })
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => routes(request) })
const raw = rawHttp(server.port ?? 0)
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true })
})

const html = { accept: 'text/html' }

describe('site: over a real connection', () => {
  test('200: every content coding decodes to the same page', async () => {
    const page = sampleFiles['pricing.html'] ?? ''
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [coding, decode] of Object.entries(decoders)) {
      const answer = await raw('GET /pricing', { ...html, 'accept-encoding': coding })
      expect(answer.headers.get('content-encoding')).toBe(coding)
      expect(answer.headers.get('content-length')).toBe(String(answer.body.length))
      expect(answer.body.length).toBeLessThan(page.length)
      expect(decode(answer.body).toString()).toBe(page)
    }
    const plain = await raw('GET /pricing', html)
    expect(plain.headers.has('content-encoding')).toBe(false)
    expect(plain.headers.get('content-length')).toBe(String(page.length))
    expect(plain.body.toString()).toBe(page)
  })

  test('200: a thousand responses on new connections are complete', async () => {
    const page = sampleFiles['pricing.html'] ?? ''
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fetch(new URL('/pricing', server.url), { headers: html })),
      )
      for (const answer of answers) expect(await answer.text()).toBe(page)
    }
  })

  test('200: HEAD has the headers of GET and no body', async () => {
    for (const path of [
      '/pricing',
      '/llms.txt',
      '/assets/inter.dyt-pHhN.woff2',
      '/ask?query=duplicate',
      '/no',
    ]) {
      const headers = { ...html, 'accept-encoding': 'br' }
      const whole = await raw(`GET ${path}`, headers)
      const head = await raw(`HEAD ${path}`, headers)
      expect(head.body).toHaveLength(0)
      expect(head.status).toBe(whole.status)
      for (const { headers: sent } of [whole, head]) {
        // These values vary between requests.
        for (const name of ['date', 'ratelimit', 'ratelimit-remaining']) sent.delete(name)
      }
      expect([path, [...head.headers].sort()]).toEqual([path, [...whole.headers].sort()])
    }
  })

  test('304: no body, no length, no type', async () => {
    const { headers } = await raw('GET /pricing', html)
    const tag = headers.get('etag') ?? ''
    for (const method of ['GET', 'HEAD']) {
      const answer = await raw(`${method} /pricing`, { ...html, 'if-none-match': tag })
      expect(answer.status).toBe(304)
      expect(answer.body).toHaveLength(0)
      expect(answer.headers.get('etag')).toBe(tag)
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
      for (const name of [
        'content-type',
        'content-length',
        'content-encoding',
        'transfer-encoding',
      ]) {
        expect(answer.headers.has(name)).toBe(false)
      }
    }
  })

  test('206: a file range', async () => {
    const answer = await raw('GET /pricing', { ...html, range: 'bytes=0-9' })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([206, '10'])
    expect(answer.body.toString()).toBe(sampleFiles['pricing.html']?.slice(0, 10) ?? '')
  })

  test('308 and 404: raw paths that no URL parser normalized', async () => {
    expect((await raw('GET /pricing/')).headers.get('location')).toBe('/pricing')
    for (const path of [
      '/%zz',
      '/../../etc/passwd',
      '//elsewhere.example/',
      '/pricing%00',
      '/.env',
    ]) {
      expect([path, (await raw(`GET ${path}`)).status]).toEqual([path, 404])
    }
  })
})

test('site: the log has a page’s path, or for a missing page its nearest existing parent’s', async () => {
  const group = createSiteGroup({ endpoints: [], onError: () => {} })
  const { enter, lines } = testRouter(group, siteContent(() => build, group).fallback)
  const loggedAs = {
    '/pricing': '/pricing',
    '/pricing/': '/pricing/',
    '/pricing/ada-rivera': '/pricing/*',
    '/pricing/a/b/c/d/e/f': '/pricing/*',
    '/ada-rivera': '/*',
    '/patients/ada@example.com?x=1': '/*',
    '/api/ada': '/api/*',
    [`/${'a/'.repeat(4000)}`]: '/*',
  }
  for (const [path, route] of Object.entries(loggedAs)) {
    await enter(new Request(`http://localhost${path}`), { address: '203.0.113.7' })
    expect([path, lines.at(-1)?.route]).toEqual([path, route])
  }
})

test('site: a valid link works even if others have used up the address’s quota', async () => {
  const endpoint = {
    path: '/booking/call',
    methods: ['GET', 'POST'],
    errorFormat: 'page' as const,
    answer: () => new Response(''),
  }
  const group = createSiteGroup({
    endpoints: [endpoint],
    links: testLinks,
    requests: 5,
    onError: () => {},
  })
  const { enter } = testRouter(group)
  const statuses = async (path: string, method = 'GET') => {
    const found: number[] = []
    for (let sent = 0; sent < 6; sent++) {
      const request = new Request(`http://localhost${path}`, { method })
      found.push((await enter(request, { address: '203.0.113.7' })).status)
    }
    return found
  }
  const limited = [200, 200, 200, 200, 200, 429]
  expect(await statuses('/booking/call')).toEqual(limited)
  const { search } = new URL(testLinks.call(`bkg_${'0'.repeat(26)}`))
  expect(await statuses(`/booking/call${search}`, 'POST')).toEqual(limited)
  expect(await statuses(`/booking/call${search}x`)).toEqual(Array(6).fill(429))
})

test('site: files state a configured quota in RateLimit-Policy', async () => {
  const granted = sampleContent({ build: () => build, requests: 7 })
  const policy = async (path: string) =>
    (await granted(new Request(`http://localhost${path}`))).headers.get('ratelimit-policy')
  expect([await policy('/pricing'), await policy('/ask')]).toEqual(
    Array.from({ length: 2 }, () => '"default";q=7;w=60'),
  )
  const usual = sampleContent({ build: () => build, requests: siteLimits.ratePerWindow })
  const page = await usual(new Request('http://localhost/pricing'))
  expect(page.headers.get('ratelimit-policy')).toBe('"default";q=300;w=60')
})

describe('site: routing', () => {
  test('/ask accepts GET and POST', async () => {
    const got = await raw('GET /ask?query=how+do+webhooks+work')
    const question = '{"query":"how do webhooks work"}'
    const type = { 'content-type': 'application/json', 'content-length': String(question.length) }
    const posted = await raw('POST /ask', type, question)
    expect(got.status).toBe(200)
    expect(posted.body.toString()).toBe(got.body.toString())
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const pieces = `${question.length.toString(16)}\r\n${question}\r\n0\r\n\r\n`
    expect((await raw('POST /ask', chunked, pieces)).body.toString()).toBe(got.body.toString())
  })

  test('413: a declared length is refused without waiting for the bytes', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '65537' }
    const request = new Request('http://localhost/ask', { method: 'POST', headers })
    expect((await routes(request)).status).toBe(413)
  })

  test('404: an unknown /api path links to the API description', async () => {
    for (const line of [
      'GET /api/nope',
      'POST /api/nope',
      'GET /api',
      'GET /api/',
      'GET /api/%zz',
    ]) {
      const answer = await raw(line, { ...html, 'content-length': '0' })
      expect([line, answer.status]).toEqual([line, 404])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      const body: unknown = JSON.parse(answer.body.toString())
      expect(body).toMatchObject({ status: 404, code: 'not_found', hint: expect.any(String) })
      expect(body).toHaveProperty('see', expect.arrayContaining(['/openapi.json']))
    }
  })

  test('404: a clinical API path without /v1 gets a hint, and a browser gets the page', async () => {
    const bearer = { authorization: 'Bearer svc_sk_test_x' }
    for (const [line, headers] of [
      ['POST /patients', { 'content-length': '0' }],
      ['GET /patients', bearer],
    ] as const) {
      const answer = await raw(line, headers)
      expect([line, answer.status]).toEqual([line, 404])
      expect(JSON.parse(answer.body.toString())).toMatchObject({
        code: 'not_found',
        hint: expect.stringContaining(`Did you mean ${line.replace('/', '/v1/')}`),
      })
    }
    for (const [line, headers] of [
      ['GET /patients', html],
      ['GET /nothing-like-it', bearer],
    ] as const) {
      const answer = await raw(line, headers)
      expect([line, answer.status]).toEqual([line, 404])
      expect(answer.headers.get('content-type')).toStartWith('text/')
    }
  })

  test('serves files below /api', async () => {
    const answer = await raw('GET /api/llms.txt')
    expect([answer.status, answer.body.toString()]).toEqual([
      200,
      sampleFiles['api/llms.txt'] ?? '',
    ])
    expect((await raw('POST /api/llms.txt', { 'content-length': '0' })).status).toBe(405)
  })
})
