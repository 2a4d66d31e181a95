// Claims new deliveries in the dispatcher statement that creates them. This saves a later claim
// statement, and the deliveries need no rows until their first attempt is recorded. A delivery is
// claimed here only if its endpoint has no older delivery waiting and a free slot, and the worker
// has a free socket. Other deliveries get rows, and are claimed later.

import type { Mode } from '#contract/operation.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { eventColumnsOf } from '../../events/event.ts'
import { published } from '../../pipeline/publish.ts'
import { isHeld, leaseSeconds } from './claim.ts'

/** When a store's new delivery can be sent; null for other kinds. A store gets each hour's events
 *  in one object, 61 seconds after the hour ends: tenants' clocks differ by milliseconds, and by
 *  then the dispatcher has read all the hour's events. */
export const waitsUntil = (kind: Statement, writtenAt: Statement): Statement => sql`
  case when ${kind} = 's3' then date_trunc('hour', ${writtenAt}) + interval '61 minutes 1 second' end`

export type NewClaim = {
  mode: Mode
  free: { all: number; slow: number }
  /** A unique name for the claim. */
  name: string
}

/** Common table expressions after `made`, where each delivery has an ID. `each` lists the claimed
 *  deliveries. The queues of other endpoints become due. Queues are locked in ID order, as in every
 *  statement that locks several queues. */
export const claimNewDeliveries = ({
  free,
  name,
}: Pick<NewClaim, 'free' | 'name'>): Statement => sql`
  grouped_new as materialized (
    select place, tenant, webhook_endpoint, count(*)::int as many, min(waits_until) as waits_until
      from made group by place, tenant, webhook_endpoint order by place
  ), with_room as materialized (
    select l.tenant, l.webhook_endpoint, l.many, l.waits_until, coalesce(l.slow, true) as slow, l.is_full,
           l.next_due, l.place, o.is_open, case when o.is_open then least(l.many, greatest(
             0, l.slots - l.in_progress)) else 0 end as room
      from m cross join lock_queues(array(select tenant from grouped_new),
                                    array(select webhook_endpoint from grouped_new),
                                    array(select many from grouped_new),
                                    array(select waits_until from grouped_new), m.at)
             with ordinality as l (tenant, webhook_endpoint, many, waits_until, slots, slow, is_full,
                                   next_due, in_progress, place)
     -- Deliveries that wait in the queue come before new ones.
     cross join lateral (select l.next_due > m.at and not l.is_full
                                  and coalesce(l.waits_until <= m.at, true) as is_open) o
  ), shared as materialized (
    select r.*, case when r.slow then greatest(0, least(r.room, ${free.slow}::int - coalesce(
             sum(r.room) filter (where r.slow) over earlier, 0))) else r.room end as want
      from with_room r window earlier as (order by r.place rows between unbounded preceding
                                                            and 1 preceding)
  ), allowed as materialized (
    select s.*, greatest(0, least(s.want, ${free.all}::int - coalesce(
             sum(s.want) over (order by s.place rows between unbounded preceding
                                                         and 1 preceding), 0)))::int as take
      from shared s
  ), each as materialized (
    select d.*, a.slow[d.place] as slow, d.nth <= a.take[d.place] as begins
      from (select array_agg(slow order by place) as slow, array_agg(take order by place) as take
              from allowed) a cross join made d
  ), later as (
    insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                            next_attempt_at, created_at)
    select e.tenant, e.id, e.event, e.event_tenant, e.type, e.webhook_endpoint,
           e.at + coalesce(greatest(e.waits_until - m.at, '0'), '0'), e.at
      from each e, m where not e.begins on conflict do nothing
    returning tenant, id, webhook_endpoint, next_attempt_at - created_at as wait
  ), due as (
    insert into due_deliveries (tenant, delivery, webhook_endpoint, due_at, claim, claims,
                                event, event_tenant, event_type, created_at)
    select e.tenant, e.id, e.webhook_endpoint, m.at + ${leaseSeconds}::int * interval '1 second',
           ${name}::text, 1, e.event, e.event_tenant, e.type, e.at
      from each e, m where e.begins
    union all
    select l.tenant, l.id, l.webhook_endpoint, m.at + l.wait, null, 0, null, null, null, null from later l, m
  ), queues_due as (
    update endpoint_queues l
       set next_due = least(l.next_due, a.at), is_full = l.is_full or a.fills
      from (select f.*, case when f.fills then m.at + ${leaseSeconds}::int * interval '1 second'
                             else greatest(m.at, f.waits_until) end as at
              from m, (select *, is_open and take = room as fills from allowed
                        where take < many) f) a
     where l.tenant = a.tenant and l.webhook_endpoint = a.webhook_endpoint
       -- Compares the values read under the lock, because the snapshot is older.
       and (a.next_due > a.at or a.fills) and not a.is_full
  )`

/** The claimed deliveries in `each`, with a claim's columns; one row without an ID if none were
 *  claimed. */
export const claimedNewDeliveries = (newClaim: NewClaim | undefined): Statement =>
  newClaim === undefined
    ? nothing
    : sql`
  left join lateral (
    select e.tenant::text as own, e.id, ${newClaim.name}::text as claim, true as is_new, 1 as claims,
           0 as attempt, e.event, e.type as event_type, e.event_tenant::text as event_tenant, e.webhook_endpoint,
           e.url, e.kind, e.settings, e.secret, case when e.previous_secret_expires_at > m.at then e.previous_secret end
             as previous_secret, e.include_resource, e.slow, e.integration, e.organization,
           case when e.include_resource then coalesce((
             select array(select unnest(g.scopes) intersect select unnest(e.scopes))
               from auth.grants g
              where g.integration = e.integration and g.organization = e.organization
                and g.status = 'active'), '{}') else '{}' end as scopes,
           e.is_granted, ${isHeld(newClaim.mode, sql`e.integration`)} as is_held,
           case when e.is_granted then (
             select ${published(eventColumnsOf(sql`e.organization`, newClaim.mode))} from (
              select e.event as id, e.type, e.created_at, e.resource_type, e.resource_id, e.status,
                     e.previous_status) x) end as body,
           null::text as replay, (extract(epoch from m.at) * 1000)::float8 as moment
      from each e, m where e.begins) b on true`
