// One tool server over HTTP: stateless, JSON only, both protocol eras at one path.

import { infoOf, type ServerDefinition } from '#contract/mcp/servers.ts'
import { listed } from '#contract/mcp/tool.ts'
import type { Answer } from '#http/answer.ts'
import { BodyFault } from '#http/json-body.ts'
import { rpcCodes, rpcError } from '#http/problem-formats.ts'
import type { RequestContext } from '#http/request-context.ts'
import { cacheHint, openLibrary } from './library.ts'
import { isAllowedOrigin } from './origins.ts'
import { type PlainCall, plainCallOf } from './plain-call.ts'
import type { ToolResult } from './result.ts'
import type { Caller, Tool } from './tool.ts'

const agentLengthMax = 200
/** Of the one revision that had batches, 2025-03-26. */
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
  return async (call: RequestContext): Promise<Answer> => {
    const { request } = call
    const { headers } = request
    if (!isAllowedOrigin(headers.get('origin'))) return forbiddenOrigin()
    const body = await call.body()
    const read = call.parseJson(body)
    const message = read instanceof BodyFault ? undefined : read.value
    const id: unknown = (message as { id?: unknown } | null | undefined)?.id
    if (typeof id === 'string' || typeof id === 'number') call.rpcId = id
    const plain = isJson(headers) ? plainCallOf(message, headers) : undefined
    const caller = { agent: agentOf(plain?.client, headers), address: call.address }
    if (plain !== undefined) {
      const result = await resultOf(plain, caller)
      if (result !== undefined) {
        call.addLogFields({ tool: plain.tool ?? 'tools/list' })
        const body = `{"jsonrpc":"2.0","id":${JSON.stringify(plain.id)},"result":${result}}`
        return { body }
      }
    }
    const refused =
      message === undefined && isJson(headers) ? noJson() : refusalOf(message, headers)
    if (refused !== undefined) return refused
    return library.answer(readable(request, body), message, caller)
  }
}

const isJson = (headers: Headers) =>
  /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/** Both eras answer JSON here, so a client that accepts only JSON is served. */
function readable({ url, method, headers: sent, signal }: Request, body: Uint8Array): Request {
  const headers = new Headers(sent)
  headers.set('accept', 'application/json, text/event-stream')
  headers.delete('content-length')
  return new Request(url, { method, headers, body: Buffer.from(body), signal })
}

/** A result as text; frequent ones are serialized once. */
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

const refusal = (status: number, code: number, message: string, hint: string): Answer => ({
  status,
  body: rpcError(null, { code, message, data: { hint } }),
})

const forbiddenOrigin = () =>
  refusal(
    403,
    rpcCodes.request,
    'Pages of this origin cannot call this server.',
    'Call from a page served over https, or from a program.',
  )

const noJson = () =>
  refusal(
    400,
    rpcCodes.parse,
    'Parse error: the body must be valid JSON in UTF-8.',
    'Send one JSON-RPC message.',
  )

/** What the library supports and this server refuses: streams, and long batches. */
function refusalOf(message: unknown, headers: Headers): Answer | undefined {
  if (Array.isArray(message)) {
    const version = headers.get('mcp-protocol-version') ?? '2025-03-26'
    if (version === '2025-03-26' && message.length <= batchMax) return undefined
    return refusal(
      400,
      rpcCodes.request,
      'Batches are not supported.',
      `Send one request at a time. Only revision 2025-03-26 has batches, of at most ${batchMax} messages.`,
    )
  }
  const method: unknown = (message as { method?: unknown } | null | undefined)?.method
  if (method !== 'subscriptions/listen') return undefined
  return refusal(
    404,
    rpcCodes.method,
    'Method not found: subscriptions/listen',
    'The tools change only with a deployment. Call tools/list again after its ttlMs.',
  )
}
