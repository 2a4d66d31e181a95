// What became of an attempt, in one statement: the delivery, its next place on the ladder, the
// endpoint's count of failed events and how it is served from now on.

import { limits } from '#contract/limits.ts'
import type { Lane } from '#database/lanes.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Claimed } from './claim.ts'
import type { WebhookClock } from './clock.ts'

export type Attempted = {
  succeeded: boolean
  /** False when there was nothing to send, or nobody to send it to: it ends without an attempt. */
  sent: boolean
  status: number | null
  milliseconds: number
  /** Sealed. */
  answer: string | null
  error: string | null
}

/** The status afterwards, and how many events in a row have failed; null when another worker had
 *  taken the delivery over and this one's failure counts for nothing. */
export type Recorded = { status: 'pending' | 'delivered' | 'failed'; failures: number } | null

const ladder = limits.webhookLadderSeconds
const slowMilliseconds = 3000

/** Slots grow by one after ten good answers in a row, and halve after a bad one. */
const slotsMax = 16
const slotsMin = 2
const successesToGrow = 10

export async function record(
  lane: Lane,
  clock: WebhookClock,
  claimed: Claimed,
  attempted: Attempted,
): Promise<Recorded> {
  const { own, id, claim } = claimed
  const { succeeded, sent, status, milliseconds, answer, error } = attempted
  const wait = ladder[claimed.attempt + 1]
  const last = !sent || wait === undefined
  const [row] = await lane.run<NonNullable<Recorded>>(sql`
    with m as materialized (select ${clock.now} as at),
    mine as materialized (
      select stream from due_deliveries
       where stream = ${own}::bigint and delivery = ${id} and claim = ${claim} for update
    ), heard as materialized (
      select from webhook_endpoints
       where stream = ${own}::bigint and id = ${claimed.webhook_endpoint} and status = 'enabled'
    ), settled as (
      update deliveries d
         set attempt = least(d.attempt + ${sent ? 1 : 0}::int, ${ladder.length}::int), http_status = case when ${sent} then ${status}::int2 else d.http_status end,
             latency_ms = case when ${sent} then ${milliseconds}::int else d.latency_ms end, response_body = case when ${sent} then ${answer}::text else d.response_body end,
             error = ${error}::text,
             last_attempt_at = case when ${sent} then m.at else d.last_attempt_at end,
             status = case when ${succeeded} then 'delivered'
                           when ${last} or not exists (select from heard) then 'failed'
                           else 'pending' end,
             next_attempt_at = case when not ${succeeded} and not ${last} and exists (select from heard)
                                    then m.at + ${wait ?? 0}::int * interval '1 second' end
        from m
       where d.stream = ${own}::bigint and d.id = ${id} and d.status = 'pending'
         and (${succeeded} or exists (select from mine))
      returning d.stream, d.id, d.event, d.webhook_endpoint, d.status, d.next_attempt_at
    ), dropped as (
      delete from due_deliveries q using settled s
       where q.stream = s.stream and q.delivery = s.id and s.status <> 'pending'
    ), moved as (
      update due_deliveries q set claim = null, claims = 0, retry = true, due_at = s.next_attempt_at
        from settled s
       where q.stream = s.stream and q.delivery = s.id and s.status = 'pending'
    ), counted as (
      insert into failed_events (stream, webhook_endpoint, event)
      select stream, webhook_endpoint, event from settled
       where status = 'failed' and ${sent} and exists (select from heard)
          on conflict do nothing
      returning 1
    ), forgiven as (
      delete from failed_events f using settled s
       where s.status = 'delivered' and f.stream = s.stream
         and f.webhook_endpoint = s.webhook_endpoint
    ), ${served(attempted)}
    select s.status, (select count(*)::int from counted) + (
             select count(*)::int from failed_events f
              where f.stream = s.stream and f.webhook_endpoint = s.webhook_endpoint) as failures
      from settled s`)
  return row ?? null
}

/** How the endpoint is served from now on, where `settled` is the delivery. */
function served({ succeeded, milliseconds, error }: Attempted): Statement {
  const slow = milliseconds > slowMilliseconds || error === 'timeout'
  const grows = sql`l.successes >= ${successesToGrow - 1}::int`
  return sql`
    served as (
      update delivery_lanes l
         set slow = ${slow},
             successes = case when not ${succeeded} or ${grows} then 0 else l.successes + 1 end,
             slots = case when not ${succeeded} then greatest(l.slots / 2, ${slotsMin}::int)
                          when ${grows} then least(l.slots + 1, ${slotsMax}::int)
                          else l.slots end,
             next_due = least(s.next_attempt_at, first_due(l.stream, l.webhook_endpoint))
        from settled s
       where l.stream = s.stream and l.webhook_endpoint = s.webhook_endpoint
    )`
}
