// The endpoint or destination that a page is about.
import type { Problem } from '#contract/problems.ts'
import type { ApiResult, MemberCall } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { missing, refused } from '../../refused.tsx'

export type Destination = Extract<ApiResult<'getDestination'>, { problem: null }>['value']

export const idOf = ({ names }: MemberCall) => ({ id: names['id'] ?? '' })

/** Destinations share the endpoint pages, so `value` has only their common fields. */
export async function findEndpoint(call: MemberCall) {
  const names = idOf(call)
  const found = await callForIntegration(call, 'getWebhookEndpoint', { names })
  if (found.problem?.code !== 'not_found') return { ...found, destination: null }
  const one = await callForIntegration(call, 'getDestination', {
    names,
  })
  if (one.problem) return { problem: one.problem, destination: null }
  const destination = one.value
  const value = { ...destination, previous_secret_expires_at: null }
  return { problem: null, value, destination }
}

/** The page for an endpoint that can’t be shown. */
export const missingOr = (call: MemberCall, problem: Problem) =>
  problem.code === 'not_found'
    ? missing('Endpoint not found', call.pathOf('webhooks'), 'All endpoints')
    : refused(call, 'Endpoint', problem)
