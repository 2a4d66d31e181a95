// A plain call: tools/call or tools/list with nothing about it that needs judging. It is what a
// server is asked nearly always, and answering it here costs a tenth of the library's way. Whatever
// is unusual is no plain call, and the library judges it: what is taken here, it would take too.

import { protocolVersions } from '#contract/mcp/servers.ts'
import { isRecord } from './result.ts'

export type PlainCall = {
  readonly id: string | number
  /** Undefined: the list is asked for. */
  readonly tool: string | undefined
  readonly given: unknown
  /** The revision without a handshake, or one of those before it. */
  readonly isModern: boolean
  readonly client: { readonly name: string; readonly version: string } | undefined
}

const [modern, ...earlier] = protocolVersions
const earlierVersions: readonly string[] = earlier
const ours = 'io.modelcontextprotocol/'

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

type Era = Pick<PlainCall, 'isModern' | 'client'>

function eraOf(
  meta: Record<string, unknown>,
  headers: Headers,
  method: string,
  name: string | undefined,
): Era | undefined {
  const version = headers.get('mcp-protocol-version')
  const isOurs = (key: string) => key.startsWith(ours)
  if (!Object.keys(meta).some(isOurs)) {
    const isEarlier = version === null || earlierVersions.includes(version)
    return isEarlier && !('progressToken' in meta)
      ? { isModern: false, client: undefined }
      : undefined
  }
  const capabilities = meta[`${ours}clientCapabilities`]
  const client = clientOf(meta[`${ours}clientInfo`])
  const isPlain =
    version === modern &&
    meta[`${ours}protocolVersion`] === modern &&
    headers.get('mcp-method') === method &&
    headers.get('mcp-name') === (name ?? null) &&
    isRecord(capabilities) &&
    Object.values(capabilities).every(isEmpty) &&
    client !== null &&
    Object.keys(meta).every(key => plainKeys.has(key))
  return isPlain ? { isModern: true, client } : undefined
}

const plainKeys = new Set(
  ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(key => ours + key),
)

const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0

/** Null where it is there and unusual. */
function clientOf(info: unknown): PlainCall['client'] | null {
  if (info === undefined) return undefined
  if (!isRecord(info)) return null
  const { name, version, title = '', ...others } = info
  const isPlain = [name, version, title].every(each => typeof each === 'string')
  return isPlain && Object.keys(others).length === 0
    ? { name: String(name), version: String(version) }
    : null
}
