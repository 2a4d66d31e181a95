// Reads each tenant's events after its cursor, creates a delivery for each endpoint subscribed to
// an event, and passes the events to realtime. One statement does all this, so deliveries commit
// with the cursor: after a crash, the events either have their deliveries or are read again. The
// cursor's lock keeps other workers away from the tenant. A delivery sent immediately has no row in
// `deliveries` until its first attempt is recorded. Decided in
// docs/decisions/0118-follow-events-by-a-cursor.md.

import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type NewClaim, claimedNewDeliveries, claimNewDeliveries, waitsUntil } from './claim-new.ts'
import { type ClaimedDelivery, isGranted } from './claim.ts'
import type { WebhookClock } from './clock.ts'

const batch = 500

type Dispatched = {
  /** How many events were read. */
  read: number
  made: number
  /** Whether any endpoint has a delivery that's due and unclaimed. */
  ready: boolean
  /** Tenants that may have more unread events. */
  unfinished: string[]
  /** New deliveries claimed at creation, to be sent immediately. */
  claimed: ClaimedDelivery[]
}

type Counts = Omit<Dispatched, 'claimed'>
type Row = Counts & ({ id: null } | ClaimedDelivery)

const noSlots = { all: 0, slow: 0 }
/** A smaller batch wouldn't be cheaper. */
const batchMin = 32
/** The minimum number of events in a tenant's turn, because each turn locks its cursor and its
 *  clock. */
const shareMin = 8

/** Returns the tenants with unread events that an endpoint or a realtime client may get. */
export async function tenantsToRead(connection: Connection): Promise<string[]> {
  // The parameter makes the driver prepare this statement, which runs every second and spends most
  // of its time in planning.
  const rows = await connection.run<{ tenant: string }>(
    sql`select tenant::text from tenants_to_read() as t (tenant) where ${true}`,
  )
  return rows.map(({ tenant }) => tenant)
}

type DispatchOptions = {
  clock: WebhookClock
  /** Tenants in turn order; tenants whose events were read are removed. */
  tenants: string[]
  announced: Statement
}

/** Reads events from the first tenants, up to the same number from each. With `newClaim`, claims
 *  deliveries that can be sent immediately, and reads fewer events when few sockets are free. */
export async function dispatch(
  connection: Connection,
  { clock, tenants, announced }: DispatchOptions,
  newClaim?: NewClaim,
): Promise<Dispatched> {
  const { free, name } = newClaim ?? { free: noSlots, name: '' }
  const most = free.all > 0 ? Math.min(batch, Math.max(batchMin, free.all)) : batch
  const turn = tenants.splice(0, Math.ceil(most / shareMin))
  const share = Math.floor(most / Math.max(1, turn.length))
  const rows = await connection.run<Row>(sql`
    with m as materialized (select ${clock.now} as at),
    ${unread(turn, share)}, ${matched}, ${claimNewDeliveries({ free, name })}, ${announced},
    counted as materialized (
      select (select count(*)::int from taken) as read, (select count(*)::int from each) as made,
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

/** Reads each tenant's next events after its cursor, and moves the cursor to the last of them.
 *  Skips tenants another worker has locked. An event this statement's snapshot doesn't see yet has
 *  a higher ID than every event it sees, so a later statement reads it. */
const unread = (tenants: readonly string[], share: number): Statement => sql`
  held as materialized (
    select f.*, greatest(c.position, f.start collate "C") as after,
           ${isGranted(sql`f.integration`, sql`f.organization`)} as is_granted
      from event_cursors c
      join followed_tenants(${tenants}::bigint[]) f on f.tenant = c.of_tenant
     where c.read_until < f.last
     order by c.of_tenant for no key update of c skip locked
  ), taken as materialized (
    select h.tenant, h.own, h.integration, h.organization, h.realtime, h.is_granted, e.id as event,
           e.type, e.resource_type, e.resource_id, e.status, e.previous_status, e.webhook_endpoint,
           e.written_at, e.created_at
      from held h cross join lateral (
        select id, type, resource_type, resource_id, status, previous_status, webhook_endpoint,
               written_at, created_at
          from events where tenant = h.tenant and id > h.after order by id limit ${share}::int) e
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

/** Creates a delivery for each event and subscribed endpoint, with its ID and its timestamp from
 *  the integration's tenant clock. IDs from one turn differ only in their times. */
const matched: Statement = sql`
  matched as materialized (
    select t.event, t.tenant as event_tenant, t.type, t.created_at, t.resource_type, t.resource_id,
           t.status, t.previous_status, t.own as tenant, t.integration, t.organization, t.is_granted,
           w.*,
           ${waitsUntil(sql`w.kind`, sql`t.written_at`)} as waits_until,
           row_number() over (partition by t.own order by t.event, t.tenant, w.webhook_endpoint) as n
      from taken t
     cross join lateral (
       select id as webhook_endpoint, url, kind, settings, secret, previous_secret, previous_secret_expires_at,
              include_resource, scopes
         from webhook_endpoints
        where tenant = t.own and status = 'enabled' and listens_from <= t.written_at
          and case when t.webhook_endpoint is not null then id = t.webhook_endpoint
                   else (t.type = any (event_types) or '*' = any (event_types))
                    and not (t.type = 'webhook_endpoint.disabled.v1' and t.resource_id = id) end
       offset 0) w
  ), clocks as materialized (
    select c.*, left(ulid('dlv', c.at, ''), -3) as head, ulid_random() as random,
           (extract(epoch from c.at) * 1000)::bigint & 32767 as ms
      from (select g.tenant, next_timestamp(g.tenant, g.many) as at
              from (select tenant, count(*)::int as many from matched
                     group by tenant order by tenant) g) c
  ), made as materialized (
    select m.*, x.at, near_ulid(c.head, c.ms + m.n - 1, c.random, 'dlv', x.at) as id,
           -- An endpoint's index in the arrays of claim-new.ts, and a delivery's place at its endpoint.
           dense_rank() over (order by m.tenant, m.webhook_endpoint)::int as place,
           row_number() over (partition by m.tenant, m.webhook_endpoint order by m.n) as nth
      from clocks c join matched m on m.tenant = c.tenant
     cross join lateral (select c.at + (m.n - 1) * interval '1 ms' as at) x
  )`

/** Tests whether any enabled endpoint's queue is due. */
const isTurnOf = (clock: WebhookClock): Statement => sql`
  exists (
    select from endpoint_queues l
     where next_due <= ${clock.now} and next_due < 'infinity'
       and (select status from webhook_endpoints w
             where w.tenant = l.tenant and w.id = l.webhook_endpoint) = 'enabled')`
