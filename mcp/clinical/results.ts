// Converts the clinical API's outcomes to tool results. The REST response is included twice, with
// the same bytes: escaped for clients that read text, and unescaped as structured content.

import { escapePointer, type Fault } from '#contract/faults.ts'
import { isWrite } from '#contract/operation.ts'
import { hintOf, Problem, problems } from '#contract/problems.ts'
import type { ClinicalTool } from '#contract/tools/tools.ts'
import { writeProblem } from '#http/problem-formats.ts'
import { WrittenResult } from '../protocol/result.ts'

/** The parts of a completed call that its result needs. */
export type ToolOutcome = {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The ID to continue after, if another page follows. */
  readonly lastId?: string
}

/** Marks text written by people: a model must never treat it as instructions. */
const dataMark = ',"_meta":{"svc/untrusted":true}'

export const textBlock = (text: string, more = ''): string =>
  `{"type":"text","text":${JSON.stringify(text)}${more}}`

export function answeredResult({ body, headers, lastId }: ToolOutcome, requestId: string) {
  const blocks = [textBlock(body, dataMark)]
  if (lastId !== undefined) {
    blocks.push(textBlock(`More: call again with starting_after "${lastId}".`))
  }
  const original = headers['original-request-id']
  return new WrittenResult(`"content":[${blocks.join(',')}],"structuredContent":${body}`, {
    'svc/request_id': requestId,
    ...(original === undefined ? {} : { 'svc/original_request_id': original }),
  })
}

/** Statuses of refusals that must be HTTP responses, for proxies and clients: credential, rate
 *  limit, and failures on our side. Any other refusal is a result, which a model can act on. */
const statusesOfHttp: ReadonlySet<number> = new Set([401, 403, 429, 500, 503])

type ToolCall = { readonly tool: ClinicalTool; readonly base: string; readonly requestId: string }

/** A tool has only arguments, so an operation's query parameter is one of them. */
function inArguments(fault: Fault): Fault {
  const parameter = /^\?(.*)$/s.exec(fault.pointer)?.[1]
  if (parameter === undefined) return fault
  return { ...fault, pointer: `#/${escapePointer(decodeURIComponent(parameter))}` }
}

/** Converts a refusal to a result, or throws it if it must be the HTTP response. */
export function refusedResult(
  { code, content }: Problem,
  { tool: { operation }, base, requestId }: ToolCall,
): WrittenResult {
  const hint = content.hint ?? hintOf(code, 'v1', isWrite(operation))
  const errors = content.errors?.map(inArguments)
  const problem = new Problem(code, { ...content, hint, ...(errors && { errors }) })
  if (statusesOfHttp.has(problems[code].status)) throw problem
  const { method } = operation
  const call = { surface: 'v1', base, method, requestId, rpcId: null, accept: null } as const
  const { body } = writeProblem(problem, 'problem', call)
  return new WrittenResult(`"content":[${textBlock(body)}],"isError":true`, {
    'svc/request_id': requestId,
  })
}
