// Shared parts of the endpoint and destination lists.
import { limits } from '#contract/limits.ts'
import type { Output } from '#contract/api.ts'
import type { ApiResult } from '../../context.ts'
import { Badge } from '#http/html/parts.tsx'

export type Endpoint = Output<'getWebhookEndpoint'>
export type Health = Extract<
  ApiResult<'listEndpointHealth'>,
  { problem: null }
>['value']['data'][number]

/** Endpoints are few, so one page has all of them. */
export const allEndpoints = { query: { limit: String(limits.webhookEndpointsMax) } }

export const EndpointStatus = ({ endpoint }: { endpoint: Pick<Endpoint, 'status'> }) => (
  <Badge tone={endpoint.status === 'enabled' ? 'good' : 'bad'}>
    {endpoint.status === 'enabled' ? 'Enabled' : 'Disabled'}
  </Badge>
)

/** How close the endpoint is to being disabled. */
export const Failures = ({ count }: { count: number }) =>
  count === 0 ? (
    <span class="quiet">None</span>
  ) : (
    <Badge tone={count >= limits.webhookFailuresNotified ? 'bad' : 'waiting'}>
      {count} of {limits.webhookFailuresMax}
    </Badge>
  )

export function countsText(health: Health | undefined): string {
  if (health === undefined) return 'None sent'
  const { delivered, failed, pending } = health
  const parts = Object.entries({ delivered, failed, pending })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count.toLocaleString('en-US')} ${state}`)
  return parts.join(', ') || 'None sent'
}
