// Ends an endpoint's pending deliveries in the statement that disables or deletes it.

import { sql, type Statement } from '#database/sql.ts'
import { integrationTenant } from './endpoint.ts'

/** Limits the statement's duration, however long the endpoint's queue is. */
export const endedAtOnceMax = 1000

/** A write's endpoint for `endPendingDeliveries`; no row unless the write takes place. */
export const endpointAfterClock = (id: string): Statement =>
  sql`(select ${integrationTenant} as tenant, ${id}::text as id from clock)`

/** Common table expressions that end pending deliveries to the endpoints in `gone (tenant, id)`
 *  with `error`, which may refer to the endpoint's row as `g`. A running attempt is recorded and is
 *  the last one. The rest of a long queue is never sent; the worker ends it later. */
export const endPendingDeliveries = (gone: Statement, error: Statement): Statement => sql`
  idle as materialized (
    select q.tenant, q.delivery, q.webhook_endpoint, q.event, q.event_tenant, q.event_type,
           q.created_at, ${error} as error from due_deliveries q
      join ${gone} g on g.tenant = q.tenant and g.id = q.webhook_endpoint
     where q.claim is null or q.due_at <= clock_timestamp()
     limit ${endedAtOnceMax}::int for update of q skip locked
  ), dropped as (
    delete from due_deliveries q using idle i where q.tenant = i.tenant and q.delivery = i.delivery
  ), ended as (
    update deliveries d set status = 'failed', error = i.error, next_attempt_at = null
      from idle i where d.tenant = i.tenant and d.id = i.delivery
       -- Equivalent to status = 'pending', but no plan reads every pending delivery for each of
       -- these.
       and d.next_attempt_at is not null
  ), never_recorded as (
    -- These were claimed by a worker that died during the first attempt.
    insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint, status,
                            error, created_at)
    select tenant, delivery, event, event_tenant, event_type, webhook_endpoint, 'failed', error,
           created_at
      from idle where event is not null on conflict do nothing
  )`
