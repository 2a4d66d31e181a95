// The email queue in PostgreSQL. A mailer claims rows with a lease, which is the time of the next
// attempt, so a crashed gateway's rows need no cleanup. Decided in
// docs/decisions/0041-send-email-at-least-once.md.
import type { Row } from '#database/pool.ts'
import { siteLimits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Audience, EmailKind, EmailMessage } from './message.ts'
import type { FailureKind } from './failures.ts'
import type { MalwareEmail } from './malware.ts'
import type { PersonEmail } from './people.ts'

export type QueuedRow = Row & {
  id: string
  subject: string
  audience: Audience | 'developers' | 'person'
  kind: EmailKind | FailureKind | MalwareEmail | PersonEmail | 'digest'
  sequence: number
  /** Attempts so far, including this one. */
  attempts: number
  facts: string
  created_at: string
  /** Whether this attempt is the last, because of the row's age. */
  is_last: boolean
}

/**
 * Queues emails about each row of `cause`, which has an ID and a sequence. Beyond the hourly limit,
 * emails to sales wait for a digest.
 */
export const mailed = (cause: Statement, messages: readonly EmailMessage[]): Statement => {
  const rows = messages.map(
    ({ id, audience, kind, facts }) =>
      sql`(${id}::text, ${audience}::text, ${kind}::text, ${JSON.stringify(facts)}::text)`,
  )
  const [first, ...others] = rows
  if (first === undefined) return sql`mailed as (select)`
  const all = others.reduce((text, row) => sql`${text}, ${row}`, first)
  return sql`
  mailed as (
    insert into site.emails (id, subject, audience, kind, sequence, facts, due_at)
    select l.id, c.id, l.audience, l.kind, c.sequence, l.facts::jsonb,
           case when l.audience = 'sales' and ${areManyToSales} then 'infinity'
                else clock_timestamp() end
      from ${cause} c, (values ${all}) l (id, audience, kind, facts)
  )`
}

const areManyToSales = sql`
  (select count(*) from (
     select from site.emails s
      where s.audience = 'sales' and s.created_at > clock_timestamp() - interval '1 hour'
      limit ${siteLimits.salesEmailsPerHour}::int) recent) >= ${siteLimits.salesEmailsPerHour}::int`

const digestItemsMax = 1000

/** Replaces emails to sales that have waited since an earlier hour with one email that lists
 *  them. */
export const queueDigest = (id: string): Statement => sql`
  with held as materialized (
    select id, created_at, facts || jsonb_build_object('subject', subject, 'kind', kind) as facts
      from site.emails
     where facts is not null and due_at = 'infinity'
       and created_at < date_trunc('hour', clock_timestamp())
     order by created_at limit ${digestItemsMax}::int
       for update skip locked
  ), digest as (
    insert into site.emails (id, subject, audience, kind, sequence, facts)
    select ${id}::text, ${id}::text, 'sales', 'digest', 0,
           jsonb_build_object('items', jsonb_agg(facts order by created_at, id))
      from held having count(*) > 0
  )
  update site.emails m set facts = null, sent_at = clock_timestamp()
    from held where m.id = held.id`

/**
 * Drops the queued emails about the `ended` call or callback, which a person reported, and removes
 * its entries from digests. A cancellation is still sent, because it removes the call from the
 * person's calendar.
 */
export const dropped = (ended: Statement): Statement => sql`
  dropped as (
    update site.emails set facts = null, gave_up_at = clock_timestamp()
     where subject in (select id from ${ended}) and facts is not null
       and not (kind = 'cancelled' and audience = 'buyer')
  ), taken_out as (
    update site.emails m
       set facts = jsonb_build_object('items', coalesce(
             (select jsonb_agg(item) from jsonb_array_elements(m.facts -> 'items') item
               where item ->> 'subject' not in (select id from ${ended})), '[]'))
     where kind = 'digest' and facts is not null and exists (select from ${ended})
  )`

/** Longer than one attempt can take (`transport.ts`), so two gateways never send the same email. */
const leaseSeconds = 180

/** How long mail servers retry (RFC 5321, section 4.5.4.1). */
const retryDays = 5

/** Whether the email `w` has no unsent earlier ones about the same call to the same audience. */
const isNext = sql`
  not exists (select from site.emails e
               where e.subject = w.subject and e.audience = w.audience
                 and e.sequence < w.sequence and e.facts is not null)`

/**
 * Claims due rows, skipping locked ones. Each address's oldest email comes first, so a long queue
 * to one address doesn't delay the others. An email waits for earlier ones about the same call to
 * the same audience, so a cancellation never precedes its invitation.
 */
export const claimDue = (count: number): Statement => sql`
  update site.emails m
     set attempts = m.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
   where m.id = any (array(
     select w.id from site.emails w
       join (select d.id, row_number() over (
                      partition by d.audience, d.facts ->> 'email' order by d.due_at, d.id) as turn
               from site.emails d where d.facts is not null and d.due_at <= clock_timestamp()) t
         on t.id = w.id
      where w.facts is not null and w.due_at <= clock_timestamp() and ${isNext}
      order by t.turn, w.due_at limit ${count}::int
        for update of w skip locked))
  returning m.id, m.subject, m.audience, m.kind, m.sequence, m.attempts, m.facts::text as facts,
            iso(m.created_at) as created_at,
            m.created_at < clock_timestamp() - make_interval(days => ${retryDays}::int) as is_last`

/** The age of the oldest email that may be sent, in whole seconds; 0 if none exists. An email to a
 *  refused recipient isn't late. */
export const oldestWaiting = (): Statement => sql`
  select coalesce(extract(epoch from clock_timestamp() - min(w.created_at)), 0)::int as seconds
    from site.emails w
   where w.facts is not null and w.due_at < 'infinity' and not w.recipient_refused and ${isNext}`

/** Deletes the content, which is no longer needed. */
export const markSent = (id: string): Statement => sql`
  update site.emails set sent_at = clock_timestamp(), facts = null where id = ${id} and facts is not null`

export const postpone = (
  id: string,
  waitSeconds: number,
  isRecipientRefused: boolean,
): Statement => sql`
  update site.emails set due_at = clock_timestamp() + make_interval(secs => ${waitSeconds}::int),
         recipient_refused = ${isRecipientRefused}
   where id = ${id} and facts is not null`

export const markFailed = (id: string): Statement => sql`
  update site.emails set gave_up_at = clock_timestamp(), facts = null
   where id = ${id} and facts is not null`
