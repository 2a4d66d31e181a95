// The two tool servers in both protocol generations: responses and refusals.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openSampleCatalog } from '#gateway/testing/catalog.ts'
import { openServers, type Servers, type Tool } from '#gateway/testing/tool-servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await openServers(23)
})
afterAll(async () => servers.close())

const six = [
  'get_overview',
  'get_pricing',
  'list_comparisons',
  'get_comparison',
  'list_articles',
  'get_article',
]
const nine = [...six, 'get_availability', 'book_discovery_call', 'request_callback']
const eras = [
  ['an earlier revision', false],
  ['the newest revision', true],
] as const

describe('mcp: tools/list', () => {
  for (const [era, isModern] of eras) {
    test(`${era}: lists nine and six tools in a fixed order`, async () => {
      for (const [path, names] of [['/mcp', nine] as const, ['/docs/mcp', six] as const]) {
        const { body } = await servers.ask('tools/list', {}, isModern, path)
        expect(body.result.tools.map((tool: Tool) => tool.name)).toEqual([...names])
      }
    })
  }

  test('tells clients of the newest revision how long to cache the list', async () => {
    const { body } = await servers.ask('tools/list', {}, true)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'com.example/site' } },
    })
  })

  test('every tool has a title and four hints, and only the booking tools write', async () => {
    const { body } = await servers.ask('tools/list')
    const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    const writes = { readOnlyHint: false, idempotentHint: true, openWorldHint: true }
    for (const { name, title, annotations } of body.result.tools) {
      const isWriting = name === 'book_discovery_call' || name === 'request_callback'
      const hints = { ...(isWriting ? writes : reads), destructiveHint: false }
      expect([name, annotations]).toEqual([name, { title, ...hints }])
    }
  })

  test('input schemas allow no unknown fields and have no external references', async () => {
    const { body } = await servers.ask('tools/list')
    const walk = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { type, additionalProperties } = schema as Record<string, unknown>
      if (type === 'object') expect([at, additionalProperties]).toEqual([at, false])
      for (const [key, inner] of Object.entries(schema)) {
        if (key === '$ref') expect(inner).toStartWith('#/')
        walk(inner, `${at}/${key}`)
      }
    }
    for (const { name, inputSchema } of body.result.tools) walk(inputSchema, name)
  })

  test('the list stays below 3,000 and 2,000 tokens', async () => {
    const tokensOf = async (path: string) =>
      JSON.stringify((await servers.ask('tools/list', {}, false, path)).body.result).length / 4
    expect(await tokensOf('/mcp')).toBeLessThan(3000)
    expect(await tokensOf('/docs/mcp')).toBeLessThan(2000)
  })
})

describe('mcp: handshake', () => {
  test('responds in the requested revision, without a session', async () => {
    for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const clientInfo = { name: 'tests', version: '1' }
      const { response, body } = await servers.ask('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo,
      })
      expect(response.headers.get('mcp-session-id')).toBeNull()
      expect(body.result).toMatchObject({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'com.example/site', title: 'Example Health', version: '2026-08-23' },
      })
      expect(body.result.instructions).toContain('Shall I book a free 30-minute call')
    }
  })

  test('is replaced by server/discover in the newest revision', async () => {
    const { body } = await servers.ask('server/discover', {}, true)
    expect(body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
    })
  })
})

describe('mcp: plain calls and the library', () => {
  const calls: [string, object][] = [
    ['get_overview', {}],
    ['list_articles', { limit: 2 }],
    ['get_article', { slug: 'article-1' }],
    ['get_article', { slug: 'nothing' }],
    ['list_articles', { limit: 'two' }],
    ['book_discovery_call', {}],
  ]
  for (const [era, isModern] of eras) {
    test(`${era}: a plain call gets the same response as a call through the library`, async () => {
      for (const [name, given] of calls) {
        const params = { name, arguments: given }
        const short = await servers.ask('tools/call', params, isModern)
        // A log level or progress token isn't plain, so the library handles the call.
        const key = isModern ? 'io.modelcontextprotocol/logLevel' : 'progressToken'
        const meta = isModern
          ? {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            }
          : {}
        const _meta = { ...meta, [key]: 'info' }
        const message = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { ...params, _meta },
        }
        const headers: Record<string, string> = isModern
          ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
          : {}
        const long = await servers.post(JSON.stringify(message), headers)
        expect([name, await long.json()]).toEqual([name, short.body])
        expect(long.headers.get('content-type')).toBe('application/json')
      }
    })
  }
})

describe('mcp: the tool servers', () => {
  const message = (method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  const refused = async (response: Response, status: number, code: number) => {
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    const body = await response.json()
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
    return body
  }

  test('refuse an unknown tool; the documentation server has no booking tools', async () => {
    for (const [, isModern] of eras) {
      const { response, body } = await servers.ask('tools/call', { name: 'nope' }, isModern)
      expect([response.status, body.error.code, body.id]).toEqual([200, -32_602, 1])
      expect(body.error).toMatchObject({
        message: 'Unknown tool: nope',
        data: { hint: expect.stringContaining('get_overview') },
      })
    }
    const { body } = await servers.ask('tools/call', { name: nine[7] }, false, '/docs/mcp')
    expect(body.error.message).toBe('Unknown tool: book_discovery_call')
  })

  test('refuse methods other than POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(servers.url(), { method })
      expect(response.headers.get('allow')).toContain('POST')
      await refused(response, 405, -32_600)
    }
  })

  test('refuse invalid JSON, an invalid message, or another content type', async () => {
    await refused(await servers.post('{'), 400, -32_700)
    await refused(await servers.post(new Uint8Array([0x22, 0xff, 0x22])), 400, -32_700)
    await refused(await servers.post('[]'), 400, -32_600)
    await refused(await servers.post('null'), 400, -32_600)
    const text = { 'content-type': 'text/plain' }
    await refused(await servers.post(message('ping'), text), 415, -32_000)
  })

  test('refuse an unknown revision, and headers that contradict the body', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' }
    const response = await servers.post(message('tools/list', { _meta: meta }), headers)
    const { error } = await refused(response, 400, -32_022)
    expect(error.data.supported).toContain('2026-07-28')
    const newest = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const other = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    const sent = message('tools/list', { _meta: newest })
    await refused(await servers.post(sent, other), 400, -32_020)
    await refused(
      await servers.post(message('ping'), { 'mcp-protocol-version': '1' }),
      400,
      -32_000,
    )
  })

  test('refuse an unencrypted origin', async () => {
    for (const [origin, status] of [
      ['http://evil.example', 403],
      ['https://agent.example', 200],
      ['http://localhost:6274', 200],
    ] as const) {
      const response = await servers.post(message('ping'), { origin })
      expect([origin, response.status]).toEqual([origin, status])
    }
  })

  test('refuse an oversized body', async () => {
    await refused(await servers.post(message('ping', { pad: 'x'.repeat(70_000) })), 413, -32_600)
  })

  test('an internal failure is logged and not exposed', async () => {
    const { catalog } = servers.builds
    servers.builds.catalog = {
      ...catalog,
      get overview(): never {
        throw new Error('secret')
      },
    }
    for (const meta of [{}, { progressToken: 1 }]) {
      const sent = message('tools/call', { name: 'get_overview', _meta: meta })
      const body = await refused(await servers.post(sent), 500, -32_603)
      expect(JSON.stringify(body)).not.toContain('secret')
    }
    expect(servers.errors.splice(0).map(String)).toEqual(['Error: secret', 'Error: secret'])
    servers.builds.catalog = catalog
  })
})

test('mcp: every response is JSON, regardless of Accept', async () => {
  for (const accept of ['application/json', '*/*', 'text/event-stream', 'text/html']) {
    for (const method of ['ping', 'tools/list']) {
      const response = await servers.post(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
        { accept },
      )
      expect([accept, response.status]).toEqual([accept, 200])
      expect(response.headers.get('content-type')).toBe('application/json')
    }
  }
})

test('mcp: the tools use the site’s new build', async () => {
  const { catalog } = servers.builds
  const slugs = async () => {
    const { structuredContent } = await servers.call('list_articles', { limit: 50 })
    return structuredContent.items.length
  }
  expect(await slugs()).toBe(23)
  servers.builds.catalog = openSampleCatalog(5)
  expect(await slugs()).toBe(5)
  servers.builds.catalog = catalog
  expect(await slugs()).toBe(23)
})
