// Claims new deliveries in the statement of the dispatcher that creates them, which saves the
// statement of a later claim. A delivery is claimed here only if no older one of its endpoint is
// waiting, the endpoint has a free slot and the worker a free socket; the others are claimed later.

import type { Mode } from '#contract/operation.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { eventColumnsOf } from '../../events/event.ts'
import { published } from '../../pipeline/publish.ts'
import { leaseSeconds } from './claim.ts'

export type NewClaim = {
  mode: Mode
  free: { all: number; slow: number }
  /** Unique name of the claim. */
  name: string
}

/** Common table expressions after `made`. `each` says which of the new deliveries are claimed; the
 *  endpoint queues of the others become due. Queues are locked in the order of their ids, as in
 *  every statement that locks several. */
export const claimNewDeliveries = ({
  free,
  name,
}: Pick<NewClaim, 'free' | 'name'>): Statement => sql`
  grouped_new as materialized (
    select tenant, webhook_endpoint, array_agg(id order by id) as ids,
           array_agg(event order by id) as events, array_agg(event_type order by id) as types,
           array_agg(event_tenant order by id) as event_tenants
      from made group by tenant, webhook_endpoint order by tenant, webhook_endpoint
  ), locked as materialized (
    select r.*, coalesce(l.slow, true) as slow, l.is_full, l.next_due,
           -- Deliveries that wait in the queue come before new ones.
           case when l.next_due > m.at and not l.is_full then l.slots else 0 end as slots
      from m, grouped_new r left join lateral (
        select slots, slow, is_full, next_due from endpoint_queues
         where tenant = r.tenant and webhook_endpoint = r.webhook_endpoint for no key update) l
        on true
  ), with_room as materialized (
    select l.*, case when l.slots > 0 then least(cardinality(l.ids), greatest(
             0, l.slots - deliveries_in_progress(l.tenant, l.webhook_endpoint, m.at))) else 0 end as room
      from locked l, m
  ), shared as materialized (
    select r.*, case when r.slow then greatest(0, least(r.room, ${free.slow}::int - coalesce(
             sum(r.room) filter (where r.slow) over earlier, 0))) else r.room end as want
      from with_room r window earlier as (order by r.tenant, r.webhook_endpoint
                                      rows between unbounded preceding and 1 preceding)
  ), allowed as materialized (
    select s.*, greatest(0, least(s.want, ${free.all}::int - coalesce(
             sum(s.want) over (order by s.tenant, s.webhook_endpoint
                               rows between unbounded preceding and 1 preceding), 0)))::int as take
      from shared s
  ), each as materialized (
    select a.tenant, a.webhook_endpoint, a.slow, x.*, x.n <= a.take as begins
      from allowed a cross join lateral unnest(a.ids, a.events, a.types, a.event_tenants)
                                with ordinality as x (id, event, type, event_tenant, n)
  ), due as (
    insert into due_deliveries (tenant, delivery, webhook_endpoint, due_at, claim, claims)
    select e.tenant, e.id, e.webhook_endpoint,
           case when e.begins then m.at + ${leaseSeconds}::int * interval '1 second' else m.at end,
           case when e.begins then ${name}::text end, e.begins::int
      from each e, m
  ), queues_due as (
    update endpoint_queues l
       set next_due = least(l.next_due, a.at), is_full = l.is_full or a.fills
      from (select f.*, case when f.fills then m.at + ${leaseSeconds}::int * interval '1 second'
                             else m.at end as at
              from m, (select *, slots > 0 and take = room as fills from allowed
                        where take < cardinality(ids)) f) a
     where l.tenant = a.tenant and l.webhook_endpoint = a.webhook_endpoint
       -- The values that were read with the lock; the snapshot of this statement is older.
       and (a.next_due > a.at or a.fills) and not a.is_full
  )`

/** The claimed deliveries of `each`, with the columns of a claim; one row without an id when there
 *  are none. */
export const claimedNewDeliveries = (newClaim: NewClaim | undefined): Statement =>
  newClaim === undefined
    ? nothing
    : sql`
  left join lateral (
    select e.tenant::text as own, e.id, ${newClaim.name}::text as claim, 1 as claims, 0 as attempt,
           e.event, e.type as event_type, e.event_tenant::text as event_tenant, e.webhook_endpoint,
           w.url, w.secret, w.previous_secret, w.include_resource, e.slow, own.integration,
           s.organization,
           case when w.include_resource then coalesce((
             select g.scopes from auth.grants g
              where g.integration = own.integration and g.organization = s.organization
                and g.status = 'active'), '{}') else '{}' end as scopes,
           (select ${published(eventColumnsOf(sql`s.organization`, newClaim.mode))} from (
              select * from events where tenant = e.event_tenant and id = e.event offset 0) events
            ) as body,
           null::text as replay, (extract(epoch from m.at) * 1000)::float8 as moment
      from each e cross join m
      join tenants own on own.id = e.tenant
      join tenants s on s.id = e.event_tenant
     cross join lateral (
       select url, secret, include_resource,
              case when previous_secret_expires_at > m.at then previous_secret end as previous_secret
         from webhook_endpoints where tenant = e.tenant and id = e.webhook_endpoint offset 0) w
     where e.begins) b on true`
