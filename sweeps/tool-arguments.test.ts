// Every argument of every tool at all three tool servers. Clients without a value may send null,
// which counts as omitted. Any other value of a wrong type is refused with its pointer and never
// converted to text.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'
import { type ClinicalTools, openClinicalTools } from './testing/clinical-tools.ts'

type Schema = { type?: string | string[]; anyOf?: Schema[]; properties?: Record<string, Schema> }
type Tool = { name: string; inputSchema: Schema }
type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: object }
type Call = (name: string, given: object) => Promise<Result>

let clinical: ClinicalTools
let site: Servers
beforeAll(async () => {
  clinical = await openClinicalTools()
  site = await openServers()
}, 60_000)
afterAll(async () => {
  await Promise.all([clinical?.close(), site?.close()])
})

const typesOf = ({ type, anyOf = [] }: Schema): string[] => [
  ...[type ?? []].flat(),
  ...anyOf.flatMap(typesOf),
]
const values: Record<string, unknown[]> = {
  string: ['x'],
  integer: [7],
  boolean: [true],
  array: [[], ['a']],
  object: [{}],
  number: [1.5],
}
const wrongFor = (types: string[]) =>
  Object.entries(values).flatMap(([type, each]) => (types.includes(type) ? [] : each))

/** The error codes in a response, by argument name. */
function faultsOf({ isError, content }: Result): Record<string, string[]> {
  const { errors = [] } = isError === true ? JSON.parse(content[0]?.text ?? '') : {}
  const faults: Record<string, string[]> = {}
  for (const { pointer, code } of errors)
    (faults[pointer.replace(/^#\/|^\?/, '')] ??= []).push(code)
  return faults
}

/** Arguments that are checked before all others. */
const first = { idempotency_key: () => crypto.randomUUID(), user_consent: () => true }
const isFirst = (name: string): name is keyof typeof first => Object.hasOwn(first, name)

async function sweep(call: Call, { name, inputSchema }: Tool): Promise<void> {
  const { properties = {} } = inputSchema
  const given = (more: object = {}) => {
    const asked = Object.entries(first).filter(([each]) => each in properties)
    return { ...Object.fromEntries(asked.map(([each, make]) => [each, make()])), ...more }
  }
  const bare = await call(name, given())
  for (const [argument, schema] of Object.entries(properties)) {
    const types = typesOf(schema)
    expect([name, argument, types.length > 0]).toEqual([name, argument, true])
    for (const value of [...wrongFor(types), ...(isFirst(argument) ? [null] : [])]) {
      const result = await call(name, given({ [argument]: value }))
      const about = [name, argument, value]
      if (!isFirst(argument))
        expect([...about, faultsOf(result)[argument]]).toEqual([...about, ['wrong_type']])
      else if (value !== null) expect([...about, result.isError]).toEqual([...about, true])
    }
    if (types.includes('null') || isFirst(argument)) continue
    const absent = await call(name, given({ [argument]: null }))
    expect([name, argument, faultsOf(absent)]).toEqual([name, argument, faultsOf(bare)])
    expect([name, argument, absent.isError]).toEqual([name, argument, bare.isError])
  }
}

describe('tools: a null argument counts as omitted, and a wrong type is refused', () => {
  test('at the clinical server', async () => {
    const { body } = await clinical.ask('tools/list')
    const tools: Tool[] = body.result.tools
    expect(tools).toHaveLength(46)
    for (const tool of tools) await sweep(clinical.call as Call, tool)
    expect(clinical.errors).toEqual([])
  }, 120_000)

  test('at the site’s servers', async () => {
    let count = 0
    for (const path of ['/mcp', '/docs/mcp']) {
      const { body } = await site.ask('tools/list', {}, false, path)
      count += body.result.tools.length
      for (const tool of body.result.tools) {
        await sweep((name, given) => site.call(name, given, false, path), tool)
      }
    }
    expect(count).toBe(15)
    expect(site.errors).toEqual([])
  })
})

const newest = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'
const envelope = { [`${prefix}protocolVersion`]: newest, [`${prefix}clientCapabilities`]: {} }
const client = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a', version: '1' },
}
const methods: [method: string, params: Record<string, unknown>, name?: string][] = [
  ['initialize', client],
  ['ping', {}],
  ['server/discover', {}],
  ['tools/list', { cursor: 'x' }],
  ['tools/call', { name: 'nope', arguments: {} }, 'nope'],
  ['resources/list', { cursor: 'x' }],
  ['resources/read', { uri: 'x' }, 'x'],
]
const placed = (params: Record<string, unknown>, name: string, value: unknown) => {
  const [member, inner] = name.split('.') as [string, string?]
  const within = inner === undefined ? value : { ...(params[member] as object), [inner]: value }
  return { ...params, [member]: within }
}

describe('tools: malformed params are -32602, in our words', () => {
  const servers: [
    name: string,
    post: (body: string, headers: Record<string, string>) => Promise<Response>,
  ][] = [
    ['clinical', (body, headers) => clinical.post(body, { headers })],
    ['/mcp', (body, headers) => site.post(body, headers)],
    ['/docs/mcp', (body, headers) => site.post(body, headers, '/docs/mcp')],
  ]
  test.each(servers)('at %s', async (_server, post) => {
    for (const [method, params, name] of methods) {
      const members = [
        ...Object.keys(params),
        ...(method === 'initialize' ? ['clientInfo.name'] : []),
      ]
      for (const isNewest of [false, true]) {
        const version = { 'mcp-protocol-version': newest, 'mcp-method': method }
        const headers = isNewest ? { ...version, ...(name && { 'mcp-name': name }) } : {}
        const whole = { ...params, ...(isNewest ? { _meta: envelope } : {}) }
        const wrong = [7, true, ['x'], 'x', {}].flatMap(value => [
          ...(typeof value === 'object' && !Array.isArray(value)
            ? []
            : [value, { ...whole, _meta: value }]),
          {
            ...whole,
            _meta: { ...whole._meta, progressToken: typeof value === 'object' ? value : true },
          },
          ...members.flatMap(each => {
            const right = each
              .split('.')
              .reduce<unknown>((at, key) => Reflect.get(Object(at), key), whole)
            return typeof right === typeof value && !Array.isArray(value)
              ? []
              : [placed(whole, each, value)]
          }),
        ])
        for (const sent of wrong) {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: sent })
          const { error } = await (await post(body, headers)).json()
          const isKnown = [-32_602, -32_601, -32_020].includes(error?.code)
          expect([body, isNewest, error?.message, isKnown]).toEqual([
            body,
            isNewest,
            expect.not.stringMatching(/\n|Zod|invalid_type/),
            true,
          ])
          if (error.code === -32_601) expect(method).toMatch(/initialize|ping|discover|resources/)
        }
      }
    }
  })

  test.each(servers)('null at %s counts as absent', async (_server, post) => {
    for (const more of [
      { params: null },
      { params: { cursor: null, _meta: null } },
      { params: { _meta: { progressToken: null } } },
    ]) {
      const answer = await post(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...more }),
        {},
      )
      expect((await answer.json()).result.tools.length).toBeGreaterThan(5)
    }
    for (const message of [
      { method: '$/cancelRequest', params: { id: 1 } },
      { method: '$/progress' },
    ]) {
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', ...message }), {})
      expect([answer.status, await answer.text()]).toEqual([202, ''])
      const asked = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }), {})
      expect((await asked.json()).error.code).toBe(-32_601)
    }
  })
})
