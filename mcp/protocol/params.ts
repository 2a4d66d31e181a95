// Handles a message's params before and after the official library. Null counts as absent, because
// clients mean it that way. Malformed params are refused in our words, because the library would
// return its validator's raw output as an internal error.

import { escapePointer } from '#contract/faults.ts'
import { fieldMessage, formOfType } from '#contract/messages/field-messages.ts'
import { rpcCodes, rpcError, type RpcId } from '#http/problem-formats.ts'
import { type Fault, isRecord } from './result.ts'

const hasNull = (members: Record<string, unknown>) => Object.values(members).includes(null)
const present = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** Removes null fields from params and `_meta`, in which no field may be null. */
export function withoutNulls(message: unknown): unknown {
  if (!isRecord(message) || !('params' in message)) return message
  const { params, ...rest } = message
  if (params === null) return rest
  if (!isRecord(params)) return message
  const { _meta: meta } = params
  const isMetaKept = !isRecord(meta) || !hasNull(meta)
  if (isMetaKept && !hasNull(params)) return message
  return {
    ...rest,
    params: { ...present(params), ...(isMetaKept ? {} : { _meta: present(meta) }) },
  }
}

const wrongType = (place: readonly string[], type: string): Fault => {
  const name = place.at(-1) ?? 'params'
  return {
    pointer: `#/${place.map(escapePointer).join('/')}`,
    code: 'wrong_type',
    message: fieldMessage.wrongType(/^[\w./-]{1,64}$/.test(name) ? name : 'This field', type),
  }
}

/** Finds faults that keep the library from recognizing a message. */
export function faultOfParams(message: Record<string, unknown>): Fault | undefined {
  const { params = {} } = message
  if (!isRecord(params)) return wrongType(['params'], 'a JSON object')
  const { _meta: meta = {} } = params
  if (!isRecord(meta)) return wrongType(['params', '_meta'], 'a JSON object')
  const { progressToken = 0 } = meta
  return typeof progressToken === 'string' || Number.isSafeInteger(progressToken)
    ? undefined
    : wrongType(['params', '_meta', 'progressToken'], 'a string or an integer')
}

/** A refusal's body. */
export const refusedParams = (id: RpcId, errors: readonly Fault[]): string =>
  rpcError(id, {
    code: rpcCodes.params,
    message: `Invalid params: ${errors[0]?.message ?? 'they do not match the method.'}`,
    data: { hint: 'Fix each entry in errors and send the message again.', errors },
  })

type Issue = { readonly path: readonly unknown[]; readonly expected?: unknown }

/** Rewords a library error that contains params faults. */
export function inOurWords(text: string): string {
  const { id = null, error } = JSON.parse(text) as { id?: RpcId; error?: { message: string } }
  const dump = /\[\n.*\]$/s.exec(error?.message ?? '')?.[0]
  if (dump === undefined) return text
  const faults = (JSON.parse(dump) as Issue[]).map(({ path, expected }) =>
    wrongType(path.map(String), formOfType(String(expected))),
  )
  return refusedParams(id, faults)
}
