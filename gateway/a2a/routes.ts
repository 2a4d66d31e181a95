// A2A at one URL for 0.3 and 1.0 clients. The official library translates both versions to one form
// and back. This file handles everything the library doesn't.
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { JsonRpcTransportHandler, type ServerCallContext } from '@a2a-js/sdk/server'
import { a2aPath } from '#contract/site/a2a.ts'
import type { Answer, TextAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { KeyRefusal } from '#booking/idempotency/refusals.ts'
import { BodyFault, isJsonType } from '#http/json-body.ts'
import { type RpcError, rpcError, type RpcId } from '#http/problem-formats.ts'
import {
  badParams,
  codes,
  errorInfo,
  isObject,
  messageFault,
  readCall,
  type Rpc,
  versionFault,
} from './envelope.ts'
import { a2aHandler, type A2aParts, AgentCall } from './handler.ts'

export type { A2aParts } from './handler.ts'

type Reply = { readonly result?: unknown; readonly error?: RpcError }
type Dispatch = (request: Rpc, context: ServerCallContext) => Promise<unknown>

export function a2aEndpoints(parts: A2aParts): Endpoint[] {
  const handler = a2aHandler(parts)
  const [newer, older] = [
    new JsonRpcTransportHandler(handler),
    new LegacyJsonRpcTransportHandler(handler),
  ]
  const dispatch: Dispatch = ({ dialect, id = null, method, params }, context) =>
    (dialect === '0.3' ? older : newer).handle({ jsonrpc: '2.0', id, method, params }, context)
  const answer = (request: HttpRequest) => answered(request, dispatch)
  // The protocol's test kit appends a slash to every URL in a card.
  return [a2aPath, `${a2aPath}/`].map(path => ({
    path,
    methods: ['POST'],
    errorFormat: 'jsonrpc',
    answer,
  }))
}

async function answered(request: HttpRequest, dispatch: Dispatch): Promise<Answer> {
  const { headers } = request
  const type = headers.get('content-type')
  if (type !== null && !isJsonType(type)) return rpc(null, { error: notJson })
  const read = request.parseJson(await request.body())
  if (read instanceof BodyFault) return rpc(null, { error: unreadable })
  const found = readCall(read.value)
  if ('error' in found) return rpc(found.id, found)
  const { id } = found.call
  request.rpcId = id
  const sent = await replyTo(request, found.call, dispatch)
  return id === undefined ? new Response(null, { status: 204 }) : sent
}

async function replyTo(request: HttpRequest, asked: Rpc, dispatch: Dispatch): Promise<TextAnswer> {
  const { id = null, dialect } = asked
  const { headers } = request
  const inAddress = request.search === '' ? null : request.url.searchParams.get('A2A-Version')
  const fault = versionFault(headers.get('a2a-version') ?? inAddress) ?? faultOf(asked)
  if (fault !== undefined) return rpc(id, { error: fault })
  const agent = headers.get('user-agent')?.slice(0, 200) ?? null
  const context = new AgentCall(dialect, agent, request.address, request.idempotencyKey)
  const reply = replyOf(await dispatch(asked, context))
  if (context.failure !== undefined) throw context.failure
  if (context.refusal !== undefined) return refusedKey(id, context.refusal)
  if (reply.error !== undefined) request.addLogFields({ code: String(reply.error.code) })
  return {
    ...rpc(id, reply),
    headers: {
      ...(context.isDryRun ? { 'service-dry-run': 'true' } : {}),
      ...(context.isReplayed ? { 'idempotent-replayed': 'true' } : {}),
    },
  }
}

/** The key is refused before the message is read, so the HTTP status is the same as in the
 *  checkout. */
function refusedKey(id: RpcId, { code, message, status, headers }: KeyRefusal): TextAnswer {
  const body = rpcError(id, { code: codes.request, message, data: { code, hint: message } })
  return { status, body, headers: headers ?? {} }
}

function replyOf(value: unknown): Reply {
  const reply = isObject(value) ? (value as Reply) : {}
  // The request causes every library error here, so none is an internal error.
  if (reply.error?.code !== codes.internal) return reply
  return {
    error: badParams({ field: 'params', description: "must match the method's parameters." }),
  }
}

const streaming = new Set([
  'message/stream',
  'tasks/resubscribe',
  'SendStreamingMessage',
  'SubscribeToTask',
])
const aboutTask = new Set(['tasks/get', 'tasks/cancel', 'GetTask', 'CancelTask'])

const methods = new Set([
  ...streaming,
  ...aboutTask,
  'message/send',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
  'SendMessage',
  'ListTasks',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
])

/** Errors that can be determined without running the request. */
function faultOf(request: Rpc): RpcError | undefined {
  const { method, params } = request
  if (!methods.has(method)) {
    return { code: codes.method, message: 'This method does not exist.' }
  }
  if (streaming.has(method)) {
    return {
      code: codes.unsupported,
      message:
        'This agent does not support streaming. Send the message with message/send or SendMessage.',
      data: [errorInfo('UNSUPPORTED_OPERATION', { method })],
    }
  }
  if (method === 'message/send' || method === 'SendMessage') return messageFault(request)
  const id = isObject(params) ? params['id'] : undefined
  if (aboutTask.has(method) && (typeof id !== 'string' || id === '')) {
    return badParams({ field: 'id', description: 'must be a task ID.' })
  }
  return undefined
}

const unreadable: RpcError = {
  code: codes.parse,
  message: 'The body is not JSON in UTF-8, is nested too deeply, or repeats a name.',
}

const notJson: RpcError = {
  code: codes.contentType,
  message: 'The body must be JSON: send Content-Type: application/json.',
  data: [errorInfo('CONTENT_TYPE_NOT_SUPPORTED', {})],
}

/** JSON-RPC errors are normal responses, so their HTTP status is 200. */
function rpc(id: RpcId, { result, error }: Reply): TextAnswer {
  const body = error ? rpcError(id, error) : JSON.stringify({ jsonrpc: '2.0', id, result })
  return { body }
}
