// A tool server over HTTP: stateless, JSON only, with both protocol eras at one path.

import { infoOf, protocolVersions, type ServerText } from '#contract/mcp/servers.ts'
import { Problem } from '#contract/problems.ts'
import type { Answer } from '#http/answer.ts'
import { BodyFault, jsonTypeOf } from '#http/json-body.ts'
import { openOnce } from '#http/open-once.ts'
import { rpcCodes, rpcError, writeProblem } from '#http/problem-formats.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { Library } from './library.ts'
import { faultOfParams, refusedParams, withoutNulls } from './params.ts'
import { agentOf, clientInfoOf, inputRequired } from './message.ts'
import { isAllowedOrigin } from './origins.ts'
import { type PlainCall, plainCallOf, prefix } from './plain-call.ts'
import { Ask, isRecord, WrittenResult } from './result.ts'
import type { CacheHint, Call, CallResult, ToolList, ToolSource } from './source.ts'

/** The only revision with batches. */
const batchVersion = '2025-03-26'
const batchMax = 20

export function openServer(definition: ServerText, source: ToolSource) {
  // Loads the library on first use, because loading takes a ninth of a gateway's startup time.
  const { get: library } = openOnce<Library>(async () => {
    const { openLibrary } = await import('./library.ts')
    return openLibrary(definition, source)
  })
  const write = writerOf(definition)
  const methods = methodsOf(source)
  const resultOf = async (plain: PlainCall, call: Call): Promise<string | undefined> => {
    const { tool, given, isModern, canAsk } = plain
    if (tool === undefined) return write(await source.list(call), isModern, source.cache)
    const confirmation = canAsk ? 'unasked' : 'unable'
    const called = source.call(call, { name: tool, given, confirmation })
    const result = called instanceof Promise ? await called : called
    return result && write(result, isModern)
  }
  const answerOne = async (request: HttpRequest, sent: unknown, bytes: Uint8Array) => {
    const { headers } = request
    const message = withoutNulls(sent)
    const body = message === sent ? bytes : encode(message)
    const plain = isJson(headers) ? plainCallOf(message, headers) : undefined
    const call = { request, agent: agentOf(plain?.client ?? clientInfoOf(message), headers) }
    if (plain !== undefined) {
      const result = await resultOf(plain, call)
      if (result !== undefined) {
        request.addLogFields({ tool: plain.tool ?? 'tools/list' })
        const text = `{"jsonrpc":"2.0","id":${JSON.stringify(plain.id)},"result":${result}}`
        return { body: text }
      }
    }
    const method = isRecord(message) ? message['method'] : undefined
    if (!methods.asked.has(method)) {
      await source.admit?.(call, typeof method === 'string' ? method : undefined)
    }
    const refused = isJson(headers) ? withoutLibrary(message, headers, methods.all) : undefined
    return refused ?? (await library()).answer(readable(request.raw, body), message, call)
  }
  return async (request: HttpRequest): Promise<Answer> => {
    const { headers } = request
    if (!isAllowedOrigin(headers.get('origin'))) return forbiddenOrigin()
    await source.open?.(request)
    const body = await request.body()
    const read = request.parseJson(body)
    const message = read instanceof BodyFault ? undefined : read.value
    request.rpcId = idOf(message)
    return Array.isArray(message) && isJson(headers)
      ? answerBatch(request, message, one => answerOne(request, one, encode(one)))
      : answerOne(request, message, body)
  }
}

const encode = (message: unknown) => new TextEncoder().encode(JSON.stringify(message))

/** A message's id if it's a string or a number, otherwise null. */
function idOf(message: unknown): string | number | null {
  const id: unknown = isRecord(message) ? message['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Accepts only application/json, because the protocol has no derived media type. */
const isJson = (headers: Headers) => jsonTypeOf(headers.get('content-type'))?.isItself === true

/** Replaces Accept, so the library also serves clients that accept only JSON. Both eras respond
 *  with JSON here. */
function readable({ url, method, headers: sent, signal }: Request, body: Uint8Array): Request {
  const headers = new Headers(sent)
  headers.set('accept', 'application/json, text/event-stream')
  headers.delete('content-length')
  return new Request(url, { method, headers, body: Buffer.from(body), signal })
}

/** Writes a result as text. The text is cached by result object, because many results repeat. */
function writerOf(definition: ServerText) {
  const info = { [`${prefix}serverInfo`]: infoOf(definition) }
  const infoText = JSON.stringify(info).slice(1, -1)
  const written = { modern: new WeakMap<object, string>(), earlier: new WeakMap<object, string>() }
  return (result: CallResult | ToolList, isModern: boolean, cache?: CacheHint): string => {
    if (result instanceof WrittenResult) return spliced(result, isModern, infoText)
    const known = isModern ? written.modern : written.earlier
    const before = known.get(result)
    if (before !== undefined) return before
    const value = result instanceof Ask ? inputRequired(result.message) : result
    const modern = () => ({ ...cache, resultType: 'complete', ...value, _meta: info })
    const made = JSON.stringify(isModern ? modern() : value)
    known.set(result, made)
    return made
  }
}

/** `info` is text: the `_meta` fields of every result in the newest revision. */
function spliced({ members, meta }: WrittenResult, isModern: boolean, info: string): string {
  const own = JSON.stringify(meta)
  if (!isModern) return `{${members},"_meta":${own}}`
  const all = own === '{}' ? `{${info}}` : `${own.slice(0, -1)},${info}}`
  return `{${members},"resultType":"complete","_meta":${all}}`
}

type Refusal = { readonly status: number; readonly body: string }

const refusal = (
  status: number,
  code: number,
  message: string,
  hint: string,
  id: string | number | null = null,
): Refusal => ({ status, body: rpcError(id, { code, message, data: { hint } }) })

const forbiddenOrigin = () =>
  refusal(
    403,
    rpcCodes.request,
    'Pages on this origin cannot call this server.',
    'Call from a page served over https, or from a program.',
  )

const noJson = () =>
  refusal(
    400,
    rpcCodes.parse,
    'Parse error: the body must be valid JSON in UTF-8.',
    'Send one JSON-RPC message.',
  )

/**
 * The supported methods, and whether each method calls the source. Notifications get no response.
 */
function methodsOf({ resources, skills }: ToolSource) {
  const more = resources ? ['resources/list', 'resources/templates/list', 'resources/read'] : []
  const ofSkills = skills ? ['skills/list', 'skills/get'] : []
  const asked = ['tools/list', 'tools/call', ...more, ...ofSkills]
  return {
    asked: new Set<unknown>(asked),
    all: ['initialize', 'ping', 'server/discover', ...asked],
  }
}

/**
 * Answers messages that don't need the library, or for which the library deviates from JSON-RPC
 * 2.0.
 */
function withoutLibrary(
  message: unknown,
  headers: Headers,
  methods: readonly string[],
): Answer | undefined {
  if (message === undefined) return noJson()
  if (!isRecord(message) || message['jsonrpc'] !== '2.0') return undefined
  const { id, method } = message
  if (typeof method !== 'string') return undefined
  if (id === undefined) return nothing()
  const version = headers.get('mcp-protocol-version')
  const isKnown = version === null || protocolVersions.some(each => each === version)
  const rpcId = idOf(message)
  if (!isKnown || rpcId === null) return undefined
  const isNewest = version === protocolVersions[0]
  if (methods.includes(method)) {
    const fault = faultOfParams(message)
    return fault && { status: isNewest ? 400 : 200, body: refusedParams(rpcId, [fault]) }
  }
  return refusal(
    isNewest ? 404 : 200,
    rpcCodes.method,
    'Method not found: this server has no such method.',
    `Methods: ${methods.join(', ')}. The tools change only with a deployment.`,
    rpcId,
  )
}

const nothing = () => new Response(null, { status: 202 })

/** Answers each request in a batch, in order. Notifications get no response. Once a request was
 *  answered, a later refusal is only that request's response. */
async function answerBatch(
  request: HttpRequest,
  batch: readonly unknown[],
  answerOne: (message: unknown) => Promise<Answer>,
): Promise<Answer> {
  const version = request.headers.get('mcp-protocol-version') ?? batchVersion
  if (version !== batchVersion || batch.length > batchMax) {
    return refusal(
      400,
      rpcCodes.request,
      'Batches are not supported.',
      `Send one request at a time. Only revision ${batchVersion} has batches, of at most ${batchMax} messages.`,
    )
  }
  if (batch.length === 0) return invalidMessage(400)
  const answers: string[] = []
  for (const message of batch) {
    const answer = isRecord(message)
      ? await answerOne(message).catch((failure: unknown) => {
          if (answers.length === 0 || !(failure instanceof Problem)) throw failure
          if (message['id'] === undefined) return nothing()
          return refusedMessage(request, message, failure)
        })
      : invalidMessage(200)
    const text = answer instanceof Response ? await answer.text() : answer.body
    if (text !== '') answers.push(text)
  }
  return answers.length === 0 ? nothing() : { body: `[${answers.join(',')}]` }
}

const refusedMessage = (request: HttpRequest, message: unknown, problem: Problem): Answer => {
  const { surface = 'site', base = '' } = request.settings ?? {}
  return writeProblem(problem, 'jsonrpc', {
    surface,
    base,
    requestId: surface === 'v1' ? request.id : null,
    method: request.method,
    rpcId: idOf(message),
    accept: null,
  })
}

const invalidMessage = (status: number) =>
  refusal(
    status,
    rpcCodes.request,
    'Invalid request: a message must be a JSON-RPC object.',
    'Send {"jsonrpc":"2.0","id":1,"method":"tools/list"}.',
  )
