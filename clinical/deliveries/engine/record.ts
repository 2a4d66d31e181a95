// Records any number of attempts in one statement: each delivery's status and next step in the
// retry schedule, its endpoint's failed events, and the state of the endpoint's queue. To prevent
// deadlocks, every statement that locks several rows locks them in the same order: due deliveries,
// deliveries, then endpoint queues, each by ID. Decided in
// docs/decisions/0133-record-a-delivery-once.md.

import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { WebhookClock } from './clock.ts'

export type AttemptResult = {
  succeeded: boolean
  /** False if the event or the endpoint was gone, so the delivery ends without an attempt. */
  sent: boolean
  status: number | null
  milliseconds: number
  /** The connected address and the sent signature; null without a connection. */
  address: string | null
  signature: string | null
  /** How many milliseconds it took to find and check the address. */
  resolve: number | null
  /** The response's headers, encrypted like the start of its body. */
  headers: string | null
  answer: string | null
  error: string | null
}

/** An attempt to record. A list has at most one per delivery. */
export type EndedAttempt = { claimed: ClaimedDelivery; attempted: AttemptResult }

/** The delivery's status afterward. Null if another worker has claimed the delivery since, so this
 *  worker's failure was discarded. */
export type RecordedStatus = 'pending' | 'delivered' | 'failed' | null

const retrySchedule = limits.webhookRetrySeconds
const slowMilliseconds = 3000

/** An endpoint gains a slot after ten successes in a row, and loses half its slots after a failure.
 */
const slotsMax = 16
const slotsMin = 2
const successesToGrow = 10

const rowOf = ({ claimed, attempted }: EndedAttempt, n: number) => {
  const { own: tenant, id: delivery, claim } = claimed
  const wait = retrySchedule[claimed.attempt + 1]
  const slow = attempted.milliseconds > slowMilliseconds || attempted.error === 'timeout'
  const endpoint = claimed.webhook_endpoint
  const next = attempted.sent ? wait : undefined
  return { ...attempted, n, tenant, delivery, endpoint, claim, slow, wait: next, url: claimed.url }
}

/** Includes this part in a statement, or leaves it out. */
type Part = (part: Statement) => Statement

type Row = { n: number; status: NonNullable<RecordedStatus>; more: boolean }

/** Records attempts, passed in the order they ended, and returns their statuses in that order.
 *  Calls `more` when one of their endpoints has another delivery due. */
export async function record(
  connection: Connection,
  clock: WebhookClock,
  ended: readonly EndedAttempt[],
  more: () => void = () => undefined,
): Promise<RecordedStatus[]> {
  // Most attempts are a delivery's first and succeed, and the delivery has no row yet. A statement
  // for only this case starts at half the cost.
  const isUsual = ended.every(({ claimed, attempted }) => claimed.is_new && attempted.succeeded)
  const statuses = await recordSeen(connection, clock, ended, more, isUsual)
  // A success counts even if another worker has claimed the delivery since and its first attempt
  // failed: the next statement has all cases, and sees that worker's row.
  const isUnseen = (at: number) => ended[at]?.attempted.succeeded === true && statuses[at] === null
  const unseen = ended.filter((_, at) => isUnseen(at))
  if (unseen.length === 0) return statuses
  const again = await recordSeen(connection, clock, unseen, more, false)
  return statuses.map((status, at) => (isUnseen(at) ? (again.shift() ?? null) : status))
}

async function recordSeen(
  connection: Connection,
  clock: WebhookClock,
  ended: readonly EndedAttempt[],
  more: () => void,
  isUsual: boolean,
): Promise<RecordedStatus[]> {
  const unusual = (part: Statement) => (isUsual ? nothing : part)
  // A delivery or attempt that already exists, which should never happen, must not keep the other
  // attempts from being recorded. Only an attempt recorded alone checks for existing rows, because
  // the check slows inserts down. After a batch fails, its attempts are recorded one by one.
  const ifTaken = ended.length === 1 ? sql`on conflict do nothing` : nothing
  const rows = await connection.run<Row>(sql`
    with m as materialized (select ${clock.now} as at),
    ended as materialized (
      select * from json_to_recordset(${JSON.stringify(ended.map(rowOf))}::text::json)
                 as g (n int, tenant bigint, delivery text, endpoint text, claim text,
                       succeeded bool, sent bool, status int2, milliseconds int, url text,
                       address text, signature text, resolve int, headers text, answer text,
                       error text, slow bool, wait int)
       order by g.tenant, g.delivery collate "C"
    ), ${checked(unusual)}, ${settled(ifTaken, unusual)}, ${kept(ifTaken)}, ${served}
    ${unusual(failed)}
    select n, outcome as status, exists (select from served where is_due) as more from settled`)
  if (rows.some(row => row.more)) more()
  const statuses = new Map(rows.map(row => [row.n, row.status]))
  return ended.map((_, n) => statuses.get(n) ?? null)
}

/** Each attempt's outcome, while the due row is locked. `event` is set for a delivery without a row
 *  yet. All columns of an attempt are passed on to later steps, because a join with an earlier step
 *  would compare every attempt with all others. */
const checked = (unusual: Part): Statement => sql`
  cleared as (
    -- A success counts, whichever worker has the claim now. Reads few columns, because a delete
    -- carries all of them along in case it waits for a lock.
    delete from due_deliveries q
     using (select n, tenant, delivery from ended where succeeded offset 0) g
     where q.tenant = g.tenant and q.delivery = g.delivery
       -- Otherwise another worker has just recorded a failure, in a row that is not in this
       -- snapshot.
       and (q.event is not null ${unusual(sql`or exists (
             select from deliveries d where d.tenant = g.tenant and d.id = g.delivery)`)})
    returning g.n, true as mine, q.event, q.event_tenant, q.event_type, q.created_at
  ),
  ${unusual(sql`held as materialized (
    select g.n, q.* from ended g cross join lateral (
      select claim = g.claim as mine, event, event_tenant, event_type, created_at
        from due_deliveries where tenant = g.tenant and delivery = g.delivery for update) q
     where not g.succeeded and (select count(*) from cleared) >= 0
  ),`)}
  checked as materialized (
    select x.*, case when x.succeeded then 'delivered'
                     when x.wait is null or not x.enabled then 'failed'
                     else 'pending' end as outcome,
           case when not x.succeeded and x.enabled
                then x.at + x.wait * interval '1 second' end as retry_at
      from (
        select g.*, coalesce(h.mine, false) as mine, h.event, h.event_tenant, h.event_type,
               h.created_at, m.at + t.ahead_ms * interval '1 ms' as at,
               g.succeeded or coalesce((select w.status = 'enabled' from webhook_endpoints w
                                         where w.tenant = g.tenant and w.id = g.endpoint),
                                       false) as enabled
          from m, ended g
          join tenants t on t.id = g.tenant
          left join (select * from cleared ${unusual(sql`union all select * from held`)}) h
            on h.n = g.n) x
  )`

/** The first attempt inserts the delivery, and later attempts update it. Deliveries use the
 *  tenant's time; queues use real time. */
const settled = (ifTaken: Statement, unusual: Part): Statement => sql`
  inserted as (
    insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint, status,
                            attempt, http_status, latency_ms, error, next_attempt_at,
                            last_attempt_at, created_at)
    select tenant, delivery, event, event_tenant, event_type, endpoint, outcome, sent::int,
           case when sent then status end, case when sent then milliseconds end, error, retry_at,
           case when sent then at end, created_at
      from checked where event is not null and mine ${ifTaken}
  ),
  ${unusual(sql`updated as (
    update deliveries d
       set attempt = least(d.attempt + g.sent::int, ${retrySchedule.length}::int),
           http_status = case when g.sent then g.status else d.http_status end,
           latency_ms = case when g.sent then g.milliseconds else d.latency_ms end,
           error = g.error,
           last_attempt_at = case when g.sent then g.at else d.last_attempt_at end,
           status = g.outcome, next_attempt_at = g.retry_at
      from checked g
     where g.event is null and d.tenant = g.tenant and d.id = g.delivery
       -- Equivalent to status = 'pending', but no plan starts by reading every pending delivery.
       and d.next_attempt_at is not null
       and (g.succeeded or g.mine)
    returning g.*, d.event as of_event, d.attempt::int
  ),`)}
  settled as materialized (
    select s.*, case when s.outcome = 'pending'
                     then m.at + s.wait * interval '1 second' end as due_at
      from (select *, event as of_event, sent::int as attempt from checked
             where event is not null and mine
             ${unusual(sql`union all select * from updated`)}) s cross join m
  )`

/** Inserts a row for each attempt that was sent. */
const kept = (ifTaken: Statement): Statement => sql`
  kept as (
    insert into delivery_attempts (tenant, delivery, attempt, url, address, signature, http_status,
                                   error, resolve_ms, latency_ms, response_headers, response_body,
                                   ended_at)
    select tenant, delivery, attempt, url, address, signature, status, error, resolve, milliseconds,
           headers, answer, at
      from settled where sent ${ifTaken}
  )`

/** Updates each endpoint's queue and its record of consecutive failed events, both under the
 *  queue's lock. */
const served: Statement = sql`
  per_endpoint as materialized (
    select e.*, case when e.last_bad is null then e.many else (
             select count(*)::int from settled s
              where s.tenant = e.tenant and s.endpoint = e.endpoint and s.n > e.last_bad) end as good
      from (select tenant, endpoint, count(*)::int as many,
                   least(count(*) filter (where not succeeded), 4)::int as bad,
                   max(n) filter (where not succeeded) as last_bad,
                   max(n) filter (where succeeded) as last_good, min(due_at) as retry_at,
                   -- Whether the last attempt was slow.
                   max(2 * n + slow::int) % 2 = 1 as slow
              from settled group by tenant, endpoint order by tenant, endpoint) e
  ), served as materialized (
    select q.* from m cross join note_results(
      array(select tenant from per_endpoint), array(select endpoint from per_endpoint),
      array(select bad from per_endpoint), array(select good from per_endpoint),
      array(select retry_at from per_endpoint), array(select slow from per_endpoint), m.at,
      ${slotsMin}::int, ${slotsMax}::int, ${successesToGrow}::int) q
  ), failures_reset as (
    delete from failed_events f using per_endpoint e
     where e.last_good is not null and f.tenant = e.tenant and f.webhook_endpoint = e.endpoint
       and exists (select from served)
  )`

/** Counts final failures, and drops or reschedules the due rows of failed attempts. */
const failed: Statement = sql`
  , counted as (
    insert into failed_events (tenant, webhook_endpoint, event)
    select distinct t.tenant, t.endpoint, t.of_event
      from settled t join per_endpoint e on e.tenant = t.tenant and e.endpoint = t.endpoint
      join served a on a.tenant = t.tenant and a.webhook_endpoint = t.endpoint
     where t.outcome = 'failed' and t.sent and t.enabled and t.n > coalesce(e.last_good, -1)
        on conflict do nothing
  ), dropped as (
    delete from due_deliveries q using settled s
     where q.tenant = s.tenant and q.delivery = s.delivery and s.outcome = 'failed'
  ), moved as (
    update due_deliveries q set claim = null, claims = 0, retry = true, due_at = s.due_at,
                                event = null, event_tenant = null, event_type = null,
                                created_at = null
      from settled s
     where q.tenant = s.tenant and q.delivery = s.delivery and s.outcome = 'pending'
  )`
