// The SQL statements about calls. Each write is one statement that also queues its emails, so a
// change and its emails are committed together.
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Protocol, Slot } from '#contract/site/discovery-call.ts'
import type { Via } from './booking-service.ts'
import type { EmailMessage } from '#email/message.ts'
import { dropped, mailed } from '#email/queue.ts'
import type { Person } from './person.ts'
import type { PeopleQuota } from './quota.ts'

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

/** A request without a time expires after this many days. */
const requestDays = 30

const callColumns = (now: string) => sql`
  b.id, b.status, iso(b.starts_at) as starts_at, iso(b.ends_at) as ends_at, b.time_zone, b.sequence,
  b.email, b.first_name, b.last_name, b.phone, b.company, b.note, b.protocol, b.agent,
  iso(b.created_at) as created_at,
  case b.status when 'confirmed' then b.ends_at <= ${now}::timestamptz
                when 'requested' then b.created_at <= ${now}::timestamptz
                                      - make_interval(days => ${requestDays}::int)
                else true end as is_over`

/** Selects a person's open call and whether the time is taken. Always returns one row. */
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

/** Counts one more person in a network's hour. Returns no row if the quota is used up. */
const admitted = ({ network, peopleMax }: PeopleQuota, now: string) => sql`
  admitted as (
    insert into site.people_quotas as q (network_hmac, people, ends_at)
    values (${network}::bytea, 1, ${now}::timestamptz + interval '1 hour')
        on conflict (network_hmac) do update
       set people = case when q.ends_at <= ${now}::timestamptz then 1 else q.people + 1 end,
           ends_at = case when q.ends_at <= ${now}::timestamptz then excluded.ends_at
                          else q.ends_at end
     where q.ends_at <= ${now}::timestamptz or q.people < ${peopleMax}::int
    returning network_hmac
  )`

/** Selects the new row's ID, or the seconds until the network's hour ends. */
const madeOrWait = ({ network }: PeopleQuota, now: string) => sql`
  select (select id from made) as id,
         coalesce((select ceil(extract(epoch from ends_at - ${now}::timestamptz))
                     from site.people_quotas where network_hmac = ${network}::bytea), 1)::int
           as retry_seconds`

type NewCall = {
  readonly id: string
  readonly person: Person
  readonly via: Via
  readonly slot: Slot | null
  readonly timeZone: string
  readonly now: string
  readonly messages: readonly EmailMessage[]
  readonly quota: PeopleQuota
}

/** Fails as a duplicate, without using the quota, if the time is taken or the person has a call. */
export const insertCall = ({
  id,
  person,
  via,
  slot,
  timeZone,
  now,
  messages,
  quota,
}: NewCall): Statement => sql`
  with ${admitted(quota, now)}, made as (
    insert into site.bookings (id, status, starts_at, ends_at, time_zone, person, email, first_name,
                               last_name, phone, company, note, protocol, agent, wording, consent,
                               created_at, network_hmac)
    select ${id}::text, ${slot === null ? 'requested' : 'confirmed'}::text,
           ${slot?.start ?? null}::timestamptz, ${slot?.end ?? null}::timestamptz,
           ${timeZone}::text, ${person.person}::text, ${person.email}::text,
           ${person.firstName}::text, ${person.lastName}::text, ${person.phone}::text,
           ${person.company}::text, ${person.note}::text, ${via.protocol}::text,
           ${via.agent}::text, ${via.wording}::text, ${via.consent ?? null}::boolean,
           ${now}::timestamptz, network_hmac
      from admitted
    returning id, sequence
  ), ${mailed(sql`made`, messages)}
  ${madeOrWait(quota, now)}`

/** Records that the person confirmed, so their call no longer counts toward the quota. */
export const confirmPerson = (id: string): Statement => sql`
  with counted as (
    select id, network_hmac, created_at from site.bookings
     where id = ${id} and network_hmac is not null
       for update
  ), confirmed as (
    update site.bookings b set network_hmac = null from counted c where b.id = c.id
  )
  update site.people_quotas q set people = q.people - 1
    from counted c
   where q.network_hmac = c.network_hmac and q.people > 0
     and c.created_at >= q.ends_at - interval '1 hour'`

/** Returns the ID, or no row if the call changed since it was read. May fail as a duplicate. */
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

/** Closes a call that's over, so the person can book another call. */
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

/** Cancels the call, erases the person's details, and drops the queued emails. */
export const eraseCall = (call: CallRow, messages: readonly EmailMessage[]): Statement => sql`
  with ended as (
    update site.bookings
       set status = case when status in ('requested', 'confirmed') then 'cancelled' else status end,
           sequence = sequence + 1, updated_at = clock_timestamp(), ${erased}
     where id = ${call.id} and sequence = ${call.sequence} and erased_at is null
    returning id, sequence
  ), ${dropped(sql`ended`)}, ${mailed(sql`ended`, messages)}
  select id from ended`

type NewCallback = {
  readonly id: string
  readonly person: Person
  readonly via: Via
  readonly now: string
  readonly messages: readonly EmailMessage[]
  readonly quota: PeopleQuota
}

/** A callback request is open for a day. Fails as a duplicate if the person already has an open
 *  request. */
export const insertCallback = (callback: NewCallback): Statement => {
  const { id, person, via, now, messages, quota } = callback
  return sql`
  with ${admitted(quota, now)}, before as (
    update site.callbacks set closed_at = ${now}::timestamptz
     where person = ${person.person} and closed_at is null
       and created_at <= ${now}::timestamptz - interval '24 hours'
       and exists (select from admitted)
    returning id
  ), made as (
    insert into site.callbacks (id, person, email, first_name, last_name, phone, company, note,
                                protocol, agent, wording, consent, created_at)
    select ${id}::text, ${person.person}::text, ${person.email}::text, ${person.firstName}::text,
           ${person.lastName}::text, ${person.phone}::text, ${person.company}::text,
           ${person.note}::text, ${via.protocol}::text, ${via.agent}::text, ${via.wording}::text,
           ${via.consent ?? null}::boolean, ${now}::timestamptz
      from admitted, (select count(*) from before) closed_first
    returning id, 0 as sequence
  ), ${mailed(sql`made`, messages)}
  ${madeOrWait(quota, now)}`
}

export const openCallback = (person: string, now: string): Statement => sql`
  select id, iso(created_at) as created_at from site.callbacks
   where person = ${person} and closed_at is null
     and created_at > ${now}::timestamptz - interval '24 hours'`

export const callbackOf = (id: string): Statement => sql`
  select id, protocol, agent, iso(created_at) as created_at, erased_at is not null as is_erased
    from site.callbacks where id = ${id}`

export const eraseCallback = (id: string, messages: readonly EmailMessage[]): Statement => sql`
  with ended as (
    update site.callbacks set closed_at = coalesce(closed_at, clock_timestamp()), ${erased}
     where id = ${id} and erased_at is null
    returning id, 1 as sequence
  ), ${dropped(sql`ended`)}, ${mailed(sql`ended`, messages)}
  select id from ended`

/** Forgets callers' networks once their hour is over. */
export const forgetNetworks = (now: string): Statement => sql`
  with over as (
    delete from site.people_quotas where ends_at <= ${now}::timestamptz
  )
  update site.bookings set network_hmac = null
   where network_hmac is not null and created_at <= ${now}::timestamptz - interval '1 hour'`

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
