// An outcome of the clinical API as a result of a tool. The text of REST is put into the answer as
// it is: escaped once for clients that read text, and unescaped as structured content.

import { isWrite } from '#contract/operation.ts'
import { hintOf, Problem, problems } from '#contract/problems.ts'
import type { ClinicalTool } from '#contract/tools/tools.ts'
import { writeProblem } from '#http/problem-formats.ts'
import { WrittenResult } from '../protocol/result.ts'

/** A call that was performed, as far as its result needs it. */
export type ToolOutcome = {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The ID to continue after, if another page follows. */
  readonly lastId?: string
}

/** Marks text that people wrote: a model must never take it for instructions. */
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

/** Statuses that proxies and clients must see: of the credential, of the rate limit, and of
 *  failures that are not the caller's. Any other refusal is a result, which a model can act on. */
const statusesOfHttp: ReadonlySet<number> = new Set([401, 403, 429, 500, 503])

type ToolCall = { readonly tool: ClinicalTool; readonly base: string; readonly requestId: string }

/** A refusal as a result; throws one that is the answer of the HTTP request. */
export function refusedResult(
  { code, content }: Problem,
  { tool: { operation }, base, requestId }: ToolCall,
): WrittenResult {
  const hint = content.hint ?? hintOf(code, 'v1', isWrite(operation))
  const problem = new Problem(code, { ...content, hint })
  if (statusesOfHttp.has(problems[code].status)) throw problem
  const { method } = operation
  const call = { surface: 'v1', base, method, requestId, rpcId: null, accept: null } as const
  const { body } = writeProblem(problem, 'problem', call)
  return new WrittenResult(`"content":[${textBlock(body)}],"isError":true`, {
    'svc/request_id': requestId,
  })
}
