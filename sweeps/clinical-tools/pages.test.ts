// A client in a web page, such as a browser-based inspector: the requests that a page on another
// origin may send to the tool server, and the responses it can read.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ClinicalTools, openClinicalTools } from '../testing/clinical-tools.ts'

let server: ClinicalTools
beforeAll(async () => {
  server = await openClinicalTools({ rateLimit: 3 })
})
afterAll(() => server.close())

const origin = 'https://inspector.example.com'

/** A CORS preflight, which browsers send before any request that a form couldn't make. */
const preflight = (url: string, method: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers':
        'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version,service-organization',
    },
  })

describe('tool server: a page on any origin', () => {
  test('sends a preflight without a credential, and may send every protocol header', async () => {
    const metadata = server.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
    const asked = [
      [server.url, 'POST', 'OPTIONS, POST'],
      [`${server.url}?read_only=1`, 'POST', 'OPTIONS, POST'],
      [metadata, 'GET', 'GET, HEAD, OPTIONS'],
      [`${server.url}/server-card`, 'GET', 'GET, HEAD, OPTIONS'],
    ] as const
    for (const [url, method, allowed] of asked) {
      const { status, headers } = await preflight(url, method)
      expect([url, status, headers.get('access-control-allow-methods')]).toEqual([
        url,
        204,
        allowed,
      ])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-headers')).toBe('*, Authorization')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('reads responses and errors, with the challenge and the wait', async () => {
    const page = { headers: { origin } }
    const call = { name: 'get_organization', arguments: {} }
    const narrow = await server.keyWith([])
    const answers = [
      [200, await server.ask('tools/call', call, page)],
      [401, await server.ask('tools/call', call, { ...page, as: null })],
      [403, await server.ask('tools/call', call, { ...page, as: narrow })],
      [400, await server.ask('tools/list', {}, { ...page, query: '?tools=none' })],
      [200, await server.ask('tools/list', {}, page)],
      [429, await server.ask('tools/list', {}, page)],
    ] as const
    for (const [expected, { status, headers }] of answers) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([expected, '*'])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ')
      for (const name of ['WWW-Authenticate', 'Retry-After', 'Request-Id']) {
        expect(exposed).toContain(name)
      }
      expect(headers.has('www-authenticate')).toBe(status === 401 || status === 403)
    }
  })

  test('is refused if it was loaded unencrypted, because its name may lead anywhere', async () => {
    for (const [from, expected] of [
      ['http://inspector.example.com', 403],
      ['null', 403],
      ['http://localhost:6274', 401],
    ] as const) {
      const { status } = await server.ask('tools/list', {}, { as: null, headers: { origin: from } })
      expect([from, status]).toEqual([from, expected])
    }
  })
})
