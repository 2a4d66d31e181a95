// Disables an endpoint after too many consecutive failed events, and writes an event about it. The
// statement checks the count itself, so it's safe to run twice, or after the endpoint was enabled
// again.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { recordWork } from '../../audit/record-work.ts'
import { endedAtOnceMax, endPendingDeliveries } from '../../webhooks/end-pending.ts'

type Endpoint = { own: string; webhook_endpoint: string; event_tenant: string | null }

/** Returns whether this call disabled the endpoint. */
export async function disableFailing(
  connection: Connection,
  mode: Mode,
  { own, webhook_endpoint: id, event_tenant }: Endpoint,
): Promise<boolean> {
  const rows = await connection.run(sql`
    with failing as materialized (
      select w.tenant, w.id from webhook_endpoints w
       where w.tenant = ${own}::bigint and w.id = ${id} and w.status = 'enabled'
         and (select count(*) from failed_events f
               where f.tenant = w.tenant and f.webhook_endpoint = w.id)
             >= ${limits.webhookFailuresMax}::int
         for no key update
    ), home as materialized (
      -- The tenant of the last failed event, or its successor when the sandbox was reset.
      select s.id as tenant, next_timestamp(s.id, 1) as at from (
        select s.id from failing w
          join tenants own on own.id = w.tenant
          join tenants s on s.integration = own.integration and s.organization is not null
           and s.retired_at is null
         order by s.id = coalesce(${event_tenant}::bigint, s.id) desc, s.id limit 1) s
    ), ticked as materialized (
      select w.tenant, w.id, next_timestamp(w.tenant, 1) as at from failing w left join home on true
    ), changed as (
      update webhook_endpoints w set status = 'disabled', disabled_at = t.at, updated_at = t.at
        from ticked t where w.tenant = t.tenant and w.id = t.id
      returning w.tenant, w.id
    ), emitted as (
      insert into events (tenant, id, type, resource_type, resource_id, status, previous_status,
                          created_at)
      select h.tenant, ulid('evt', h.at, ulid_random()), 'webhook_endpoint.disabled.v1',
             'webhook_endpoint', c.id, 'disabled', 'enabled', h.at
        from home h, changed c where h.at is not null
    ), ${endPendingDeliveries(sql`ticked`, sql`'endpoint_disabled'::text`)}
    select c.id from changed c ${recordWork(mode, 'disableWebhookEndpoint', sql`c.tenant, c.id`)}`)
  return rows.length > 0
}

type Failing = { own: string; webhook_endpoint: string }

/** Cleans up after a crashed worker: disables failing endpoints, and ends deliveries waiting for a
 *  disabled or deleted endpoint. */
export async function sweepEndpoints(connection: Connection, mode: Mode): Promise<number> {
  const failing = await connection.run<Failing>(sql`
    select f.tenant::text as own, f.webhook_endpoint from failed_events f
      join webhook_endpoints w on w.tenant = f.tenant and w.id = f.webhook_endpoint
       and w.status = 'enabled'
     group by f.tenant, f.webhook_endpoint having count(*) >= ${limits.webhookFailuresMax}::int`)
  let changed = 0
  for (const one of failing) {
    if (await disableFailing(connection, mode, { ...one, event_tenant: null })) changed++
  }
  return changed + (await endIdle(connection))
}

async function endIdle(connection: Connection): Promise<number> {
  let ended = 0
  for (let more = true; more;) {
    const rows = await endSome(connection)
    ended += rows.length
    more = rows.length === endedAtOnceMax
  }
  return ended
}

const endSome = (connection: Connection) =>
  connection.run(sql`
    with gone as materialized (
      select distinct q.tenant, q.webhook_endpoint as id, w.id is null as deleted
        from due_deliveries q
        left join webhook_endpoints w on w.tenant = q.tenant and w.id = q.webhook_endpoint
       where w.id is null or w.status = 'disabled' limit 100
    ), ${endPendingDeliveries(sql`gone`, sql`case when g.deleted then 'endpoint_deleted' else 'endpoint_disabled' end`)}
    select delivery from idle`)
