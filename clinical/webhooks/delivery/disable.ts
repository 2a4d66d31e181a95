// Ends the service of an endpoint at which too many events in a row have failed, and says so by an
// event of its own. Whoever asks twice, or after it was enabled again, changes nothing.

import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { endedAtOnce, ending } from '../end-pending.ts'

type Endpoint = { own: string; webhook_endpoint: string; event_stream: string | null }

/** Whether it was disabled by this call. */
export async function disableFailing(
  connection: Connection,
  { own, webhook_endpoint: id, event_stream }: Endpoint,
): Promise<boolean> {
  const rows = await connection.run(sql`
    with failing as materialized (
      select w.stream, w.id from webhook_endpoints w
       where w.stream = ${own}::bigint and w.id = ${id} and w.status = 'enabled'
         and (select count(*) from failed_events f
               where f.stream = w.stream and f.webhook_endpoint = w.id)
             >= ${limits.webhookFailuresMax}::int
         for no key update
    ), home as materialized (
      -- The stream of the event that was one too many; its successor, when the sandbox was emptied.
      select s.id as stream, tick(s.id, 1) as at from (
        select s.id from failing w
          join streams own on own.id = w.stream
          join streams s on s.integration = own.integration and s.organization is not null
           and s.retired_at is null
         order by s.id = coalesce(${event_stream}::bigint, s.id) desc, s.id limit 1) s
    ), ticked as materialized (
      select w.stream, w.id, tick(w.stream, 1) as at from failing w left join home on true
    ), changed as (
      update webhook_endpoints w set status = 'disabled', disabled_at = t.at, updated_at = t.at
        from ticked t where w.stream = t.stream and w.id = t.id
      returning w.id
    ), emitted as (
      insert into events (stream, id, type, resource_type, resource_id, status, previous_status,
                          created_at)
      select h.stream, ulid('evt', h.at, random_half()), 'webhook_endpoint.disabled.v1',
             'webhook_endpoint', c.id, 'disabled', 'enabled', h.at
        from home h, changed c where h.at is not null
      returning stream, id
    ), queued as (
      insert into outbox (stream, event) select stream, id from emitted
    ), ${ending(sql`ticked`, sql`'endpoint_disabled'::text`)}
    select id from changed`)
  return rows.length > 0
}

type Failing = { own: string; webhook_endpoint: string }

/** What a worker that died left half done: endpoints that should be disabled, and deliveries that
 *  wait for an endpoint which no longer takes any. */
export async function sweepEndpoints(connection: Connection): Promise<number> {
  const failing = await connection.run<Failing>(sql`
    select f.stream::text as own, f.webhook_endpoint from failed_events f
      join webhook_endpoints w on w.stream = f.stream and w.id = f.webhook_endpoint
       and w.status = 'enabled'
     group by f.stream, f.webhook_endpoint having count(*) >= ${limits.webhookFailuresMax}::int`)
  let changed = 0
  for (const one of failing) {
    if (await disableFailing(connection, { ...one, event_stream: null })) changed++
  }
  return changed + (await endIdle(connection))
}

async function endIdle(connection: Connection): Promise<number> {
  let ended = 0
  for (let more = true; more;) {
    const rows = await endSome(connection)
    ended += rows.length
    more = rows.length === endedAtOnce
  }
  return ended
}

const endSome = (connection: Connection) =>
  connection.run(sql`
    with gone as materialized (
      select distinct q.stream, q.webhook_endpoint as id, w.id is null as deleted
        from due_deliveries q
        left join webhook_endpoints w on w.stream = q.stream and w.id = q.webhook_endpoint
       where w.id is null or w.status = 'disabled' limit 100
    ), ${ending(sql`gone`, sql`case when g.deleted then 'endpoint_deleted' else 'endpoint_disabled' end`)}
    select delivery from idle`)
