// A group's behavior for each of its endpoints, over real connections and in each error format.
import { describe, expect, setSystemTime, test } from 'bun:test'
import { connect } from 'node:net'
import { until } from './testing/until.ts'
import type { Endpoint } from './endpoint.ts'
import { bodyFramings, writeThenRead } from './testing/raw-http.ts'
import { expectRefusal, failures, forms, seen, serve } from './testing/endpoints.ts'

const rateLimitHeaders = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining']
const { call, raw, enter, lines, port } = serve()

describe('endpoint group: every response', () => {
  test('has rate limit, version, request ID and CORS headers', async () => {
    for (const path of ['/problem', '/acp', '/jsonrpc', '/problem/breaks', '/acp/refuses']) {
      const { headers } = await call(path)
      for (const name of rateLimitHeaders)
        expect([path, name, headers.has(name)]).toEqual([path, name, true])
      expect(Number(headers.get('ratelimit-reset'))).toBeWithin(1, 61)
      expect(headers.get('api-version')).toBe('2026-08-23')
      expect(headers.get('request-id')).toBe('req_1')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining')
      expect(headers.has('deprecation')).toBe(false)
    }
  })

  test('HEAD gets the headers of GET, without the body', async () => {
    const [whole, head] = [await raw('GET /problem'), await raw('HEAD /problem')]
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(whole.body.length))
    expect((await raw('HEAD /acp/refuses')).status).toBe(404)
  })

  test('path parameters are passed to the endpoint, and a slash in one does not match', async () => {
    for (const path of ['/acp/things/cs_1', '/acp/things/cs%5F%31']) {
      expect(await (await call(path)).json()).toEqual({ id: 'cs_1' })
    }
    for (const path of ['/acp/things/', '/acp/things/%2F', '/acp/things/a/b', '/acp//', '/acpx']) {
      expect([path, await (await call(path)).text()]).toEqual([path, 'the site'])
    }
  })

  test('one log line names the endpoint and no request content', async () => {
    lines.length = 0
    await call('/acp/things/cs_secret?q=secret')
    await call('/jsonrpc/refuses')
    expect(lines.map(({ fields }) => fields)).toEqual([
      { endpoint: '/acp/things/:id' },
      { endpoint: '/jsonrpc/refuses', code: 'not_found' },
    ])
  })
})

describe('endpoint group: 400', () => {
  test.each(forms)('refuses an invalid Idempotency-Key (%s)', async form => {
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), '""']) {
      const headers = { 'idempotency-key': key }
      const answer = await enter(
        new Request(`http://x/${form}`, { method: 'POST', headers, body: '' }),
      )
      expect([key, answer.status]).toEqual([key, 400])
      await expectRefusal(form, answer, 'idempotency_key_invalid')
    }
  })
  test('echoes the key as sent and passes it to the endpoint without quotes', async () => {
    for (const key of ['abc-1', '"abc-1"', 'x'.repeat(255)]) {
      const headers = { 'idempotency-key': key }
      const answer = await call('/jsonrpc', { method: 'POST', headers, body: '{}' })
      expect(answer.headers.get('idempotency-key')).toBe(key)
      expect(seen.at(-1)?.idempotencyKey).toBe(key.replaceAll('"', ''))
    }
    const read = await call('/jsonrpc', { headers: { 'idempotency-key': 'a b' } })
    expect([read.status, read.headers.has('idempotency-key')]).toEqual([200, false])
  })
})

describe('endpoint group: 404 and 500', () => {
  test.each(forms)('writes a thrown problem in the endpoint’s format (%s)', async form => {
    const answer = await call(`/${form}/refuses`)
    expect(answer.status).toBe(404)
    const body = await expectRefusal(form, answer, 'not_found')
    expect(JSON.stringify(body)).toContain('"see":["/x"]')
  })
  test.each(forms)('logs a failure without disclosing its message (%s)', async form => {
    failures.length = 0
    const answer = await call(`/${form}/breaks`)
    expect(answer.status).toBe(500)
    const body = await expectRefusal(form, answer, 'internal_error')
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(JSON.stringify(body)).toContain('"request_id":"req_1"')
    expect(failures).toHaveLength(1)
  })
})

describe('endpoint group: 503', () => {
  test.each(forms)('responds to a temporary failure with Retry-After (%s)', async form => {
    const answer = await call(`/${form}/waits`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    const body = await expectRefusal(form, answer, 'service_unavailable')
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

describe('endpoint group: 405 and OPTIONS', () => {
  test.each(forms)('refuses other methods with Allow (%s)', async form => {
    const answer = await call(`/${form}`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
    await expectRefusal(form, answer, 'method_not_allowed')
  })
  test('answers a CORS preflight for any header without counting it', async () => {
    const left = async () => Number((await call('/acp')).headers.get('ratelimit-remaining'))
    const before = await left()
    const headers = {
      origin: 'https://agent.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, api-version, idempotency-key',
    }
    const answer = await call('/acp', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST')
    expect(answer.headers.get('access-control-allow-headers')).toBe('*, Authorization')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    for (const name of rateLimitHeaders) expect(answer.headers.has(name)).toBe(true)
    expect(await left()).toBe(before - 1)
  })
})

describe('endpoint group: 408 and 413', () => {
  test.each(forms)('refuses a body over 64 KiB, declared or chunked (%s)', async form => {
    const whole = 'x'.repeat(65_536)
    const fits = await call(`/${form}`, { method: 'POST', body: whole })
    expect(await fits.json()).toEqual({ bytes: 65_536 })
    const large = await call(`/${form}`, { method: 'POST', body: `${whole}x` })
    expect(large.status).toBe(413)
    expect(JSON.stringify(await expectRefusal(form, large, 'payload_too_large'))).toContain(
      '"limit_bytes":65536',
    )
    const chunk = `10001\r\n${whole}x\r\n`
    const chunked = await raw(`POST /${form}`, { 'transfer-encoding': 'chunked' }, chunk)
    expect(chunked.status).toBe(413)
  })

  test.each(bodyFramings)(
    'a client that sends its whole body before reading receives the 413 (%s)',
    async framing => {
      const { status } = await writeThenRead(port, 'POST /problem', framing, 8)
      expect(status).toBe(413)
    },
  )

  test('closes the connection of a client that sends too slowly', async () => {
    const slow = serve({ bodyMilliseconds: 60 })
    const answer = await new Promise<string>(resolve => {
      let received = ''
      let isClosed = false
      const socket = connect(slow.port, '127.0.0.1', () => {
        socket.write('POST /problem HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
        void until(() => isClosed || (socket.write('x'), false), 5)
      })
      socket.on('data', bytes => (received += bytes.toString()))
      socket.on('error', () => {})
      socket.on('close', () => {
        isClosed = true
        resolve(received)
      })
    })
    expect(answer).toStartWith('HTTP/1.1 408')
    expect(answer).toContain('"code":"request_timeout"')
  })

  test('a client that disconnects mid-body is not logged as a failure', async () => {
    failures.length = 0
    const socket = connect(port, '127.0.0.1', () => {
      socket.end('POST /problem HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc')
    })
    socket.resume()
    await new Promise(resolve => socket.on('close', resolve))
    expect((await call('/problem')).status).toBe(200)
    expect(failures).toEqual([])
  })
})

describe('endpoint group: 429', () => {
  test('refuses the 301st request within a minute and accepts requests after the window', async () => {
    const { call } = serve({ requests: 300 })
    for (let time = 300; time > 0; time--) {
      const answer = await call('/acp')
      expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([
        200,
        `${time - 1}`,
      ])
    }
    for (const form of forms) {
      const answer = await call(`/${form}`)
      expect(answer.status).toBe(429)
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeWithin(1, 61)
      expect(answer.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=300;w=60')
      expect(answer.headers.get('ratelimit-reset')).toBe(`${seconds}`)
      await expectRefusal(form, answer, 'rate_limited')
    }
    setSystemTime(new Date(Date.now() + 60_001))
    const after = await call('/acp')
    setSystemTime()
    expect([after.status, after.headers.get('ratelimit-remaining')]).toEqual([200, '299'])
  })

  test('a forwarding header from an untrusted peer does not change the counted address', async () => {
    const { call } = serve({ requests: 3 })
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` }
      statuses.push((await call('/problem', { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test('counts each IPv4 address and each IPv6 /64 separately', async () => {
    const { enter } = serve({ requests: 2 })
    const left = async (address: string | null) =>
      Number(
        (await enter(new Request('http://x/acp'), { address })).headers.get('ratelimit-remaining'),
      )
    expect(await left('192.0.2.1')).toBe(1)
    expect(await left('192.0.2.2')).toBe(1)
    expect(await left('2001:db8:1:2::1')).toBe(1)
    expect(await left('2001:db8:1:2:ffff::9')).toBe(0)
    expect(await left('2001:db8:1:3::1')).toBe(1)
    expect(await left(null)).toBe(1)
  })
})

test('endpoint group: two endpoints with the same path throw at startup', () => {
  const one: Endpoint = {
    path: '/a/:id',
    methods: ['GET'],
    errorFormat: 'acp',
    answer: () => new Response(),
  }
  expect(() => serve({ endpoints: [one, { ...one, path: '/a/:name' }] })).toThrow('/a/:name')
})
