// Claims due deliveries with a lease, and reads the data for their attempts. Decided in
// docs/decisions/0058-claim-webhook-deliveries-in-batches.md.

import type { Mode } from '#contract/operation.ts'
import type { DestinationKind } from '#contract/preview/destinations.ts'
import { hasAgreement } from '#auth/guard.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { eventColumnsOf } from '../../events/event.ts'
import { waitsForAgreement } from '../../modes.ts'
import { published } from '../../pipeline/publish.ts'
import type { WebhookClock } from './clock.ts'

/** Longer than any attempt, so no other worker claims a delivery while it's being attempted. */
export const leaseSeconds = 30

export type ClaimedDelivery = {
  own: string
  id: string
  claim: string
  /** Whether the delivery had no row when it was claimed. */
  is_new: boolean
  /** Claims since the last recorded attempt. */
  claims: number
  attempt: number
  event: string
  event_type: string
  event_tenant: string
  webhook_endpoint: string
  /** Null if the endpoint was deleted after the claim. */
  url: string | null
  kind: 'https' | DestinationKind
  /** The destination's settings, without its secret. */
  settings: Readonly<Record<string, string | null>> | null
  secret: string
  previous_secret: string | null
  include_resource: boolean
  slow: boolean
  integration: string
  organization: string
  /** Scopes for embedding: the endpoint's, limited to what the organization currently grants. */
  scopes: string[]
  /** The event as published; null if it was deleted, its sandbox was reset, or the clinic doesn't
   *  currently grant access. */
  body: string | null
  /** Whether the clinic currently grants the integration access. */
  is_granted: boolean
  /** Whether the delivery waits for an agreement. */
  is_held: boolean
  /** The replay that created the delivery; null for an event's first delivery and for a redelivery.
   */
  replay: string | null
  /** When the claim was made, in milliseconds since 1970. */
  moment: number
}

/** `name` is unique to each claim. */
export const claim = (
  connection: Connection,
  mode: Mode,
  clock: WebhookClock,
  free: { all: number; slow: number },
  name: string,
): Promise<ClaimedDelivery[]> =>
  connection.run<ClaimedDelivery>(sql`
    with clock as materialized (select ${clock.now} as moment)
    select c.own::text as own, c.delivery as id, ${name}::text as claim, false as is_new, c.claims,
           c.attempt, c.event, c.event_type, c.event_tenant::text as event_tenant,
           c.webhook_endpoint, c.url, c.kind, c.settings, c.secret, c.previous_secret,
           c.include_resource, c.slow, c.integration, c.organization,
           coalesce(c.scopes, '{}') as scopes,
           c.is_granted, ${isHeld(mode, sql`c.integration`)} as is_held,
           case when c.event_id is not null and c.is_granted then (
             select ${published(eventColumnsOf(sql`c.organization`, mode))} from (
               select c.event_id as id, c.event_type as type, c.created_at, c.resource_type,
                      c.resource_id, c.status, c.previous_status) e) end as body,
           replay_of(c.own, c.delivery) as replay,
           (extract(epoch from clock.moment) * 1000)::float8 as moment
      from clock, (
        select k.*, ${isGranted(sql`k.integration`, sql`k.organization`)} as is_granted
          from clock, claim_deliveries(${free.all}::int, ${free.slow}::int, ${name}, clock.moment,
                                       ${leaseSeconds}::int * interval '1 second') k) c`)

/** Revoking a grant also ends deliveries of events that were written before the revocation.
 *  Row-level security shows only the mode's own grants. */
export const isGranted = (integration: Statement, organization: Statement): Statement => sql`
  (${organization} is null
    or exists (select from auth.grants g where g.integration = ${integration}
                  and g.organization = ${organization} and g.status = 'active'))`

export const isHeld = (mode: Mode, integration: Statement): Statement =>
  waitsForAgreement(mode) ? sql`not ${hasAgreement(integration)}` : sql`false`

/** Makes deliveries due again after their lease has expired, because their worker has died. Runs
 *  every second, using the short index of held deliveries. */
export async function recallExpired(connection: Connection, clock: WebhookClock): Promise<void> {
  await connection.run(sql`
    with m as materialized (select ${clock.now} as at),
    expired as materialized (
      select distinct d.tenant, d.webhook_endpoint from m, due_deliveries d
       where d.claim is not null and d.due_at <= m.at
    ), locked as materialized (
      select q.tenant, q.webhook_endpoint from expired e join endpoint_queues q
          on q.tenant = e.tenant and q.webhook_endpoint = e.webhook_endpoint
       order by q.tenant, q.webhook_endpoint for no key update of q
    )
    update endpoint_queues q set next_due = m.at from m, locked l
     where q.tenant = l.tenant and q.webhook_endpoint = l.webhook_endpoint and q.next_due > m.at`)
}

/** Releases a delivery that was claimed but not attempted. Any worker may claim it after
 *  `milliseconds`. */
export async function release(
  connection: Connection,
  { own, id, claim: name }: ClaimedDelivery,
  milliseconds = 0,
): Promise<void> {
  await connection.run(sql`
    with freed as (
      update due_deliveries
         -- A delivery without a row keeps the name of its claim, which has ended.
         set claim = case when event is not null then claim end, claims = claims - 1, due_at = date_trunc('milliseconds', clock_timestamp())
                                                          + ${milliseconds}::int * interval '1 ms'
       where tenant = ${own}::bigint and delivery = ${id} and claim = ${name}
      returning tenant, webhook_endpoint, due_at
    )
    update endpoint_queues l set next_due = least(l.next_due, f.due_at) from freed f
     where l.tenant = f.tenant and l.webhook_endpoint = f.webhook_endpoint`)
}
