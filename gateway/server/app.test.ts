// Checks that run before every endpoint: host names, raw bytes, internal failures, and the request
// log.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { exchange, openTestGateway } from '../testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.lines.length = 0
  gateway.events.length = 0
})

const get = (path: string, host: string | null, more = '', version = '1.1') =>
  exchange(
    gateway.port,
    `GET ${path} HTTP/${version}\r\n${host === null ? '' : `Host: ${host}\r\n`}Connection: close\r\n${more}\r\n`,
  )
const statusOf = (text: string) => Number(text.split(' ')[1])

describe('gateway: host check', () => {
  const ours = ['localhost', 'localhost:3000', 'LOCALHOST', '127.0.0.1:80', '[::1]:3000']
  test.each([...ours, 'localhost:65535'])('accepts %s', async host => {
    expect(statusOf(await get('/v1/organization', host))).toBe(401)
  })
  const others = [
    'x',
    'evil.example',
    'localhost.evil.example',
    'localhost, evil.example',
    'a@localhost',
    'localhost/evil',
    'localhost:',
    'localhost:x',
    '127.0.0.1.nip.example',
    '[::1',
    'localhost:3000:3000',
  ]
  test.each(others)('refuses %s', async host => {
    const text = await get('/v1/organization', host)
    expect(statusOf(text)).toBe(421)
    expect(text).toContain('"code":"misdirected_request"')
    expect(text).toMatch(/^content-type: application\/problem\+json\r$/im)
    expect(text).toMatch(/^api-version: \d{4}-\d\d-\d\d\r$/im)
    expect(gateway.lines.map(({ status }) => status)).toEqual([421])
  })
  test('refuses a request with no Host or two', async () => {
    expect(statusOf(await get('/v1/organization', null))).toBe(400)
    expect(statusOf(await get('/v1/organization', null, '', '1.0'))).toBe(421)
    expect(statusOf(await get('/', 'localhost', 'Host: evil.example\r\n'))).toBe(421)
  })
  test('a short host name does not change the path', async () => {
    expect(statusOf(await get('/zz/v1/organization', 'x'))).toBe(421)
    expect(await get('/zz/v1/organization', 'localhost')).toEndWith('the site')
  })
  test('ignores an absolute URL in the request line', async () => {
    expect(statusOf(await get('http://localhost/v1/organization', 'evil.example'))).toBe(421)
    const text = await get('http://evil.example/v1/organization', 'localhost')
    expect(statusOf(text)).toBe(401)
  })
})

describe('gateway: unsupported requests', () => {
  const raw: [name: string, bytes: string, statuses: number[]][] = [
    [
      'CONNECT',
      'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      [421],
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', [400]],
  ]
  test.each(raw)('%s', async (_name, bytes, statuses) => {
    expect(statuses).toContain(statusOf(await exchange(gateway.port, bytes)))
  })
  test('an unknown method is never a success', async () => {
    const text = await exchange(
      gateway.port,
      'BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(text === '' || statusOf(text) >= 400).toBe(true)
  })
})

describe('gateway: an internal failure', () => {
  test('returns 500 with a request ID, and logs the stack', async () => {
    const answer = await gateway.call('/breaks')
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).not.toContain('broken on purpose')
    const body = JSON.parse(text)
    expect(body).toMatchObject({ code: 'internal_error', status: 500 })
    const [event] = gateway.events
    expect(event?.[0]).toBe('request.failed')
    expect(event?.[1]).toMatchObject({
      request_id: body.request_id,
      failure: 'TypeError',
      message: 'broken on purpose',
    })
    expect(String(event?.[1]['stack'])).toContain('testing/gateway.ts')
    expect(gateway.lines).toMatchObject([{ status: 500, requestId: body.request_id }])
  })
})

describe('gateway: request log', () => {
  test('has one line with the caller and operation, but no credential', async () => {
    const answer = await gateway.call('/v1/organization?limit=secret')
    expect(answer.status).toBe(400)
    const { ada } = gateway.fixtures
    expect(gateway.lines).toMatchObject([
      {
        method: 'GET',
        status: 400,
        requestId: answer.headers.get('request-id'),
        fields: {
          operation: 'getOrganization',
          mode: 'test',
          integration: ada.integration,
          organization: ada.organization,
          credential: ada.testKey,
          code: 'invalid_request',
        },
      },
    ])
    expect(JSON.stringify(gateway.lines)).not.toContain('svc_sk')
  })
  test('the request ID does not come from the caller', async () => {
    const headers = { 'request-id': 'req_mine', 'x-request-id': 'mine' }
    const answer = await gateway.call('/v1/organization', { headers })
    expect(answer.headers.get('request-id')).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })
})

describe('gateway: other paths', () => {
  test('serves the contract', async () => {
    const answer = await gateway.call('/openapi/v1.json', { as: null })
    expect([answer.status, await answer.text()]).toEqual([200, '{}'])
  })
  test('serves the site at every other path, including the pages of problem codes', async () => {
    for (const path of ['/', '/problems/not_found', '/problems', '/v2', '/a/b', '/v1x', '/%E0']) {
      expect(await (await gateway.call(path)).text()).toBe('the site')
    }
    expect(await (await gateway.call('/', { method: 'POST', body: 'x' })).text()).toBe('the site')
  })
})
