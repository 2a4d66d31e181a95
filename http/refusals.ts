// What a surface refuses, in the form that its callers read: a problem (RFC 9457), the error of
// ACP, or the error of JSON-RPC. A surface throws the refusal, and the door writes it.
import { type SiteProblemCode, siteProblems } from '#contract/site/problems.ts'
import { type SiteProblem, siteProblem } from './site-problem-writer.ts'

export type Form = 'problem' | 'acp' | 'jsonrpc'

/** Of the call that is answered; null before its body was read, as JSON-RPC wants it. */
export type RpcId = string | number | null

export class Refusal extends Error {
  constructor(
    readonly code: SiteProblemCode,
    readonly said: SiteProblem,
  ) {
    super(code)
  }
}

/** `throw refuse('not_found', { detail: '…' })`; the hint may be left to the code. */
export const refuse = (code: SiteProblemCode, said: SiteProblem) => new Refusal(code, said)

/** The refusal as an answer, without the headers that the door adds to every answer. */
export function refused(form: Form, { code, said }: Refusal, rpcId: RpcId = null): Response {
  if (form === 'problem') return siteProblem(code, said)
  const { status, hint } = siteProblems[code]
  const text = form === 'acp' ? acpError(code, said, hint) : rpcError(rpcId, code, said, hint)
  const headers = { 'content-type': 'application/json', ...said.headers }
  return new Response(JSON.stringify(text), { status, headers })
}

/** The official flat error, and the `messages` that the specification asks for beside it. */
function acpError(code: SiteProblemCode, said: SiteProblem, hint: string): object {
  const { status } = siteProblems[code]
  const flat = { type: acpType(status), code, message: said.detail }
  const message = {
    type: 'error',
    code: messageCodes[code] ?? 'invalid',
    content_type: 'plain',
    content: `${said.detail} ${said.hint ?? hint}`,
    severity: 'high',
    resolution: 'recoverable',
  }
  return { ...flat, ...said.members, messages: [message] }
}

function acpType(status: number): string {
  if (status === 500) return 'processing_error'
  return status === 429 || status === 503 ? 'service_unavailable' : 'invalid_request'
}

/** The closed list of ACP has a word for these. */
const messageCodes: Partial<Record<SiteProblemCode, string>> = {
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  method_not_allowed: 'unsupported',
  unsupported_api_version: 'unsupported',
  unsupported_media_type: 'unsupported',
}

function rpcError(id: RpcId, code: SiteProblemCode, said: SiteProblem, hint: string): object {
  const data = { code, hint: said.hint ?? hint, ...said.members }
  return { jsonrpc: '2.0', id, error: { code: rpcCode(code), message: said.detail, data } }
}

const [invalidRequest, internalError, serverError] = [-32_600, -32_603, -32_000]

function rpcCode(code: SiteProblemCode): number {
  if (code === 'internal_error') return internalError
  return code === 'rate_limited' || code === 'service_unavailable' ? serverError : invalidRequest
}
