// The clinical tool server on a free port, over the clinical API's fixtures and a small site build.
import { expect } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { exampleAddresses } from '#contract/derive/clinical.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import type { Scope } from '#contract/scopes.ts'
import type { ClinicalTool } from '#contract/tools/tools.ts'
import type { CallOptions } from '#clinical/testing/call.ts'
import { type Fixtures, fixturesBase, openFixtures } from '#clinical/testing/fixtures.ts'
import { addressReader } from '#http/client-address.ts'
import type { Log } from '#http/log.ts'
import { createHostCheck } from '#http/host-check.ts'
import { createRouter } from '#http/router.ts'
import type { Docs } from '#mcp/docs/docs.ts'
import { docsOfBuilds } from '#gateway/mcp/docs.ts'
import { toolServerOf } from '#gateway/origins/tool-server.ts'
import { listen } from '#gateway/origins/listen.ts'
import { newRequestId } from '#http/http-request.ts'
import { loadContract } from '#gateway/static/documents.ts'
import { sampleBuild } from '#gateway/testing/content.ts'
import { writeSampleSite } from '#gateway/testing/site.ts'

type Line = Parameters<Log['request']>[0]

const info = { name: 'tests', version: '1' }

export type ToolResult = {
  content: { type: string; text: string; _meta?: unknown }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

export type ToolClient = {
  listTools(): Promise<{ tools: unknown[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

/** The official clients: for the newest revision, and for revisions with a handshake. */
export const ways = ['2026-07-28', 'of the previous major version'] as const
type Way = (typeof ways)[number]

type Settings = {
  rateLimit?: number
  beside?: Fixtures
  docs?: () => Docs
  /** Whether a request without a credential gets Ada's test key. */
  isSignedIn?: boolean
}

export type ClinicalTools = Awaited<ReturnType<typeof openClinicalTools>>

export async function openClinicalTools(settings: Settings = {}) {
  const fixtures = settings.beside ?? (await openFixtures(settings))
  const { server, url, lines, errors, at } = serve(fixtures, settings)
  /** The last response's body as sent. */
  const sent = { text: '' }
  const recording = async (at: string | URL | Request, init?: RequestInit) => {
    const answer = await fetch(at, init)
    sent.text = await answer.clone().text()
    return answer
  }
  const connect = (way: Way, as: string, query = '') =>
    connectClient(way, new URL(`${url}${query}`), {
      requestInit: { headers: { authorization: `Bearer ${as}` } },
      fetch: recording as typeof fetch,
    })
  type Asking = { as?: string | null; query?: string; headers?: Record<string, string> }
  const post = (body: BodyInit, { as, query = '', headers }: Asking = {}) => {
    const key = as === undefined ? fixtures.ada.test : as
    const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
    return fetch(`${url}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body,
    })
  }
  const ask = async (method: string, params: object = {}, asking: Asking = {}) => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), asking)
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  const call = async (name: string, given: object = {}, asking: Asking = {}) => {
    const { body } = await ask('tools/call', { name, arguments: given }, asking)
    return body.result as ToolResult
  }
  const names = async (asking: Asking = {}): Promise<string[]> => {
    const { body } = await ask('tools/list', {}, asking)
    return body.result.tools.map(({ name }: { name: string }) => name)
  }
  /** A test key for Ada's integration. */
  const keyWith = (scopes: readonly Scope[]) =>
    fixtures.key({ integration: fixtures.ada.integration, mode: 'test', name: 'some', scopes })
  const close = async () => {
    await server.stop(true)
    if (!settings.beside) await fixtures.close()
  }
  return { fixtures, url, lines, errors, sent, connect, post, ask, call, names, keyWith, at, close }
}

/** An operation's request as its tool's arguments. */
export function argumentsOf({ operation }: ClinicalTool, { id, query, body, key }: CallOptions) {
  const [name] = pathNames(operation.path)
  const parameters = [...new URLSearchParams(query)].map(([each, text]) => [
    each,
    text === 'true' ? true : text,
  ])
  return {
    ...(name === undefined ? {} : { [name]: id }),
    ...Object.fromEntries(parameters),
    ...(body as object | undefined),
    ...(isWrite(operation) ? { idempotency_key: key } : {}),
  }
}

/** The problem in a refused call. Expects the result to contain nothing else. */
export function problemIn({ isError, content, ...others }: ToolResult) {
  expect([isError, content.length]).toEqual([true, 1])
  expect(others).not.toHaveProperty('structuredContent')
  return JSON.parse(content[0]?.text ?? '')
}

function sampleDocs(): () => Docs {
  const build = sampleBuild(writeSampleSite())
  return docsOfBuilds(() => build, loadContract(exampleAddresses), fixturesBase)
}

function serve(fixtures: Fixtures, { docs = sampleDocs(), isSignedIn = false }: Settings) {
  const server = listen('127.0.0.1', 0)
  const url = `http://localhost:${server.port}/mcp`
  // Tests can stop the clock.
  let held: number | undefined
  const { now } = fixtures.context
  const lines: Line[] = []
  const errors: unknown[] = []
  const served = toolServerOf({
    clinic: { ...fixtures.context, now: () => held ?? now() },
    listeners: {
      urls: { ...exampleAddresses, mcp: url, portal: '', console: '' },
      base: fixturesBase,
    },
    base: fixturesBase,
    docs,
    onError: (failure, { id }) => void errors.push([failure, id]),
  })
  const router = createRouter({
    groups: served.groups ?? [],
    plain: served.endpoints,
    fallback: context => served.fallback?.(context) ?? new Response(null, { status: 404 }),
    isAllowedHost: createHostCheck(url, []),
    addressOf: addressReader([]),
    newRequestId,
    base: fixturesBase,
    log: { request: line => void lines.push(line) },
    onError: failure => void errors.push(failure),
  })
  server.serve((request, peers) => {
    const { headers } = request
    if (isSignedIn && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${fixtures.ada.test}`)
    }
    return router(request, peers)
  })
  const at = (moment: number | undefined) => void (held = moment)
  return { server, url, lines, errors, at }
}

async function connectClient(
  way: Way,
  address: URL,
  options: { requestInit: RequestInit; fetch: typeof fetch },
): Promise<ToolClient> {
  if (way === 'of the previous major version') {
    const client = new FormerClient(info)
    // The library's types are inconsistent under exactOptionalPropertyTypes.
    await client.connect(new FormerTransport(address, options) as Transport)
    return client as ToolClient
  }
  const client = new Client(info, { versionNegotiation: { mode: { pin: way } } })
  await client.connect(new StreamableHTTPClientTransport(address, options))
  return client
}
