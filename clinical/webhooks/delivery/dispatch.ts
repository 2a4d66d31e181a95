// Turns outbox rows into deliveries, one for each endpoint that subscribes to the event, and passes
// the events to realtime. All in one statement, so that deliveries are created and outbox rows
// removed in one commit; a unique index prevents duplicates when a row is dispatched twice.

import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type NewClaim, claimedNewDeliveries, claimNewDeliveries } from './claim-new.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { WebhookClock } from './clock.ts'

const batch = 500

type Dispatched = {
  taken: number
  made: number
  /** Whether a delivery of any endpoint is due and not claimed. */
  ready: boolean
  /** Whether the batch was full, so that more outbox rows may wait. */
  isFull: boolean
  /** New deliveries that were claimed as they were created, to be sent at once. */
  claimed: ClaimedDelivery[]
}

type Counts = Omit<Dispatched, 'isFull' | 'begun'>
type Row = Counts & ({ id: null } | ClaimedDelivery)

const noSlots = { all: 0, slow: 0 }
/** A smaller batch would not be cheaper. */
const batchMin = 32

/** With `newClaim`, deliveries that can be sent at once are claimed, and no more outbox rows are
 *  taken than sockets are free. */
export async function dispatch(
  connection: Connection,
  clock: WebhookClock,
  announced: Statement,
  newClaim?: NewClaim,
): Promise<Dispatched> {
  const { free, name } = newClaim ?? { free: noSlots, name: '' }
  const most = free.all > 0 ? Math.min(batch, Math.max(batchMin, free.all)) : batch
  const rows = await connection.run<Row>(sql`
    with m as materialized (select ${clock.now} as at),
    taken as materialized (
      select id, tenant, event, webhook_endpoint, created_at from outbox
       order by id limit ${most}::int for update skip locked
    ), ${matched}, made as (
      insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                              next_attempt_at, created_at)
      select c.own, ulid('dlv', x.at, ulid_random()), e.event, e.event_tenant, e.type, e.endpoint,
             x.at, x.at
        from clocks c
       cross join lateral unnest(c.events, c.event_tenants, c.types, c.endpoints) with ordinality
                    as e (event, event_tenant, type, endpoint, n)
       cross join lateral (select c.at + (e.n - 1) * interval '1 ms' as at) x
          on conflict do nothing
      returning tenant, id, webhook_endpoint, event, event_type, event_tenant
    ), ${claimNewDeliveries({ free, name })}, ${announced}, gone as (
      delete from outbox where id = any (array(select id from taken))
    ), counted as materialized (
      select (select count(*)::int from taken) as taken, (select count(*)::int from made) as made,
             (select count(*)::int from announced) as announced,
             exists (select from each where not begins) or ${isTurnOf(clock)} as ready
    )
    select * from counted ${claimedNewDeliveries(newClaim)}`)
  const [first] = rows
  const { taken, made, ready } = first ?? { taken: 0, made: 0, ready: false }
  const claimed = rows.filter(
    (row): row is Counts & ClaimedDelivery => 'id' in row && row.id !== null,
  )
  return { taken, made, ready, isFull: taken === most, claimed }
}

/** The endpoints of each event, grouped by integration, with the first timestamp of the
 *  integration's tenant that the new deliveries take. */
const matched: Statement = sql`
  matched as materialized (
    select t.id as n, t.event, t.tenant as event_tenant, e.type, w.tenant as own, w.id as endpoint
      from taken t
     cross join lateral (select type, resource_id from events
                          where tenant = t.tenant and id = t.event offset 0) e
      join tenants s on s.id = t.tenant and s.retired_at is null
      join tenants own on own.integration = s.integration and own.organization is null
       and own.retired_at is null
     cross join lateral (
       select tenant, id from webhook_endpoints
        where tenant = own.id and status = 'enabled' and listens_from <= t.created_at
          and case when t.webhook_endpoint is not null then id = t.webhook_endpoint
                   else (e.type = any (event_types) or '*' = any (event_types))
                    and not (e.type = 'webhook_endpoint.disabled.v1' and e.resource_id = id) end
       offset 0) w
  ), grouped as materialized (
    select own, array_agg(event) as events, array_agg(event_tenant) as event_tenants,
           array_agg(type) as types, array_agg(endpoint) as endpoints
      from (select * from matched order by own, n, endpoint) m group by own order by own
  ), clocks as materialized (
    select g.*, next_timestamp(own, cardinality(events)) as at from grouped g
  )`

/** Whether the queue of any enabled endpoint is due. */
const isTurnOf = (clock: WebhookClock): Statement => sql`
  exists (
    select from endpoint_queues l
     where next_due <= ${clock.now} and next_due < 'infinity'
       and (select status from webhook_endpoints w
             where w.tenant = l.tenant and w.id = l.webhook_endpoint) = 'enabled')`
