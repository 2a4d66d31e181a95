// The official client in each connection mode, and its previous major version. Each client calls
// every tool, and the arguments and results are validated against the tool's schemas.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { newBuyer } from '#booking/testing/booking-service.ts'
import { openServers, type Servers, type Tool } from '#gateway/testing/tool-servers.ts'

let servers: Servers
beforeAll(async () => {
  servers = await openServers(12)
})
afterAll(async () => servers.close())

type Caller = {
  listTools(): Promise<{ tools: unknown[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const info = { name: 'tests', version: '1' }

async function connect(mode: 'auto' | 'legacy' | { pin: string }, path: string): Promise<Caller> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(servers.url(path))))
  return client
}

async function connectFormer(path: string): Promise<Caller> {
  const client = new FormerClient(info)
  // The library's own types conflict under exactOptionalPropertyTypes.
  await client.connect(new FormerTransport(new URL(servers.url(path))) as Transport)
  return client as Caller
}

const ways: [string, (path: string) => Promise<Caller>][] = [
  ['auto', path => connect('auto', path)],
  ['legacy', path => connect('legacy', path)],
  ['pinned to 2026-07-28', path => connect({ pin: '2026-07-28' }, path)],
  ['of the previous major version', connectFormer],
]

/** Valid arguments for every tool. */
function argumentsFor(name: string, start: string): Record<string, unknown> {
  const ada = { first_name: 'Ada', email: newBuyer().email, user_consent: true }
  const all: Record<string, Record<string, unknown>> = {
    list_comparisons: { limit: 1 },
    get_comparison: { slug: 'this-vs-that' },
    list_articles: { limit: 5, tag: 'even' },
    get_article: { slug: 'article-3' },
    get_availability: { timezone: 'Europe/Berlin', days: 14 },
    book_discovery_call: { ...ada, start, timezone: 'Europe/Berlin' },
    request_callback: { ...ada, topic: 'Prices' },
  }
  return all[name] ?? {}
}

/**
 * Validates against both drafts, because older clients use an older draft. Compiles each schema
 * once.
 */
const drafts = [Ajv, Ajv2020].map(Draft => {
  const ajv = addFormats(new Draft({ strict: true, allowUnionTypes: true }))
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: object) => {
    const key = JSON.stringify(schema)
    const check = compiled.get(key) ?? ajv.compile(schema)
    compiled.set(key, check)
    return check
  }
})

function faultsOf(schema: object, value: unknown): unknown[] {
  return drafts.flatMap(compile => {
    const check = compile(schema)
    return check(value) ? [] : (check.errors ?? [])
  })
}

type Result = { structuredContent?: unknown; content: { type: string }[]; isError?: boolean }

describe.each(ways)('mcp: the official client, %s', (_way, open) => {
  for (const [path, count] of [['/mcp', 9] as const, ['/docs/mcp', 6] as const]) {
    test(`${path}: connects, lists ${count}, calls each`, async () => {
      const client = await open(path)
      const tools = (await client.listTools()).tools as Tool[]
      expect(tools).toHaveLength(count)
      const [slot] = await servers.bookingService.availability({ days: 14 })
      for (const { name, inputSchema, outputSchema } of tools) {
        const given = argumentsFor(name, slot?.start ?? '')
        const result = (await client.callTool({ name, arguments: given })) as Result
        expect([name, result.isError]).toEqual([name, undefined])
        expect(result.content.map(({ type }) => type)).toContain('text')
        for (const [schema, value] of [
          [inputSchema, given],
          [outputSchema, result.structuredContent],
        ] as const) {
          expect([name, faultsOf(schema, value)]).toEqual([name, []])
        }
      }
      await client.close()
    })
  }

  test('returns a refusal as a result, not as an error', async () => {
    const client = await open('/mcp')
    await client.listTools()
    const result = (await client.callTool({ name: 'book_discovery_call', arguments: {} })) as Result
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('consent_required') }],
    })
    await client.close()
  })
})
