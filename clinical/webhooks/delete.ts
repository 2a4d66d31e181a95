// Deletes an endpoint with its secrets. Its finished deliveries stay, and its pending deliveries
// fail.

import { sql, type Statement } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { type AnyCall, write } from '../pipeline/handler.ts'
import { endPendingDeliveries, endpointAfterClock } from './end-pending.ts'
import { endpointOf, integrationTenant } from './endpoint.ts'

export type Version = { id: string; updated_at: string }

/** The part of a statement that deletes the endpoint that `of` selects, whatever its kind. */
export const removeEndpoint = (
  call: AnyCall,
  { id, updated_at }: Version,
  of: (id: string) => Statement,
): Statement => sql`
  held as materialized (
    select id ${of(id)} and updated_at = ${updated_at}::timestamptz
       and exists (select from go) for update
  ), ${clock(call, 1, sql`held`, integrationTenant)},
  changed as (
    delete from webhook_endpoints using clock
     where tenant = ${integrationTenant} and id = ${id}
    returning id, '{"id":"' || id || '","deleted":true}' as answer
  ), closed as (
    delete from endpoint_queues using changed
     where tenant = ${integrationTenant} and webhook_endpoint = changed.id
  ), forgotten as (
    delete from failed_events using changed
     where tenant = ${integrationTenant} and webhook_endpoint = changed.id
  ), ${endPendingDeliveries(endpointAfterClock(id), sql`'endpoint_deleted'::text`)}`

export const deleteWebhookEndpoint = write('deleteWebhookEndpoint', {
  facts: (_call, { id }) => sql`select id, iso(updated_at) as updated_at ${endpointOf(id)}`,
  decide: (call, _input, found: Version | null) => {
    if (!found) throw call.refuse('not_found')
    return found
  },
  write: (call, found) => removeEndpoint(call, found, endpointOf),
})
