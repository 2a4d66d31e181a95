// One tool server over HTTP: stateless, JSON only, both eras of the protocol at one path.

import { infoOf, type ServerDefinition } from '#contract/mcp/servers.ts'
import { listed } from '#contract/mcp/tool.ts'
import { cacheHint, openLibrary } from './library.ts'
import { isAllowedOrigin } from './origins.ts'
import { type PlainCall, plainCallOf } from './plain-call.ts'
import type { ToolResult } from './result.ts'
import type { Caller, Tool } from './tool.ts'

/** What the front door hands over. */
export type Call = {
  readonly request: Request
  /** The client's address, where it is known. */
  readonly address: string | null
  /** Adds to the log's line of the request. Never what was said. */
  note(fields: Readonly<Record<string, string>>): void
  /** The id of the call, so that a refusal of the door's names it. */
  inReplyTo(id: string | number): void
  /** Bounded and timed. */
  body(): Promise<Uint8Array>
}

/** A text is quicker than a response, where nothing else is to be said. */
export type Answer = Response | { readonly type: string; readonly body: string }

const json = { 'content-type': 'application/json' }
const agentLengthMax = 200
/** Of the one revision that had them, 2025-03-26. */
const batchMax = 20

export function openServer(definition: ServerDefinition, tools: readonly Tool[]) {
  const byName = new Map(tools.map(tool => [tool.definition.name, tool]))
  const library = openLibrary(definition, tools)
  const text = writerOf(definition)
  const list = { tools: tools.map(tool => listed(tool.definition)) }
  const lists = { modern: text(list, true, cacheHint), earlier: text(list, false) }
  const resultOf = ({ tool, given, isModern }: PlainCall, caller: Caller) => {
    if (tool === undefined) return isModern ? lists.modern : lists.earlier
    const found = byName.get(tool)?.call(given, caller)
    if (found instanceof Promise) return found.then(result => text(result, isModern))
    return found && text(found, isModern)
  }
  return async (call: Call): Promise<Answer> => {
    const { request } = call
    const { headers } = request
    if (!isAllowedOrigin(headers.get('origin'))) return forbiddenOrigin()
    const body = await call.body()
    const message = parsed(body)
    const id: unknown = (message as { id?: unknown } | null | undefined)?.id
    if (typeof id === 'string' || typeof id === 'number') call.inReplyTo(id)
    const plain = isJson(headers) ? plainCallOf(message, headers) : undefined
    const caller = { agent: agentOf(plain?.client, headers), address: call.address }
    if (plain !== undefined) {
      const result = await resultOf(plain, caller)
      if (result !== undefined) {
        call.note({ tool: plain.tool ?? 'tools/list' })
        const body = `{"jsonrpc":"2.0","id":${JSON.stringify(plain.id)},"result":${result}}`
        return { type: 'application/json', body }
      }
    }
    const refused =
      message === undefined && isJson(headers) ? noJson() : refusalOf(message, headers)
    if (refused !== undefined) return refused
    return library.answer(readable(request, body), message, caller)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Undefined where the body is no JSON in UTF-8. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}

const isJson = (headers: Headers) =>
  /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/** Both eras answer JSON here, so a client that reads nothing else is welcome. */
function readable({ url, method, headers: sent, signal }: Request, body: Uint8Array): Request {
  const headers = new Headers(sent)
  headers.set('accept', 'application/json, text/event-stream')
  headers.delete('content-length')
  return new Request(url, { method, headers, body: Buffer.from(body), signal })
}

/** A result as text. What is answered again and again is written once. */
function writerOf(definition: ServerDefinition) {
  const info = { _meta: { 'io.modelcontextprotocol/serverInfo': infoOf(definition) } }
  const written = { modern: new WeakMap<object, string>(), earlier: new WeakMap<object, string>() }
  return (result: ToolResult | object, isModern: boolean, more: object = {}): string => {
    const known = isModern ? written.modern : written.earlier
    const before = known.get(result)
    if (before !== undefined) return before
    const whole = isModern ? { ...result, ...more, resultType: 'complete', ...info } : result
    const made = JSON.stringify(whole)
    known.set(result, made)
    return made
  }
}

function agentOf(client: PlainCall['client'], headers: Headers): string | null {
  const name = client ? `${client.name} ${client.version}` : headers.get('user-agent')
  return name === null ? null : name.toWellFormed().slice(0, agentLengthMax)
}

function rpcError(status: number, code: number, message: string, hint: string): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message, data: { hint } } }
  return new Response(JSON.stringify(body), { status, headers: json })
}

const forbiddenOrigin = () =>
  rpcError(
    403,
    -32_600,
    'Pages of this origin cannot call this server.',
    'Call from a page served over https, or from a program.',
  )

const noJson = () =>
  rpcError(
    400,
    -32_700,
    'Parse error: the body must be valid JSON in UTF-8.',
    'Send one JSON-RPC message.',
  )

/** What the library would do and this server does not: streams, and long batches. */
function refusalOf(message: unknown, headers: Headers): Response | undefined {
  if (Array.isArray(message)) {
    const version = headers.get('mcp-protocol-version') ?? '2025-03-26'
    if (version === '2025-03-26' && message.length <= batchMax) return undefined
    return rpcError(
      400,
      -32_600,
      'Batches are not supported.',
      `Send one request at a time. Only revision 2025-03-26 has batches, of at most ${batchMax} messages.`,
    )
  }
  const method: unknown = (message as { method?: unknown } | null | undefined)?.method
  if (method !== 'subscriptions/listen') return undefined
  return rpcError(
    404,
    -32_601,
    'Method not found: subscriptions/listen',
    'The tools change only with a deployment. Call tools/list again after its ttlMs.',
  )
}
