// The SQL statements about calls. Each write is one statement that also queues its emails, so that
// both are committed or neither is.
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Protocol, Slot, Via } from './booking-service.ts'
import type { EmailMessage } from './email/message.ts'
import type { Person } from './person.ts'

export type CallRow = Row & {
  id: string
  status: 'requested' | 'confirmed' | 'cancelled' | 'held' | 'lapsed'
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  sequence: number
  email: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  company: string | null
  note: string | null
  protocol: Protocol
  agent: string | null
  created_at: string
  /** The call has ended, or its request expired before a time was picked. */
  is_over: boolean
}

/** A request without a time expires after so many days. */
const requestDays = 30

const callColumns = (now: string) => sql`
  b.id, b.status, iso(b.starts_at) as starts_at, iso(b.ends_at) as ends_at, b.time_zone, b.sequence,
  b.email, b.first_name, b.last_name, b.phone, b.company, b.note, b.protocol, b.agent,
  iso(b.created_at) as created_at,
  case b.status when 'confirmed' then b.ends_at <= ${now}::timestamptz
                when 'requested' then b.created_at <= ${now}::timestamptz
                                      - make_interval(days => ${requestDays}::int)
                else true end as is_over`

/** The open call of a person, and whether the time is taken. Always one row. */
export const factsOf = (person: string, start: string | null, now: string): Statement => sql`
  select ${callColumns(now)},
         exists (select from site.bookings t
                  where t.status = 'confirmed' and t.starts_at = ${start}::timestamptz) as is_taken
    from (select) one
    left join site.bookings b on b.person = ${person} and b.status in ('requested', 'confirmed')`

export const callOf = (id: string, now: string): Statement => sql`
  select ${callColumns(now)} from site.bookings b where b.id = ${id}`

export const takenBetween = (from: string, until: string): Statement => sql`
  select iso(starts_at) as start from site.bookings
   where status = 'confirmed' and starts_at >= ${from}::timestamptz
     and starts_at < ${until}::timestamptz`

/** Queues emails about each row of `cause`, which has an id and a sequence. */
const mailed = (cause: Statement, messages: readonly EmailMessage[]): Statement => {
  const rows = messages.map(
    ({ id, audience, kind, facts }) =>
      sql`(${id}::text, ${audience}::text, ${kind}::text, ${JSON.stringify(facts)}::text)`,
  )
  const [first, ...others] = rows
  if (first === undefined) return sql`mailed as (select)`
  const all = others.reduce((text, row) => sql`${text}, ${row}`, first)
  return sql`
  mailed as (
    insert into site.emails (id, subject, audience, kind, sequence, facts)
    select l.id, c.id, l.audience, l.kind, c.sequence, l.facts::jsonb
      from ${cause} c, (values ${all}) l (id, audience, kind, facts)
  )`
}

type NewCall = {
  readonly id: string
  readonly person: Person
  readonly via: Via
  readonly slot: Slot | null
  readonly timeZone: string
  readonly now: string
  readonly messages: readonly EmailMessage[]
}

/** Returns the id; no row if the time is taken or the person already has a call. */
export const insertCall = ({
  id,
  person,
  via,
  slot,
  timeZone,
  now,
  messages,
}: NewCall): Statement => sql`
  with made as (
    insert into site.bookings (id, status, starts_at, ends_at, time_zone, person, email, first_name,
                               last_name, phone, company, note, protocol, agent, wording, consent,
                               created_at)
    values (${id}, ${slot === null ? 'requested' : 'confirmed'}, ${slot?.start ?? null}::timestamptz,
            ${slot?.end ?? null}::timestamptz, ${timeZone}, ${person.person}, ${person.email},
            ${person.firstName}, ${person.lastName}, ${person.phone}, ${person.company},
            ${person.note}, ${via.protocol}, ${via.agent}, ${via.wording},
            ${via.consent ?? null}::boolean, ${now}::timestamptz)
        on conflict do nothing
    returning id, sequence
  ), ${mailed(sql`made`, messages)}
  select id from made`

/** Returns the id; no row if the call changed since it was read. May fail as a duplicate. */
export const updateTime = (
  call: CallRow,
  slot: Slot,
  timeZone: string,
  messages: readonly EmailMessage[],
): Statement => sql`
  with moved as (
    update site.bookings
       set status = 'confirmed', starts_at = ${slot.start}::timestamptz,
           ends_at = ${slot.end}::timestamptz, time_zone = ${timeZone}, sequence = sequence + 1,
           updated_at = clock_timestamp()
     where id = ${call.id} and sequence = ${call.sequence} and status in ('requested', 'confirmed')
    returning id, sequence
  ), ${mailed(sql`moved`, messages)}
  select id from moved`

/** Ends a call that is over, so that the person can book another one. */
export const closeCall = (call: CallRow): Statement => sql`
  update site.bookings
     set status = case status when 'confirmed' then 'held' else 'lapsed' end,
         updated_at = clock_timestamp()
   where id = ${call.id} and sequence = ${call.sequence} and status in ('requested', 'confirmed')`

export const cancelCall = (call: CallRow, messages: readonly EmailMessage[]): Statement => sql`
  with ended as (
    update site.bookings
       set status = 'cancelled', sequence = sequence + 1, updated_at = clock_timestamp()
     where id = ${call.id} and sequence = ${call.sequence} and status in ('requested', 'confirmed')
    returning id, sequence
  ), ${mailed(sql`ended`, messages)}
  select id from ended`

const erased = sql`person = null, email = null, first_name = null, last_name = null, phone = null,
                   company = null, note = null, erased_at = clock_timestamp()`

/**
 * Drops the queued emails of a person who reported the call. A cancellation is still sent, because
 * it removes the call from their calendar.
 */
const dropped = sql`
  dropped as (
    update site.emails set facts = null, gave_up_at = clock_timestamp()
     where subject in (select id from ended) and facts is not null
       and not (kind = 'cancelled' and audience = 'buyer')
  )`

/** Cancels the call, erases the person's details, and drops the queued emails. */
export const eraseCall = (call: CallRow, messages: readonly EmailMessage[]): Statement => sql`
  with ended as (
    update site.bookings
       set status = case when status in ('requested', 'confirmed') then 'cancelled' else status end,
           sequence = sequence + 1, updated_at = clock_timestamp(), ${erased}
     where id = ${call.id} and sequence = ${call.sequence} and erased_at is null
    returning id, sequence
  ), ${dropped}, ${mailed(sql`ended`, messages)}
  select id from ended`

type NewCallback = {
  readonly id: string
  readonly person: Person
  readonly via: Via
  readonly now: string
  readonly messages: readonly EmailMessage[]
}

/** A callback is open for a day. Returns the id; no row if the person has an open one. */
export const insertCallback = ({ id, person, via, now, messages }: NewCallback): Statement => sql`
  with before as (
    update site.callbacks set closed_at = ${now}::timestamptz
     where person = ${person.person} and closed_at is null
       and created_at <= ${now}::timestamptz - interval '24 hours'
    returning id
  ), made as (
    insert into site.callbacks (id, person, email, first_name, last_name, phone, company, note,
                                protocol, agent, wording, consent, created_at)
    select ${id}::text, ${person.person}::text, ${person.email}::text, ${person.firstName}::text,
           ${person.lastName}::text, ${person.phone}::text, ${person.company}::text,
           ${person.note}::text, ${via.protocol}::text, ${via.agent}::text, ${via.wording}::text,
           ${via.consent ?? null}::boolean, ${now}::timestamptz
      from (select count(*) from before) closed_first
        on conflict do nothing
    returning id, 0 as sequence
  ), ${mailed(sql`made`, messages)}
  select id from made`

export const openCallback = (person: string): Statement => sql`
  select id, iso(created_at) as created_at from site.callbacks
   where person = ${person} and closed_at is null`

export const callbackOf = (id: string): Statement => sql`
  select id, protocol, agent, iso(created_at) as created_at, erased_at is not null as is_erased
    from site.callbacks where id = ${id}`

export const eraseCallback = (id: string, messages: readonly EmailMessage[]): Statement => sql`
  with ended as (
    update site.callbacks set closed_at = coalesce(closed_at, clock_timestamp()), ${erased}
     where id = ${id} and erased_at is null
    returning id, 1 as sequence
  ), ${dropped}, ${mailed(sql`ended`, messages)}
  select id from ended`

/** Erases personal data after the retention period; the calls stay. */
export const eraseBefore = (now: string, days: number): Statement => sql`
  with calls as (
    update site.bookings
       set status = case status when 'confirmed' then 'held' when 'requested' then 'lapsed'
                                else status end, ${erased}
     where erased_at is null
       and coalesce(ends_at, created_at) < ${now}::timestamptz - make_interval(days => ${days}::int)
    returning id
  ), asked as (
    update site.callbacks set closed_at = coalesce(closed_at, clock_timestamp()), ${erased}
     where erased_at is null
       and created_at < ${now}::timestamptz - make_interval(days => ${days}::int)
    returning id
  )
  select (select count(*) from calls)::int + (select count(*) from asked)::int as erased`
