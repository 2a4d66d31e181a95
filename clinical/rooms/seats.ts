// The two seats in a visit's room, in the database: who is present, and the messages waiting for
// the other seat's gateway. Each operation is one statement on a connection set to the tenant.

import { type AuditedCall, type Caller, insertAuditRows } from '#auth/audit.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Seat } from '../tokens.ts'
import { joinClosesAt, joinOpensAt, type VisitStatus } from '../visits/visit.ts'

/** The visit and seat on a ticket, and the connected page. */
export type Place = {
  readonly tenant: string
  readonly visit: string
  readonly patient: string
  readonly seat: Seat
  readonly connection: string
}

/** The channel a gateway listens to. The payload is a room's key. */
export const roomChannel = 'video_rooms'
export const roomKey = ({ tenant, visit }: Pick<Place, 'tenant' | 'visit'>) => `${tenant} ${visit}`

/** How long a seat counts as taken after its gateway's last request. */
const absentSeconds = 15

const other = ({ seat }: Place): Seat => (seat === 'patient' ? 'clinician' : 'patient')
const notify = (place: Place) => sql`select pg_notify(${roomChannel}, ${roomKey(place)})`
const ofRoom = ({ tenant, visit }: Place) => sql`tenant = ${tenant}::bigint and visit = ${visit}`
const ofSeat = (place: Place) =>
  sql`${ofRoom(place)} and seat = ${place.seat} and connection = ${place.connection}`
const found = ({ tenant, visit, patient }: Place) => sql`
  found as materialized (
    select status, iso(${joinOpensAt}) as opens_at, iso(${joinClosesAt}) as closes_at,
           iso(started_at) as started_at
      from visits
     where tenant = ${tenant}::bigint and id = ${visit} and patient = ${patient}
  )`

export type RoomFacts = {
  status: VisitStatus
  opens_at: string
  closes_at: string
  /** Null until the visit starts. */
  started_at: string | null
}

/** The state of a seat's person: in the room, temporarily disconnected, or gone. */
export type Presence = 'here' | 'away' | 'left'

/** Takes the seat, even from an older page in the same seat; returns no row if there's no visit. */
export const enter = (place: Place, caller: Caller, audited: AuditedCall): Statement => sql`
  with ${found(place)}, seated as (
    insert into room_seats (tenant, visit, seat, connection)
    select ${place.tenant}::bigint, ${place.visit}, ${place.seat}, ${place.connection} from found
    on conflict (tenant, visit, seat)
    do update set connection = excluded.connection, inbox = '{}', seen_at = now(), left_at = null
    returning 1
  ), audited as (${insertAuditRows(
    caller,
    audited,
    sql`select ${place.visit}::text, 'ok', 200::int2, null::text from found`,
  )})
  select f.*, (${notify(place)})::text as notified from found f, seated`

/** How a page goes away: the person left, the page was closed or reloaded, or the connection was
 *  lost. */
export type Departure = 'left' | 'closed' | 'lost'

/** A page that reloads is back within this time. */
const reloadSeconds = 2

const gone = (place: Place, how: Departure): Statement =>
  how === 'lost'
    ? sql`delete from room_seats where ${ofSeat(place)} and left_at is null returning 1`
    : sql`
        update room_seats set inbox = '{}',
               left_at = now() + ${how === 'left' ? 0 : reloadSeconds}::int * interval '1 second'
         where ${ofSeat(place)} and left_at is null
        returning 1`

/** Gives up the seat, unless a newer page has it or it was already given up. */
export const leave = (
  place: Place,
  how: Departure,
  caller: Caller,
  audited: AuditedCall,
): Statement => sql`
  with gone as (${gone(place, how)}), audited as (${insertAuditRows(
    caller,
    audited,
    sql`select ${place.visit}::text, 'ok', 200::int2, null::text from gone`,
  )})
  select (${notify(place)})::text as notified from gone`

export type Collected = RoomFacts & {
  /** Null once a newer page has the seat. */
  inbox: string[] | null
  other: Presence
}

/** Reads and clears the messages waiting for a seat. Returns no row if there's no visit. */
export const collect = (place: Place): Statement => sql`
  with own as (
    select inbox from room_seats
     where ${ofSeat(place)} for update
  ), taken as (
    update room_seats set inbox = '{}', seen_at = now()
     where ${ofSeat(place)} and exists (select from own)
  ), ${found(place)}
  select found.*, (select inbox from own) as inbox,
         coalesce((
           select case when left_at <= now() then 'left'
                       when left_at is null
                        and seen_at > now() - ${absentSeconds}::int * interval '1 second' then 'here' end
             from room_seats where ${ofRoom(place)} and seat = ${other(place)}), 'away') as other
    from found`

/** Leaves a message for the other seat, if the visit has started and both people are present. */
export const send = (place: Place, message: string): Statement => sql`
  with ${found(place)}, sent as (
    update room_seats set inbox = inbox || ${message}::text
     where ${ofRoom(place)} and seat = ${other(place)} and left_at is null
       and exists (select from found where status = 'started')
       and exists (select from room_seats where ${ofRoom(place)} and seat = ${place.seat}
                      and connection = ${place.connection})
    returning 1
  )
  select (${notify(place)})::text as notified from sent`
