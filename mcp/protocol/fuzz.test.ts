// Malformed messages to the tool servers, the same in each run. Each message gets a JSON-RPC
// response, and no message causes a server error or exposes internals.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await openServers(5)
})
afterAll(async () => servers.close())

const settings = { seed: 20_261_121, numRuns: 250 }
const internals =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\/gateway\/|\.ts:\d|PostgresError|select /

async function expectJsonRpc(sent: Promise<Response>): Promise<void> {
  const response = await sent
  const text = await response.text()
  expect(response.status).toBeLessThan(500)
  expect(text).not.toMatch(internals)
  if (response.status === 202) return
  const answers: unknown[] = [JSON.parse(text)].flat()
  for (const answer of answers) expect(answer).toHaveProperty('jsonrpc', '2.0')
  expect(servers.errors).toEqual([])
}

const names = ['get_overview', 'list_articles', 'get_article', 'get_availability'].concat([
  'book_discovery_call',
  'request_callback',
  'nope',
  '__proto__',
])
const argumentNames = [
  'slug',
  'limit',
  'cursor',
  'tag',
  'from',
  'days',
  'timezone',
  'email',
].concat(['first_name', 'last_name', 'user_consent', 'start', 'notes', 'topic', 'phone', 'company'])
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('ada@rivera.clinic', '2027-03-09', '2027-03-09T14:00:00Z', 'UTC', true, 5, -0),
)
const given = fc.dictionary(
  fc.oneof(fc.constantFrom(...argumentNames), fc.string({ maxLength: 12 })),
  value,
  { maxKeys: 8 },
)

test('tools: any arguments get a JSON-RPC response in both protocol versions', async () => {
  const calls = fc.asyncProperty(
    fc.constantFrom(...names),
    given,
    fc.boolean(),
    async (name, given, isModern) => {
      const { response, body } = await servers.ask(
        'tools/call',
        { name, arguments: given },
        isModern,
      )
      expect(response.status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(internals)
      expect('result' in body || 'error' in body).toBe(true)
      expect(servers.errors).toEqual([])
    },
  )
  await fc.assert(calls, settings)
})

test('tool servers: any message gets a JSON-RPC response', async () => {
  const member = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(...names))
  const method = fc
    .constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'x')
    .chain(each => fc.constantFrom(each, `${each}/`, 'server/discover', 'notifications/cancelled'))
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), fc.constantFrom(null, 1.5, {})),
      method: fc.oneof(method, member),
      params: fc.oneof(fc.record({ name: member, arguments: member, _meta: member }), member),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue())
  const headers = fc.dictionary(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type'),
    fc.constantFrom('2026-07-28', '2025-11-25', 'tools/call', 'application/json', '', '*/*', 'x'),
  )
  const posts = fc.asyncProperty(body, headers, (sent, headers) =>
    expectJsonRpc(servers.post(JSON.stringify(sent), headers)),
  )
  await fc.assert(posts, settings)
})

test('tool servers: any bytes get a JSON-RPC response', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map(text => new TextEncoder().encode(text)),
    fc.jsonValue().map(json => new TextEncoder().encode(JSON.stringify(json).slice(0, -1))),
  )
  const posts = fc.asyncProperty(bytes, sent => expectJsonRpc(servers.post(new Uint8Array(sent))))
  await fc.assert(posts, settings)
})

test('tool servers: refuse bodies of extreme depth or width', async () => {
  const open = 60_000
  for (const body of [
    '['.repeat(open),
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(9000)}1${'}'.repeat(9001)}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_article","arguments":{"slug":${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`,
    `{"jsonrpc":"2.0","id":"${'x'.repeat(open)}","method":"ping"}`,
  ]) {
    await expectJsonRpc(servers.post(body))
  }
})
