// The actions of a page in a visit's room. Its ticket is the only credential. Row-level security
// limits queries to the ticket's tenant. Decided in
// docs/decisions/0151-let-the-two-browsers-of-a-visit-talk-to-each-other.md.

import { type AuditedCall, type Caller, unauthenticated } from '#auth/audit.ts'
import type { Connection } from '#database/pool.ts'
import type { TokenPayload } from '../tokens.ts'
import { hasVideo } from '../modes.ts'
import type { AppContext } from '../pipeline/perform.ts'
import type { Visitor } from './visit-cookie.ts'
import { openTenant, type TenantRow } from '../visits/ticket.ts'
import type { VisitStatus } from '../visits/visit.ts'
import {
  type Collected,
  collect,
  type Departure,
  enter,
  leave,
  type Place,
  type RoomFacts,
  send,
} from './seats.ts'

export type RoomTicket = Extract<TokenPayload, { kind: 'room' }>

/** Whether a visit's room is, or will be, open. */
export const isJoinable = (status: VisitStatus) => status === 'scheduled' || status === 'started'

/** Whether a visit with a join link was rescheduled to a time when its room isn't open yet. */
export const isPostponed = (status: VisitStatus, opensAt: number, now: number) =>
  status === 'scheduled' && now < opensAt

/** Returns a page's ticket; null if it's for something else, too old, for a visit without video, or
 *  for a browser other than `visitor`. */
export function roomTicketOf(
  { files, now }: Pick<AppContext, 'files' | 'now'>,
  written: string,
  visitor: Visitor | null,
): RoomTicket | null {
  const ticket = files.tokens.open(written)
  if (ticket?.kind !== 'room' || ticket.browser !== visitor?.digest) return null
  return ticket.expires > now() && hasVideo(ticket.mode) ? ticket : null
}

export const placeOf = (ticket: RoomTicket, connection: string): Place => ({
  tenant: ticket.tenant,
  visit: ticket.visit,
  patient: ticket.patient,
  seat: ticket.seat,
  connection,
})

/** Where a room request came from, for the audit. */
export type Came = Pick<AuditedCall, 'request' | 'address' | 'agent'>

type Context = Pick<AppContext, 'pools'>

/** Returns null if a reset has retired the tenant. */
const within = <T>(
  { pools }: Context,
  ticket: RoomTicket,
  work: (connection: Connection, caller: Caller) => Promise<T>,
): Promise<T | null> =>
  pools[ticket.mode].use(async connection => {
    const [tenant] = await connection.run<TenantRow>(openTenant(ticket.tenant))
    if (tenant === undefined) return null
    const { integration, organization } = tenant
    return work(connection, { ...unauthenticated, mode: ticket.mode, integration, organization })
  })

const auditOf = (place: Place, action: string, came: Came): AuditedCall => ({
  surface: 'page',
  action: `${action}As${place.seat === 'patient' ? 'Patient' : 'Clinician'}`,
  target: place.visit,
  ...came,
})

const roomOf = ({ visit }: RoomTicket, { opens_at, closes_at, started_at }: RoomFacts) => ({
  visit,
  opensAt: Date.parse(opens_at),
  closesAt: Date.parse(closes_at),
  startedAt: started_at === null ? null : Date.parse(started_at),
})

/** Takes the seat; returns false if there's no visit. */
export async function enterRoom(
  context: Context,
  ticket: RoomTicket,
  place: Place,
  came: Came,
): Promise<boolean> {
  const rows = await within(context, ticket, (connection, caller) =>
    connection.run(enter(place, caller, auditOf(place, 'enterRoom', came))),
  )
  return (rows?.length ?? 0) > 0
}

export const leaveRoom = (
  context: Context,
  { ticket, place, came, how }: { ticket: RoomTicket; place: Place; came: Came; how: Departure },
) =>
  within(context, ticket, (connection, caller) =>
    connection.run(leave(place, how, caller, auditOf(place, 'leaveRoom', came))),
  )

/** Returns the messages waiting for a seat, and the room's current state, because a visit may be
 *  rescheduled while its pages are open. Returns null if there's no visit. */
export async function collectFrom(context: Context, ticket: RoomTicket, place: Place) {
  const rows = await within(context, ticket, connection =>
    connection.run<Collected>(collect(place)),
  )
  const [collected] = rows ?? []
  return collected === undefined ? null : { ...collected, room: roomOf(ticket, collected) }
}

/** Returns whether the other seat was present for the message. */
export async function sendTo(context: Context, ticket: RoomTicket, place: Place, message: string) {
  const rows = await within(context, ticket, connection => connection.run(send(place, message)))
  return (rows?.length ?? 0) > 0
}
