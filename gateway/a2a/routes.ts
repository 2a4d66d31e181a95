// A2A at one address, for callers of 0.3 and of 1.0. The official library turns either into one
// form and back; around it stands what it leaves open.
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { a2aPath } from '#contract/site/a2a.ts'
import type { EndpointCall, Plain, Endpoint } from '#http/endpoint-router.ts'
import type { RpcId } from '#http/refusals.ts'
import { mayBeJson, parseJson } from '#http/parse-json.ts'
import {
  badParams,
  codes,
  errorInfo,
  isObject,
  messageFault,
  readCall,
  type Rpc,
  type RpcError,
  versionFault,
} from './envelope.ts'
import { a2aHandler, type A2aParts, inContext } from './handler.ts'

export type { A2aParts } from './handler.ts'

type Reply = { readonly result?: unknown; readonly error?: RpcError }
type Dispatch = (call: Rpc, context: ServerCallContext) => Promise<unknown>

export function a2aEndpoints(parts: A2aParts): Endpoint[] {
  const handler = a2aHandler(parts)
  const [newer, older] = [
    new JsonRpcTransportHandler(handler),
    new LegacyJsonRpcTransportHandler(handler),
  ]
  const dispatch: Dispatch = ({ dialect, ...call }, context) =>
    (dialect === '0.3' ? older : newer).handle({ jsonrpc: '2.0', ...call }, context)
  const answer = (call: EndpointCall) => answered(call, dispatch)
  // A test kit of the protocol puts a slash behind every address that it finds in a card.
  return [a2aPath, `${a2aPath}/`].map(path => ({
    path,
    methods: ['POST'],
    form: 'jsonrpc',
    answer,
  }))
}

async function answered(call: EndpointCall, dispatch: Dispatch): Promise<Plain> {
  const { headers } = call.request
  if (!mayBeJson(headers.get('content-type'))) return rpc(null, { error: notJson })
  const read = parseJson(await call.body())
  if (read === undefined) return rpc(null, { error: unreadable })
  const found = readCall(read.value)
  if ('error' in found) return rpc(found.id, found)
  const asked = found.call
  call.inReplyTo(asked.id)
  const inAddress = call.search === '' ? null : call.url.searchParams.get('A2A-Version')
  const asksVersion = headers.get('a2a-version') ?? inAddress
  const fault = versionFault(asksVersion) ?? faultOf(asked)
  if (fault !== undefined) return rpc(asked.id, { error: fault })
  const agent = headers.get('user-agent')?.slice(0, 200) ?? null
  const context = new ServerCallContext({
    requestedVersion: asked.dialect,
    state: new Map([[inContext.agent, agent]]),
  })
  const reply = replyOf(await dispatch(asked, context))
  if (context.state.has(inContext.failure)) throw context.state.get(inContext.failure)
  if (reply.error !== undefined) call.note({ code: String(reply.error.code) })
  const sent = rpc(asked.id, reply)
  if (!context.state.has(inContext.dryRun)) return sent
  return { ...sent, headers: { 'service-dry-run': 'true' } }
}

function replyOf(value: unknown): Reply {
  const reply = isObject(value) ? (value as Reply) : {}
  // What the library stumbles over is what the caller wrote: nothing of ours failed by then.
  if (reply.error?.code !== codes.internal) return reply
  return {
    error: badParams({ field: 'params', description: 'must have the form that the method takes.' }),
  }
}

const streaming = new Set([
  'message/stream',
  'tasks/resubscribe',
  'SendStreamingMessage',
  'SubscribeToTask',
])
const aboutTask = new Set(['tasks/get', 'tasks/cancel', 'GetTask', 'CancelTask'])

/** What can be said of a call without doing anything. */
function faultOf(call: Rpc): RpcError | undefined {
  const { method, params } = call
  if (streaming.has(method)) {
    return {
      code: codes.unsupported,
      message:
        'This agent does not support streaming. Send the message with message/send or SendMessage.',
      data: [errorInfo('UNSUPPORTED_OPERATION', { method })],
    }
  }
  if (method === 'message/send' || method === 'SendMessage') return messageFault(call)
  const id = isObject(params) ? params['id'] : undefined
  if (aboutTask.has(method) && (typeof id !== 'string' || id === '')) {
    return badParams({ field: 'id', description: 'must be a task id.' })
  }
  return undefined
}

const unreadable: RpcError = {
  code: codes.parse,
  message: 'The body must be valid JSON in UTF-8, and not nested too deeply.',
}

const notJson: RpcError = {
  code: codes.contentType,
  message: 'The body must be JSON: send Content-Type: application/json.',
  data: [errorInfo('CONTENT_TYPE_NOT_SUPPORTED', {})],
}

/** Errors of JSON-RPC are answers, so HTTP has nothing against them. */
function rpc(id: RpcId, { result, error }: Reply): Plain {
  const body = error === undefined ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error }
  return { type: 'application/json', body: JSON.stringify(body) }
}
