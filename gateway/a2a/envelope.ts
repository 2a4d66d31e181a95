// A2A's JSON-RPC layer: rejects invalid requests, negotiates the version, and checks a message's
// shape before reading its content. The library is too lenient in all three.
import { a2aVersions } from '#contract/site/a2a.ts'
import { rpcCodes, type RpcError, type RpcId } from '#http/problem-formats.ts'

export type Rpc = {
  /** Undefined for a notification, which gets no response. */
  readonly id: RpcId | undefined
  readonly method: string
  readonly params: unknown
  readonly dialect: Dialect
}

/** Version 0.3 method names have a slash; version 1.0 names are in PascalCase. */
type Dialect = '0.3' | '1.0'

export const codes = {
  ...rpcCodes,
  unsupported: -32_004,
  contentType: -32_005,
  version: -32_009,
} as const

type ParsedCall = { readonly call: Rpc } | { readonly id: RpcId; readonly error: RpcError }

type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is RpcId =>
  id === null || typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id))

const malformed = (id: unknown, message: string): ParsedCall => ({
  id: isId(id) ? id : null,
  error: { code: codes.request, message },
})

/** One request or an envelope error. Neither version has batches. */
export function readCall(value: unknown): ParsedCall {
  if (Array.isArray(value))
    return malformed(null, 'The body must not be a batch: send one call at a time.')
  if (!isObject(value)) return malformed(null, 'The body must be a JSON-RPC request object.')
  const { jsonrpc, id, method, params } = value
  if (jsonrpc !== '2.0') return malformed(id, 'jsonrpc must be "2.0".')
  if (id !== undefined && !isId(id)) {
    return malformed(null, 'id must be a string, an integer or null.')
  }
  if (typeof method !== 'string' || method === '')
    return malformed(id, 'method must be a non-empty string.')
  const dialect = method.includes('/') ? '0.3' : '1.0'
  return { call: { id, method, params, dialect } }
}

/** The error for an unsupported A2A-Version. Ignores the patch number. */
export function versionFault(asked: string | null): RpcError | undefined {
  const wanted = (asked ?? '').trim()
  const [, version] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(wanted) ?? []
  if (wanted === '' || a2aVersions.some(each => each === version)) return undefined
  const supported = a2aVersions.join(', ')
  return {
    code: codes.version,
    message: `A2A-Version must be one of ${supported}.`,
    data: [errorInfo('VERSION_NOT_SUPPORTED', { supportedVersions: supported })],
  }
}

/** Error details of the protocol's own errors (google.rpc.ErrorInfo). */
export const errorInfo = (reason: string, metadata: Readonly<Record<string, string>>) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
  metadata,
})

type Violation = { readonly field: string; readonly description: string }

/** Error details of invalid parameters (google.rpc.BadRequest). */
export const badParams = (...violations: readonly [Violation, ...Violation[]]): RpcError => ({
  code: codes.params,
  message: `Invalid parameters: ${violations[0].field} ${violations[0].description}`,
  data: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }],
})

/** Longer than any real ID, and short enough to echo. */
const idMax = 256

/** The fields that a message lacks but its version requires. */
export function messageFault({ params, dialect }: Rpc): RpcError | undefined {
  const message = isObject(params) ? params['message'] : undefined
  if (!isObject(message)) return fault('message', 'must be a JSON object.')
  const { messageId, role, parts, contextId, taskId } = message
  if (typeof messageId !== 'string' || messageId === '' || messageId.length > idMax) {
    return fault('message.messageId', `must be a string of 1 to ${idMax} characters.`)
  }
  const user = dialect === '0.3' ? 'user' : 'ROLE_USER'
  if (role !== user) return fault('message.role', `must be "${user}".`)
  for (const [name, value] of Object.entries({ contextId, taskId })) {
    if (value !== undefined && (typeof value !== 'string' || value.length > idMax)) {
      return fault(`message.${name}`, `must be a string of at most ${idMax} characters.`)
    }
  }
  if (!Array.isArray(parts) || parts.length === 0) {
    return fault('message.parts', 'must be a JSON array with at least one part.')
  }
  const at = parts.findIndex(part => !isPart(part, dialect))
  if (at < 0) return undefined
  const known =
    dialect === '0.3' ? 'a part of kind text, data or file' : 'a part with text, data, raw or url'
  return fault(`message.parts[${at}]`, `must be ${known}.`)
}

const fault = (field: string, description: string) => badParams({ field, description })

function isPart(part: unknown, dialect: Dialect): boolean {
  if (!isObject(part)) return false
  const { kind, text, data, file, raw, url } = part
  if (dialect === '1.0') {
    const given = [text, data, raw, url].filter(each => each !== undefined)
    const isText = [text, raw, url].every(each => each === undefined || typeof each === 'string')
    return given.length === 1 && isText
  }
  if (kind === 'text') return typeof text === 'string'
  if (kind === 'data') return isObject(data)
  return kind === 'file' && isObject(file) && ['bytes', 'uri'].some(name => isText(file[name]))
}

const isText = (value: unknown) => typeof value === 'string'
