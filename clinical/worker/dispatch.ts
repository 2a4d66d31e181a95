// Turns outbox rows into deliveries, one for each endpoint that listens to the event, and hands the
// events to whoever carries realtime messages. One
// statement: what it makes and what it takes away commit together, and an index keeps a second pass
// from making anything twice.

import type { Lane } from '#database/lanes.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { WebhookClock } from './clock.ts'

const batch = 200

export type Dispatched = { taken: number; made: number }

/** Whether there may be more: as many were taken as may be at once. */
export const isFull = ({ taken }: Dispatched): boolean => taken === batch

export async function dispatch(
  lane: Lane,
  clock: WebhookClock,
  announced: Statement,
): Promise<Dispatched> {
  const [row] = await lane.run<Dispatched>(sql`
    with taken as materialized (
      select id, stream, event, webhook_endpoint, created_at from outbox
       order by id limit ${batch}::int for update skip locked
    ), matched as materialized (
      select t.event, t.stream as event_stream, e.type, w.stream as own, w.id as endpoint,
             row_number() over (partition by w.stream order by t.id, w.id) as n,
             count(*) over (partition by w.stream) as total
        from taken t
        join events e on e.stream = t.stream and e.id = t.event
        join streams s on s.id = t.stream and s.retired_at is null
        join streams own on own.integration = s.integration and own.organization is null
         and own.retired_at is null
        join webhook_endpoints w on w.stream = own.id and w.status = 'enabled'
         and w.listens_from <= t.created_at
         and case when t.webhook_endpoint is not null then w.id = t.webhook_endpoint
                  else (e.type = any (w.event_types) or '*' = any (w.event_types))
                   and not (e.type = 'webhook_endpoint.disabled.v1' and e.resource_id = w.id) end
       where not exists (select from deliveries d where d.stream = w.stream
                            and d.webhook_endpoint = w.id and d.event = t.event
                            and not d.redelivery)
    ), clocks as materialized (
      select own, tick(own, total::int) as at
        from (select distinct own, total from matched order by own) each_own
    ), made as (
      insert into deliveries (stream, id, event, event_stream, event_type, webhook_endpoint,
                              next_attempt_at, created_at)
      select m.own, ulid('dlv', c.at + (m.n - 1) * interval '1 ms', random_half()), m.event,
             m.event_stream, m.type, m.endpoint, ${clock.now}, c.at + (m.n - 1) * interval '1 ms'
        from matched m join clocks c on c.own = m.own
          on conflict do nothing
      returning stream, id, webhook_endpoint
    ), due as (
      insert into due_deliveries (stream, delivery, webhook_endpoint, due_at)
      select stream, id, webhook_endpoint, ${clock.now} from made
    ), reached as materialized (
      -- In the order in which everybody locks several lanes.
      select distinct stream, webhook_endpoint from made order by stream, webhook_endpoint
    ), locked as materialized (
      select r.* from reached r cross join lateral (
        select from delivery_lanes
         where stream = r.stream and webhook_endpoint = r.webhook_endpoint for no key update) l
    ), rung as (
      update delivery_lanes l set next_due = least(l.next_due, ${clock.now}) from locked m
       where l.stream = m.stream and l.webhook_endpoint = m.webhook_endpoint
    ), ${announced}, gone as (
      delete from outbox where id in (select id from taken)
    )
    select (select count(*)::int from taken) as taken, (select count(*)::int from made) as made,
           (select count(*)::int from announced) as announced`)
  return row ?? { taken: 0, made: 0 }
}
