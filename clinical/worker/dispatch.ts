// Turns outbox rows into deliveries, one for each endpoint that listens to the event, and hands the
// events to whoever carries realtime messages. One statement: what it makes and what it takes away
// commit together, and an index keeps a second pass from making anything twice.

import type { Lane } from '#database/lanes.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { WebhookClock } from './clock.ts'

const batch = 500

export type Dispatched = {
  taken: number
  made: number
  /** Whether it is an endpoint's turn, if only by what was made due before. */
  ready: boolean
}

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
    ), ${matched}, made as (
      insert into deliveries (stream, id, event, event_stream, event_type, webhook_endpoint,
                              next_attempt_at, created_at)
      select c.own, ulid('dlv', x.at, random_half()), m.event, m.event_stream, m.type, m.endpoint,
             ${clock.now}, x.at
        from clocks c
       cross join lateral unnest(c.events, c.event_streams, c.types, c.endpoints) with ordinality
                    as m (event, event_stream, type, endpoint, n)
       cross join lateral (select c.at + (m.n - 1) * interval '1 ms' as at) x
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
      delete from outbox where id = any (array(select id from taken))
    )
    select (select count(*)::int from taken) as taken, (select count(*)::int from made) as made,
           (select count(*)::int from announced) as announced,
           exists (select from made) or ${isTurnOf(clock)} as ready`)
  return row ?? { taken: 0, made: 0, ready: false }
}

/** For whom each event is, by integration, with the first tick of its clock that they take. */
const matched: Statement = sql`
  matched as materialized (
    select t.id as n, t.event, t.stream as event_stream, e.type, w.stream as own, w.id as endpoint
      from taken t
     cross join lateral (select type, resource_id from events
                          where stream = t.stream and id = t.event offset 0) e
      join streams s on s.id = t.stream and s.retired_at is null
      join streams own on own.integration = s.integration and own.organization is null
       and own.retired_at is null
     cross join lateral (
       select stream, id from webhook_endpoints
        where stream = own.id and status = 'enabled' and listens_from <= t.created_at
          and case when t.webhook_endpoint is not null then id = t.webhook_endpoint
                   else (e.type = any (event_types) or '*' = any (event_types))
                    and not (e.type = 'webhook_endpoint.disabled.v1' and e.resource_id = id) end
       offset 0) w
  ), grouped as materialized (
    select own, array_agg(event) as events, array_agg(event_stream) as event_streams,
           array_agg(type) as types, array_agg(endpoint) as endpoints
      from (select * from matched order by own, n, endpoint) m group by own order by own
  ), clocks as materialized (
    select g.*, tick(own, cardinality(events)) as at from grouped g
  )`

/** Whether there is an endpoint whose turn has come. */
const isTurnOf = (clock: WebhookClock): Statement => sql`
  exists (
    select from delivery_lanes l
     where next_due <= ${clock.now} and next_due < 'infinity'
       and (select status from webhook_endpoints w
             where w.stream = l.stream and w.id = l.webhook_endpoint) = 'enabled')`
