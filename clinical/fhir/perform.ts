// Performs a FHIR request's call. Converts its FHIR IDs to ours, and adapts the hint of a refusal.

import { idOfFhir } from '#contract/fhir/mapping.ts'
import { fhirPath } from '#contract/fhir/resource-types.ts'
import { Problem } from '#contract/problems.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { keepOutcome, requestedBy } from '../pipeline/http-caller.ts'
import { type AppContext, perform } from '../pipeline/perform.ts'
import type { Outcome, RequestBody, RequestedCall } from '../pipeline/requested-call.ts'
import type { FhirCallId, fhirSurface } from './surface.ts'

export type AcceptedOutcome = Exclude<Outcome, { problem: Problem }>

/** Returns the outcome, or throws the refusal. */
export async function performFhir(
  context: AppContext,
  surface: ReturnType<typeof fhirSurface>,
  id: FhirCallId,
  request: HttpRequest,
  more: Partial<RequestedCall<FhirCallId>> = {},
  readBody?: () => Promise<RequestBody>,
): Promise<AcceptedOutcome> {
  const requested = requestedBy(id, request)
  const names = Object.fromEntries(
    Object.entries(requested.names).map(([name, text]) => [name, idOfFhir(text)]),
  )
  const outcome = await perform(context, surface, { ...requested, names, ...more }, readBody)
  keepOutcome(request, outcome)
  if ('problem' in outcome) throw withOwnHint(context, outcome.problem)
  return outcome
}

/** The hint for /v1 links to a different document. */
const withOwnHint = ({ base }: AppContext, problem: Problem): Problem =>
  problem.code === 'not_found'
    ? new Problem('not_found', {
        ...problem.content,
        hint: `Check the ID: it's the /v1 ID with - instead of _. ${base}${fhirPath}/metadata lists the types.`,
      })
    : problem
