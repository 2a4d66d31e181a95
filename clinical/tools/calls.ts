// The clinical API for the tool server: the same operations, handlers and gate as over HTTP. The
// protocol is in mcp/clinical/. Here, a client calls a tool with arguments, and gets the outcome of
// the tool's operation.

import { keyForm } from '#contract/idempotency-key.ts'
import { Problem } from '#contract/problems.ts'
import type { ToolServerOperation } from '#contract/tools/server.ts'
import { keyArgument } from '#contract/tools/schemas.ts'
import type { ClinicalTool } from '#contract/tools/tools.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { keepOutcome, presentedBy } from '../pipeline/http-caller.ts'
import { type AppContext, perform } from '../pipeline/perform.ts'
import type { RequestedCall, Outcome } from '../pipeline/requested-call.ts'
import { requestOf } from './arguments.ts'
import { toolServerSurface, toolSurface } from './surface.ts'

/** The caller: the request, and the name its client gives itself. */
type ToolCaller = { readonly request: HttpRequest; readonly agent: string | null }

export type ToolCalls = {
  call(
    tool: ClinicalTool,
    given: Readonly<Record<string, unknown>>,
    by: ToolCaller,
  ): Promise<Outcome>
  /** Performs a client's actions other than tool calls. `target` is the target in the audit. */
  use(operation: ToolServerOperation, by: ToolCaller, target?: string): Promise<Outcome>
}

/** `url` is the tool server's. */
export function openToolCalls(context: AppContext, url: string): ToolCalls {
  const tools = toolSurface(url)
  const server = toolServerSurface(url)
  return {
    async call(tool, given, by) {
      const request = requestOf(tool, given, context.now())
      const { operationId: operation } = tool
      const outcome = await perform(context, tools, {
        ...presented(by),
        ...request,
        operation,
      })
      return noted(by, operation, withKeyArgument(outcome))
    },
    async use(operation, by, target) {
      const outcome = await perform(context, server, {
        ...presented(by),
        operation,
        path: '/',
        names: {},
        query: new URLSearchParams(),
        idempotencyKey: null,
        body: undefined,
        ...(target === undefined ? {} : { target }),
      })
      return noted(by, operation, outcome)
    },
  }
}

type Presented = Omit<
  RequestedCall<string>,
  'operation' | 'path' | 'names' | 'query' | 'body' | 'idempotencyKey'
>

/** Taken from the request, never from an argument, because a model must not choose who it acts for.
 */
const presented = ({ request, agent }: ToolCaller): Presented => ({
  ...presentedBy(request),
  version: null,
  refusedBody: null,
  agent,
})

function noted({ request }: ToolCaller, operation: string, outcome: Outcome): Outcome {
  request.addLogFields({ operation })
  keepOutcome(request, outcome)
  if ('problem' in outcome) request.addLogFields({ code: outcome.problem.code })
  return outcome
}

/** The key is an argument here, so the refusal names the argument instead of the header. */
function withKeyArgument(outcome: Outcome): Outcome {
  if (!('problem' in outcome) || outcome.problem.code !== 'idempotency_key_required') return outcome
  const message = `${keyArgument} must be ${keyForm}.`
  const problem = new Problem('idempotency_key_required', {
    detail: message,
    hint: `Call again with a new UUID as ${keyArgument}, and with the same one when you retry.`,
    errors: [{ pointer: `#/${keyArgument}`, code: 'required', message }],
  })
  return { ...outcome, problem }
}
