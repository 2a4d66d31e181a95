import { describe, expect, test } from 'bun:test'
import { plainCallOf } from './plain-call.ts'

const ours = 'io.modelcontextprotocol/'
const modernMeta = { [`${ours}protocolVersion`]: '2026-07-28', [`${ours}clientCapabilities`]: {} }
const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_article',
}
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
const params = { name: 'get_article', arguments: { slug: 'a' } }

const of = (message: unknown, headers: Record<string, string> = {}) =>
  plainCallOf(message, new Headers(headers))

describe('plain', () => {
  test('a call of an earlier revision, named or not', () => {
    const plain = { id: 1, tool: 'get_article', given: { slug: 'a' }, isModern: false }
    expect(of({ ...call, params })).toMatchObject(plain)
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      expect(of({ ...call, params }, { 'mcp-protocol-version': version })).toMatchObject(plain)
    }
    expect(of({ ...call, params: { name: 'get_article' } })).toMatchObject({ given: undefined })
  })

  test('a call of the newest revision, with what the client calls itself', () => {
    const meta = { ...modernMeta, [`${ours}clientInfo`]: { name: 'tests', version: '1' } }
    expect(of({ ...call, id: 'x', params: { ...params, _meta: meta } }, modernHeaders)).toEqual({
      id: 'x',
      tool: 'get_article',
      given: { slug: 'a' },
      isModern: true,
      client: { name: 'tests', version: '1' },
    })
  })

  test('the list', () => {
    expect(of({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject({ tool: undefined })
    const { 'mcp-name': _name, ...headers } = { ...modernHeaders, 'mcp-method': 'tools/list' }
    const message = { ...call, method: 'tools/list', params: { _meta: modernMeta } }
    expect(of(message, headers)).toMatchObject({ tool: undefined, isModern: true })
  })
})

describe('left to the library', () => {
  const earlier: [string, unknown, Record<string, string>?][] = [
    ['nothing', undefined],
    ['a batch', [{ ...call, params }]],
    ['another method', { ...call, method: 'ping' }],
    ['no id', { jsonrpc: '2.0', method: 'tools/call', params }],
    ['an id that is none', { ...call, id: null, params }],
    ['a fraction for an id', { ...call, id: 1.5, params }],
    ['another version of JSON-RPC', { ...call, jsonrpc: '1.0', params }],
    ['a member too many', { ...call, params, extra: 1 }],
    ['a parameter too many', { ...call, params: { ...params, task: {} } }],
    ['no name', { ...call, params: {} }],
    ['arguments that are no object', { ...call, params: { ...params, arguments: [] } }],
    ['a cursor', { ...call, method: 'tools/list', params: { cursor: 'x' } }],
    ['progress that is asked for', { ...call, params: { ...params, _meta: { progressToken: 1 } } }],
    ['an unknown revision', { ...call, params }, { 'mcp-protocol-version': '1900-01-01' }],
    ['the newest, in the header alone', { ...call, params }, modernHeaders],
  ]
  for (const [what, message, headers] of earlier) {
    test(what, () => expect(of(message, headers)).toBeUndefined())
  }

  const modern: [string, Record<string, unknown>, Record<string, string>][] = [
    ['no capabilities', { [`${ours}protocolVersion`]: '2026-07-28' }, modernHeaders],
    ['capabilities to be judged', { [`${ours}clientCapabilities`]: { roots: 1 } }, modernHeaders],
    ['another revision', { [`${ours}protocolVersion`]: '2025-11-25' }, modernHeaders],
    ['a client that is none', { [`${ours}clientInfo`]: { name: 1 } }, modernHeaders],
    ['a level for logs', { [`${ours}logLevel`]: 'info' }, modernHeaders],
    ['no header of the revision', {}, { 'mcp-method': 'tools/call', 'mcp-name': 'get_article' }],
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
