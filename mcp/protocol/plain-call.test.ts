import { describe, expect, test } from 'bun:test'
import { plainCallOf } from './plain-call.ts'

const prefix = 'io.modelcontextprotocol/'
const modernMeta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: {},
}
const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_article',
}
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
const params = { name: 'get_article', arguments: { slug: 'a' } }

const of = (message: unknown, headers: Record<string, string> = {}) =>
  plainCallOf(message, new Headers(headers))

describe('mcp: plain calls', () => {
  test('accepts a call in an earlier revision, with or without the version header', () => {
    const plain = { id: 1, tool: 'get_article', given: { slug: 'a' }, isModern: false }
    expect(of({ ...call, params })).toMatchObject(plain)
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      expect(of({ ...call, params }, { 'mcp-protocol-version': version })).toMatchObject(plain)
    }
    expect(of({ ...call, params: { name: 'get_article' } })).toMatchObject({ given: undefined })
  })

  test('accepts a call in the newest revision, with the client’s name', () => {
    const meta = { ...modernMeta, [`${prefix}clientInfo`]: { name: 'tests', version: '1' } }
    expect(of({ ...call, id: 'x', params: { ...params, _meta: meta } }, modernHeaders)).toEqual({
      id: 'x',
      tool: 'get_article',
      given: { slug: 'a' },
      isModern: true,
      client: { name: 'tests', version: '1' },
      canAsk: false,
    })
  })

  test('accepts tools/list', () => {
    expect(of({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject({ tool: undefined })
    const { 'mcp-name': _name, ...headers } = { ...modernHeaders, 'mcp-method': 'tools/list' }
    const message = { ...call, method: 'tools/list', params: { _meta: modernMeta } }
    expect(of(message, headers)).toMatchObject({ tool: undefined, isModern: true })
  })
})

describe('mcp: calls passed to the library', () => {
  const earlier: [string, unknown, Record<string, string>?][] = [
    ['no body', undefined],
    ['a batch', [{ ...call, params }]],
    ['another method', { ...call, method: 'ping' }],
    ['no id', { jsonrpc: '2.0', method: 'tools/call', params }],
    ['an invalid id', { ...call, id: null, params }],
    ['a fraction for an id', { ...call, id: 1.5, params }],
    ['another version of JSON-RPC', { ...call, jsonrpc: '1.0', params }],
    ['an extra member', { ...call, params, extra: 1 }],
    ['an extra parameter', { ...call, params: { ...params, task: {} } }],
    ['no name', { ...call, params: {} }],
    ['arguments that are not an object', { ...call, params: { ...params, arguments: [] } }],
    ['a cursor', { ...call, method: 'tools/list', params: { cursor: 'x' } }],
    ['a progress token', { ...call, params: { ...params, _meta: { progressToken: 1 } } }],
    ['an unknown revision', { ...call, params }, { 'mcp-protocol-version': '1900-01-01' }],
    ['the newest revision in the header only', { ...call, params }, modernHeaders],
  ]
  for (const [what, message, headers] of earlier) {
    test(what, () => expect(of(message, headers)).toBeUndefined())
  }

  const modern: [string, Record<string, unknown>, Record<string, string>][] = [
    ['no capabilities', { [`${prefix}protocolVersion`]: '2026-07-28' }, modernHeaders],
    ['capabilities', { [`${prefix}clientCapabilities`]: { roots: 1 } }, modernHeaders],
    ['another revision', { [`${prefix}protocolVersion`]: '2025-11-25' }, modernHeaders],
    ['an invalid client', { [`${prefix}clientInfo`]: { name: 1 } }, modernHeaders],
    ['a log level', { [`${prefix}logLevel`]: 'info' }, modernHeaders],
    ['no version header', {}, { 'mcp-method': 'tools/call', 'mcp-name': 'get_article' }],
    ['another method in the header', {}, { ...modernHeaders, 'mcp-method': 'tools/list' }],
    ['another name in the header', {}, { ...modernHeaders, 'mcp-name': 'get_pricing' }],
  ]
  for (const [what, meta, headers] of modern) {
    test(what, () => {
      const base = what === 'no capabilities' ? {} : modernMeta
      const message = { ...call, params: { ...params, _meta: { ...base, ...meta } } }
      expect(of(message, headers)).toBeUndefined()
    })
  }
})
