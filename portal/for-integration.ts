// Calls about data that belongs to the integration rather than a clinic: endpoints and deliveries.
import type { Problem } from '#contract/problems.ts'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import type { ApiInput, ApiResult, MemberCall } from './context.ts'

/** The organizations that a request may name, from the error for a request that named none. */
export const organizationsOf = ({ content }: Problem) =>
  (content.members?.['organizations'] ?? []) as readonly { id: string; name: string }[]

/** If several clinics granted access, a request must name one. Any clinic works here. */
export async function callForIntegration<K extends SessionOperationId>(
  call: Pick<MemberCall, 'api'>,
  operation: K,
  given: ApiInput = {},
): Promise<ApiResult<K>> {
  const result = await call.api(operation, given)
  if (result.problem?.code !== 'organization_required') return result
  const [first] = organizationsOf(result.problem)
  return call.api(operation, { ...given, organization: first?.id ?? null })
}
