// Reads on from the last event of each tenant that was read, makes a delivery for each endpoint
// that subscribes to the event, and passes the events to realtime. All in one statement, so that
// the deliveries commit with the position of the cursor: after a crash the events are read again,
// or they have their deliveries. The lock of the cursor keeps other workers from the same tenant.

import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type NewClaim, claimedNewDeliveries, claimNewDeliveries } from './claim-new.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { WebhookClock } from './clock.ts'

const batch = 500

type Dispatched = {
  /** How many events were read. */
  read: number
  made: number
  /** Whether a delivery of any endpoint is due and not claimed. */
  ready: boolean
  /** The tenants of which more events may be unread. */
  unfinished: string[]
  /** New deliveries that were claimed as they were created, to be sent at once. */
  claimed: ClaimedDelivery[]
}

type Counts = Omit<Dispatched, 'claimed'>
type Row = Counts & ({ id: null } | ClaimedDelivery)

const noSlots = { all: 0, slow: 0 }
/** A smaller batch would not be cheaper. */
const batchMin = 32
/** A turn of a tenant is this many events at least, because each takes its cursor and its clock. */
const shareMin = 8

/** The followed tenants that have written something since their events were read. */
export async function tenantsToRead(connection: Connection): Promise<string[]> {
  // With a parameter, so that the driver prepares it: it runs each second, and is mostly planning.
  const rows = await connection.run<{ tenant: string }>(
    sql`select tenant::text from tenants_to_read() as t (tenant) where ${true}`,
  )
  return rows.map(({ tenant }) => tenant)
}

type Reading = {
  clock: WebhookClock
  /** Tenants in the order in which they have their turn; those that are read are removed. */
  tenants: string[]
  announced: Statement
}

/** Reads events of the first tenants, of each the same number at most. With `newClaim`, deliveries
 *  that can be sent at once are claimed, and no more events are read than sockets are free. */
export async function dispatch(
  connection: Connection,
  { clock, tenants, announced }: Reading,
  newClaim?: NewClaim,
): Promise<Dispatched> {
  const { free, name } = newClaim ?? { free: noSlots, name: '' }
  const most = free.all > 0 ? Math.min(batch, Math.max(batchMin, free.all)) : batch
  const turn = tenants.splice(0, Math.ceil(most / shareMin))
  const share = Math.floor(most / Math.max(1, turn.length))
  const rows = await connection.run<Row>(sql`
    with m as materialized (select ${clock.now} as at),
    ${unread(turn, share)}, ${matched}, made as (
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
    ), ${claimNewDeliveries({ free, name })}, ${announced}, counted as materialized (
      select (select count(*)::int from taken) as read, (select count(*)::int from made) as made,
             (select count(*)::int from announced) as announced,
             array(select of_tenant::text from moved where not is_all) as unfinished,
             exists (select from each where not begins) or ${isTurnOf(clock)} as ready
    )
    select * from counted ${claimedNewDeliveries(newClaim)}`)
  const [first] = rows
  const { read, made, ready, unfinished } = first ?? nothingRead
  const claimed = rows.filter(
    (row): row is Counts & ClaimedDelivery => 'id' in row && row.id !== null,
  )
  return { read, made, ready, unfinished, claimed }
}

const nothingRead: Counts = { read: 0, made: 0, ready: false, unfinished: [] }

/** The next events of each tenant after the last one that was read, and its cursor moved to the
 *  last of these. What another worker has locked is left to it. Whatever the snapshot of this
 *  statement does not see yet has a higher id than all that it sees, and comes after them. */
const unread = (tenants: readonly string[], share: number): Statement => sql`
  held as materialized (
    select f.*, greatest(c.position, f.start collate "C") as after
      from event_cursors c
      join followed_tenants(${tenants}::bigint[]) f on f.tenant = c.of_tenant
     where c.read_until < f.last
     order by c.of_tenant for no key update of c skip locked
  ), taken as materialized (
    select h.tenant, h.own, h.integration, h.organization, h.realtime, e.id as event, e.type,
           e.resource_id, e.webhook_endpoint, e.written_at, e.created_at
      from held h cross join lateral (
        select id, type, resource_id, webhook_endpoint, written_at, created_at from events
         where tenant = h.tenant and id > h.after order by id limit ${share}::int) e
  ), moved as (
    update event_cursors c
       set position = coalesce(x.last, c.position),
           read_until = greatest(c.read_until, case when x.is_all then h.last else x.last_at end)
      from held h cross join lateral (
        select max(t.event) as last, max(t.created_at) as last_at, count(*) < ${share}::int as is_all
          from taken t where t.tenant = h.tenant) x
     where c.of_tenant = h.tenant
    returning c.of_tenant, x.is_all
  )`

/** The endpoints of each event, grouped by integration, with the first timestamp of the
 *  integration's tenant that the new deliveries take. */
const matched: Statement = sql`
  matched as materialized (
    select t.event, t.tenant as event_tenant, t.type, t.own, w.id as endpoint
      from taken t
     cross join lateral (
       select id from webhook_endpoints
        where tenant = t.own and status = 'enabled' and listens_from <= t.written_at
          and case when t.webhook_endpoint is not null then id = t.webhook_endpoint
                   else (t.type = any (event_types) or '*' = any (event_types))
                    and not (t.type = 'webhook_endpoint.disabled.v1' and t.resource_id = id) end
       offset 0) w
  ), grouped as materialized (
    select own, array_agg(event) as events, array_agg(event_tenant) as event_tenants,
           array_agg(type) as types, array_agg(endpoint) as endpoints
      from (select * from matched order by own, event, event_tenant, endpoint) m group by own order by own
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
