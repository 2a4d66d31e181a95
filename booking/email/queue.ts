// The queue of mail in PostgreSQL. A row is tried by whoever holds its lease; the lease is the time
// at which it may be tried again, so a gateway that dies needs nobody to clean up after it.
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
  /** Tries so far, with this one. */
  attempts: number
  facts: string
  created_at: string
  /** It was queued so long ago that this try is the last. */
  is_last: boolean
}

/** Longer than one try can take (`post.ts`), so that no two gateways hold one mail at once. */
const leaseSeconds = 180

/** As long as mail servers themselves try (RFC 5321, section 4.5.4.1). */
const patienceDays = 5

/**
 * Takes what is due, oldest first, past what others have in hand. A mail waits for those before it
 * about the same call to the same reader: nobody should hear of a cancellation first.
 */
export const claiming = (count: number): Statement => sql`
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
            m.created_at < clock_timestamp() - make_interval(days => ${patienceDays}::int) as is_last`

/** How long the oldest has waited, in whole seconds; nothing that waits has waited for none. */
export const waiting = (): Statement => sql`
  select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::int as seconds
    from site.emails where facts is not null`

/** What it said is not needed any more, and is dropped. */
export const accepted = (id: string): Statement => sql`
  update site.emails set sent_at = clock_timestamp(), facts = null where id = ${id} and facts is not null`

export const refused = (id: string, waitSeconds: number): Statement => sql`
  update site.emails set due_at = clock_timestamp() + make_interval(secs => ${waitSeconds}::int)
   where id = ${id} and facts is not null`

export const givenUp = (id: string): Statement => sql`
  update site.emails set gave_up_at = clock_timestamp(), facts = null
   where id = ${id} and facts is not null`
