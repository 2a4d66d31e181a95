// Recognizes plain calls: tools/call or tools/list without optional features. Nearly all calls are
// plain, and answering them directly takes a tenth of the library's time. The library handles all
// other calls, and would accept every call accepted here. Decided in
// docs/decisions/0031-answer-plain-tool-calls-directly.md.

import { protocolVersions } from '#contract/mcp/servers.ts'
import { isRecord } from './result.ts'

export type PlainCall = {
  readonly id: string | number
  /** Undefined for tools/list. */
  readonly tool: string | undefined
  readonly given: unknown
  /** Whether the call uses the revision without a handshake. */
  readonly isModern: boolean
  readonly client: ClientInfo | undefined
  /** Whether the client can show its user a form. */
  readonly canAsk: boolean
}

export type ClientInfo = { readonly name: string; readonly version: string }

const [modern, ...earlier] = protocolVersions
const earlierVersions: readonly string[] = earlier
/** The prefix of `_meta` names that the protocol reserves. */
export const prefix = 'io.modelcontextprotocol/'

export function plainCallOf(message: unknown, headers: Headers): PlainCall | undefined {
  if (!isRecord(message) || message['jsonrpc'] !== '2.0') return undefined
  const { id, method, params = {}, ...others } = message
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!isRecord(params) || Object.keys(others).length !== 1) return undefined
  const { _meta: meta = {}, name, arguments: given, ...rest } = params
  if (!isRecord(meta) || Object.keys(rest).length > 0) return undefined
  const isCall = method === 'tools/call' && typeof name === 'string'
  const isList = method === 'tools/list' && name === undefined && given === undefined
  if (!isCall && !isList) return undefined
  if (given !== undefined && !isRecord(given)) return undefined
  const era = eraOf(meta, headers, method, isCall ? name : undefined)
  if (era === undefined) return undefined
  const tool = isCall ? name : undefined
  return { id: id as string | number, tool, given, ...era }
}

type Era = Pick<PlainCall, 'isModern' | 'client' | 'canAsk'>

function eraOf(
  meta: Record<string, unknown>,
  headers: Headers,
  method: string,
  name: string | undefined,
): Era | undefined {
  const version = headers.get('mcp-protocol-version')
  const isReserved = (key: string) => key.startsWith(prefix)
  if (!Object.keys(meta).some(isReserved)) {
    const isEarlier = version === null || earlierVersions.includes(version)
    return isEarlier && !('progressToken' in meta)
      ? { isModern: false, client: undefined, canAsk: false }
      : undefined
  }
  const capabilities = meta[`${prefix}clientCapabilities`]
  const client = clientOf(meta[`${prefix}clientInfo`])
  const isPlain =
    version === modern &&
    meta[`${prefix}protocolVersion`] === modern &&
    headers.get('mcp-method') === method &&
    headers.get('mcp-name') === (name ?? null) &&
    isRecord(capabilities) &&
    Object.values(capabilities).every(isEmpty) &&
    client !== null &&
    Object.keys(meta).every(key => plainKeys.has(key))
  return isPlain
    ? { isModern: true, client, canAsk: Object.hasOwn(capabilities, 'elicitation') }
    : undefined
}

const plainKeys = new Set(
  ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(key => prefix + key),
)

const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0

/** Returns null if the info is present but not plain. */
function clientOf(info: unknown): ClientInfo | undefined | null {
  if (info === undefined) return undefined
  if (!isRecord(info)) return null
  const { name, version, title = '', ...others } = info
  const isPlain = [name, version, title].every(each => typeof each === 'string')
  return isPlain && Object.keys(others).length === 0
    ? { name: String(name), version: String(version) }
    : null
}
