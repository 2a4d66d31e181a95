// An endpoint as the API returns it, and the checks shared by operations on endpoints.

import type { OperationId } from '#contract/api.ts'
import { eventTypes, type EventType, resourceOf, scopeOfResource } from '#contract/events.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid, Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Call } from '../pipeline/handler.ts'
import type { CallServices } from '../services.ts'

type AnyCall = Call<OperationId>

/** The tenant of endpoints and deliveries: the integration's own, without an organization. */
export const integrationTenant = sql`(select integration_tenant())`

/** How far the tenant's clock is ahead of real time. The worker ends grace periods in real time. */
const ahead = sql`(select ahead_ms * interval '1 ms' from tenants where id = ${integrationTenant})`

const columns = (secret: Statement) => sql`
  id, url, event_types, include_resource, description, status, ${secret}
  case when previous_secret_expires_at > clock_timestamp()
       then iso(previous_secret_expires_at + ${ahead}) end as previous_secret_expires_at,
  iso(disabled_at) as disabled_at, iso(created_at) as created_at, iso(updated_at) as updated_at`

export const endpointColumns = columns(sql``)
/** An endpoint's columns with the secret, which the pipeline decrypts in the response
 *  (clinical/pipeline/encrypted-members.ts). */
export const endpointColumnsWithSecret = columns(sql`secret,`)

/** This integration's endpoint with that ID, as the tail of a select; `anyEndpointOf` also finds a
 *  destination (clinical/destinations/). */
export const anyEndpointOf = (id: string): Statement =>
  sql`from webhook_endpoints where tenant = ${integrationTenant} and id = ${id}`
export const endpointOf = (id: string): Statement => sql`${anyEndpointOf(id)} and kind = 'https'`

const fault = (pointer: string, code: Fault['code'], message: string) =>
  invalid([{ pointer, code, message }])

export const unknownEndpoint = () =>
  fault(
    '#/webhook_endpoint',
    'unknown_reference',
    'webhook_endpoint must be the ID of one of your endpoints.',
  )

/** Refuses a URL that requests must not go to. */
export async function checkUrl(
  { principal }: Pick<AnyCall, 'principal'>,
  url: string,
  { webhooks }: CallServices,
): Promise<void> {
  const reason = await webhooks.vetUrl(url, principal.mode)
  if (reason !== null) throw fault('#/url', 'unsafe_url', reason)
}

/** Refuses `*` together with other types. */
export function checkTypes(types: readonly string[] | undefined): void {
  if (types && types.length > 1 && types.includes('*')) {
    throw fault(
      '#/event_types',
      'not_allowed',
      'event_types must not combine * with other types: * alone means every type.',
    )
  }
}

/** Refuses to embed resources this credential couldn't read directly. */
export function checkScopes(
  { principal }: Pick<AnyCall, 'principal'>,
  types: readonly string[],
): void {
  const all = types.includes('*') ? eventTypes : (types as readonly EventType[])
  const scopes = all.map(type => scopeOfResource[resourceOf(type)])
  const missing = scopes.find(scope => !principal.scopes.includes(scope))
  if (missing === undefined) return
  throw new Problem('insufficient_scope', {
    detail: `include_resource with these event types requires the scope ${missing}.`,
    members: { required_scope: missing, granted_scopes: principal.scopes },
  })
}
