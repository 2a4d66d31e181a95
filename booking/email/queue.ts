// The email queue in PostgreSQL. A mailer claims rows with a lease. The lease is the time of the
// next attempt, so the rows of a crashed gateway need no cleanup.
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Audience, EmailKind } from './message.ts'
import type { FailureKind } from './failures.ts'

export type QueuedRow = Row & {
  id: string
  subject: string
  audience: Audience | 'developers'
  kind: EmailKind | FailureKind
  sequence: number
  /** Attempts so far, including this one. */
  attempts: number
  facts: string
  created_at: string
  /** Whether this attempt is the last, because of the row's age. */
  is_last: boolean
}

/** Longer than one attempt can take (`transport.ts`), so that two gateways never send one email. */
const leaseSeconds = 180

/** As long as mail servers retry (RFC 5321, section 4.5.4.1). */
const retryDays = 5

/**
 * Claims due rows, oldest first, skipping rows that are locked. An email waits for earlier ones
 * about the same call to the same audience, so that a cancellation never precedes its invitation.
 */
export const claimDue = (count: number): Statement => sql`
  update site.emails m
     set attempts = m.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
   where m.id = any (array(
     select w.id from site.emails w
      where w.facts is not null and w.due_at <= clock_timestamp()
        and not exists (select from site.emails e
                         where e.subject = w.subject and e.audience = w.audience
                           and e.sequence < w.sequence and e.facts is not null)
      order by w.due_at limit ${count}::int
        for update skip locked))
  returning m.id, m.subject, m.audience, m.kind, m.sequence, m.attempts, m.facts::text as facts,
            iso(m.created_at) as created_at,
            m.created_at < clock_timestamp() - make_interval(days => ${retryDays}::int) as is_last`

/** Age of the oldest queued email in whole seconds; 0 if there is none. */
export const oldestWaiting = (): Statement => sql`
  select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::int as seconds
    from site.emails where facts is not null`

/** Deletes the content, which is not needed any more. */
export const markSent = (id: string): Statement => sql`
  update site.emails set sent_at = clock_timestamp(), facts = null where id = ${id} and facts is not null`

export const postpone = (id: string, waitSeconds: number): Statement => sql`
  update site.emails set due_at = clock_timestamp() + make_interval(secs => ${waitSeconds}::int)
   where id = ${id} and facts is not null`

export const markFailed = (id: string): Statement => sql`
  update site.emails set gave_up_at = clock_timestamp(), facts = null
   where id = ${id} and facts is not null`
