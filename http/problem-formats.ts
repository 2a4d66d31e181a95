// Writes problems in the caller's format: problem+json (RFC 9457), ACP, JSON-RPC, or an HTML page.
// A problem contains only public text, never the cause.
import {
  hintOf,
  type Problem,
  problems,
  type ProblemRow,
  type Surface,
} from '#contract/problems.ts'
import { fhirMime } from '#contract/fhir/resource-types.ts'
import { type AcpDate, acpNewest, type MessageCode, messageCodeIn } from '#contract/site/acp.ts'
import { namesHtml } from './accept.ts'
import type { TextAnswer } from './answer.ts'

/** The parts of the request that formats use. */
type ProblemCall = {
  /** The API whose contract defines the problem; selects the hint. */
  readonly surface: Surface
  /** The origin of problem types. Empty means that types are relative references. */
  readonly base: string
  /** The request's method; hints differ between reads and writes. */
  readonly method: string
  /** Null if the surface's problems have no `request_id`. */
  readonly requestId: string | null
  /** The JSON-RPC request's id; null if its body wasn't read, as JSON-RPC 2.0 requires. */
  readonly rpcId: RpcId
  readonly accept: string | null
  /** Undefined means the newest. */
  readonly acpDate?: AcpDate | undefined
}

export type RpcId = string | number | null
export type ErrorFormat = keyof typeof formats

const formats = {
  problem: asProblem,
  page: asPage,
  acp: asAcpError,
  jsonrpc: asRpcError,
  fhir: asOutcome,
} as const

const problemType = 'application/problem+json'

export const writeProblem = (
  problem: Problem,
  format: ErrorFormat,
  call: ProblemCall,
): Required<TextAnswer> => ({
  type: 'application/json',
  status: problems[problem.code].status,
  headers: problem.content.headers ?? {},
  ...formats[format](problem, call),
})

type FormattedProblem = Pick<TextAnswer, 'type'> & { readonly body: string }

const detailOf = ({ code, content }: Problem): string => {
  const { detail, title }: ProblemRow = problems[code]
  return content.detail ?? detail ?? `${title}.`
}

const hintFor = ({ code, content }: Problem, { surface, method }: ProblemCall): string =>
  content.hint ?? hintOf(code, surface, !isRead(method))

export const isRead = (method: string) =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function asProblem(problem: Problem, call: ProblemCall): FormattedProblem {
  return { type: problemType, body: JSON.stringify(problemObject(problem, call)) }
}

function problemObject(problem: Problem, call: ProblemCall): object {
  const { base, requestId } = call
  const { code, content } = problem
  const { status, title, surfaces }: ProblemRow = problems[code]
  const fixed = {
    // Only problems in a contract have a page to link to.
    type: surfaces?.length === 0 ? 'about:blank' : `${base}/problems/${code}`,
    title,
    status,
    detail: detailOf(problem),
    code,
    ...(requestId === null ? {} : { request_id: requestId }),
    hint: hintFor(problem, call),
    ...(content.errors ? { errors: content.errors } : {}),
  }
  // `fixed` is spread twice, so it comes first and no other field can replace its fields.
  return { ...fixed, ...content.members, ...fixed }
}

/** HTML if the client accepts it, otherwise problem+json. */
function asPage(problem: Problem, call: ProblemCall): FormattedProblem {
  if (!namesHtml(call.accept)) return asProblem(problem, call)
  const [title, detail, hint] = [
    problems[problem.code].title,
    detailOf(problem),
    hintFor(problem, call),
  ].map(text => Bun.escapeHTML(text))
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
  const body = `<!doctype html>
<html lang="en"><head>${head}<meta name="robots" content="noindex"><title>${title}</title></head>
<body><h1>${title}</h1><p>${detail}</p><p>${hint}</p></body></html>
`
  return { type: 'text/html; charset=utf-8', body }
}

/** FHIR issue codes for problems of the FHIR preview. */
const issueCodes: Readonly<Record<string, string>> = {
  invalid_request: 'value',
  organization_required: 'required',
  unauthorized: 'login',
  not_found: 'not-found',
  method_not_allowed: 'not-supported',
  rate_limited: 'throttled',
  service_unavailable: 'transient',
  internal_error: 'exception',
}

/** One issue per fault, or a single issue with the detail and the hint. */
function asOutcome(problem: Problem, call: ProblemCall): FormattedProblem {
  const { code, content } = problem
  const issue = {
    severity: code === 'internal_error' ? 'fatal' : 'error',
    code: issueCodes[code] ?? (problems[code].status === 403 ? 'forbidden' : 'processing'),
    details: { coding: [{ system: `${call.base}/problems`, code }], text: detailOf(problem) },
    diagnostics: `${hintFor(problem, call)} Request-Id: ${call.requestId}`,
  }
  const faults = content.errors ?? []
  const issues = faults.map(({ pointer, message }) => ({
    ...issue,
    details: { ...issue.details, text: message },
    expression: [pointer.startsWith('?') ? `http.${pointer.slice(1)}` : pointer],
  }))
  const body = { resourceType: 'OperationOutcome', issue: issues.length > 0 ? issues : [issue] }
  return { type: fhirMime, body: JSON.stringify(body) }
}

/** Codes from ACP's closed list for problems that endpoint groups raise. */
const acpCodes: Readonly<Record<string, MessageCode>> = {
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  method_not_allowed: 'unsupported',
  unsupported_api_version: 'unsupported',
  unsupported_media_type: 'unsupported',
}

function asAcpError(problem: Problem, call: ProblemCall): FormattedProblem {
  const { code, content } = problem
  const { acpDate: date = acpNewest } = call
  const message = detailOf(problem)
  const entry = {
    type: 'error',
    code: messageCodeIn(date, acpCodes[code] ?? 'invalid'),
    content_type: 'plain',
    content: `${message} ${hintFor(problem, { ...call, surface: 'acp' })}`,
    ...(date >= '2026-01-30' ? { severity: 'high' } : {}),
    ...(date >= '2026-04-17' ? { resolution: 'recoverable' } : {}),
  }
  const { status } = problems[code]
  const { members = {} } = content
  return { body: JSON.stringify(acpError({ status, code, message, members }, [entry])) }
}

type AcpFault = {
  readonly status: number
  readonly code: string
  readonly message: string
  /** A JSONPath into the body. */
  readonly param?: string | undefined
  readonly members?: Readonly<Record<string, unknown>> | undefined
}

/** ACP's flat error, with the `messages` that the specification also requires. */
export function acpError(fault: AcpFault, messages: readonly object[]): object {
  const { status, code, message, param, members } = fault
  const flat = { type: acpType(status), code, message, ...(param === undefined ? {} : { param }) }
  return { ...flat, ...members, messages }
}

function acpType(status: number): string {
  if (status === 429 || status === 503) return 'service_unavailable'
  return status >= 500 ? 'processing_error' : 'invalid_request'
}

export const rpcCodes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  server: -32_000,
} as const

export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }

/** The body of a JSON-RPC error response. */
export const rpcError = (id: RpcId, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error })

/** For the clinical API's tool server, the error data is the API's problem object. */
function asRpcError(problem: Problem, call: ProblemCall): FormattedProblem {
  const { code, content } = problem
  const hint = hintFor(problem, { ...call, surface: 'mcp' })
  const data =
    call.surface === 'v1' ? problemObject(problem, call) : { code, hint, ...content.members }
  return { body: rpcError(call.rpcId, { code: rpcCodeOf(code), message: detailOf(problem), data }) }
}

function rpcCodeOf(code: Problem['code']): number {
  if (code === 'internal_error') return rpcCodes.internal
  return code === 'rate_limited' || code === 'service_unavailable'
    ? rpcCodes.server
    : rpcCodes.request
}
