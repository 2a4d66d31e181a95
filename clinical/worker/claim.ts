// Takes what is due under a lease and reads what an attempt needs to know.

import type { Mode } from '#contract/operation.ts'
import type { Lane } from '#database/lanes.ts'
import { sql } from '#database/sql.ts'
import { eventColumnsOf } from '../events/event.ts'
import { published } from '../publish.ts'
import type { WebhookClock } from './clock.ts'

/** Longer than an attempt may last, so that what is under way is never claimed by another. */
export const leaseSeconds = 30

export type Claimed = {
  own: string
  id: string
  claim: string
  /** How often it was claimed since an attempt was last recorded. */
  claims: number
  attempt: number
  event: string
  event_type: string
  event_stream: string
  webhook_endpoint: string
  /** Null when the endpoint was deleted after the claim. */
  url: string | null
  secret: string
  previous_secret: string | null
  include_resource: boolean
  slow: boolean
  integration: string
  organization: string
  /** What the organization lets the integration read now. */
  scopes: string[]
  /** The event as it is published; null when it is gone, or its sandbox was emptied. */
  body: string | null
  /** The moment of the claim, in milliseconds since 1970. */
  moment: number
}

type Keys = { stream: string; delivery: string }

/** `name` tells this claim from every other. */
export async function claim(
  lane: Lane,
  mode: Mode,
  clock: WebhookClock,
  free: { all: number; slow: number },
  name: string,
): Promise<Claimed[]> {
  const keys = await lane.run<Keys>(sql`
    select stream::text as stream, delivery
      from claim_deliveries(${free.all}::int, ${free.slow}::int, ${name}, ${clock.now},
                            ${leaseSeconds}::int * interval '1 second')`)
  if (keys.length === 0) return []
  // A statement of its own: what was claimed may be younger than the snapshot of the one above.
  return lane.run<Claimed>(sql`
    select d.stream::text as own, d.id, q.claim, q.claims, d.attempt, d.event,
           d.event_type, d.event_stream::text as event_stream, d.webhook_endpoint, w.url, w.secret,
           case when w.previous_secret_expires_at > ${clock.now} then w.previous_secret end
             as previous_secret,
           w.include_resource, coalesce(l.slow, false) as slow, own.integration, s.organization,
           coalesce((select g.scopes from auth.grants g
                      where g.integration = own.integration and g.organization = s.organization
                        and g.status = 'active'), '{}') as scopes,
           (select ${published(eventColumnsOf(sql`s.organization`, mode))} from events
             where events.stream = d.event_stream and events.id = d.event
               and s.retired_at is null) as body,
           (extract(epoch from ${clock.now}) * 1000)::float8 as moment
      from json_to_recordset(${JSON.stringify(keys)}::text::json) as k (stream bigint, delivery text)
      join due_deliveries q on q.stream = k.stream and q.delivery = k.delivery
       and q.claim = ${name}
      join deliveries d on d.stream = k.stream and d.id = k.delivery
      join streams own on own.id = d.stream
      left join streams s on s.id = d.event_stream
      left join webhook_endpoints w on w.stream = d.stream and w.id = d.webhook_endpoint
      left join delivery_lanes l on l.stream = d.stream and l.webhook_endpoint = d.webhook_endpoint`)
}

/** Gives back what was claimed and not attempted: it is due at once, for whoever is there. */
export async function release(lane: Lane, { own, id, claim: name }: Claimed): Promise<void> {
  await lane.run(sql`
    with freed as (
      update due_deliveries set claim = null, claims = claims - 1,
             due_at = date_trunc('milliseconds', clock_timestamp())
       where stream = ${own}::bigint and delivery = ${id} and claim = ${name}
      returning stream, webhook_endpoint, due_at
    )
    update delivery_lanes l set next_due = least(l.next_due, f.due_at) from freed f
     where l.stream = f.stream and l.webhook_endpoint = f.webhook_endpoint`)
}
