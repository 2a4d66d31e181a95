// Calls about what belongs to the integration and to no clinic: endpoints and deliveries.
import type { Problem } from '#contract/problems.ts'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import type { ApiInput, ApiResult, MemberCall } from './context.ts'

/** The organizations that a call may name, from the refusal of a call that named none. */
export const organizationsOf = ({ content }: Problem) =>
  (content.members?.['organizations'] ?? []) as readonly { id: string; name: string }[]

/** If several clinics granted access, a call must name one. Any of them works here. */
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
