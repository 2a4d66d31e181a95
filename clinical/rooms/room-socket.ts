// One page in a visit's room: what it's sent, and what it may send.
import { roomCloses, type RoomClose } from './room-protocol.ts'
import type { RoomEntry, VideoProvider } from './provider.ts'
import {
  type Came,
  collectFrom,
  enterRoom,
  isJoinable,
  isPostponed,
  leaveRoom,
  placeOf,
  type RoomTicket,
  sendTo,
} from './room.ts'
import type { Departure, Place, Presence } from './seats.ts'
import type { AppContext } from '../pipeline/perform.ts'
import type { VisitStatus } from '../visits/visit.ts'

export type RoomContext = Pick<AppContext, 'pools' | 'files' | 'now'> & { video: VideoProvider }

export type RoomMessage =
  | { type: 'welcome'; seat: Place['seat'] }
  | { type: 'state'; status: VisitStatus; other: Presence; elapsed: number | null }
  | { type: 'open'; entry: RoomEntry }
  | { type: 'signal'; data: unknown }

/** One connection's state. */
export type RoomSlot = {
  readonly room: true
  readonly ticket: RoomTicket
  readonly place: Place
  readonly came: Came
  send(message: RoomMessage): void
  disconnect(why: RoomClose): void
  /** Whether the page has taken its seat. */
  hasEntered: boolean
  /** Whether the connection was closed, by us or by the page. */
  isGone: boolean
  /** The last status sent to the page. */
  status: VisitStatus | null
  other: Presence | null
  isOpen: boolean
  /** Whether messages are being collected for the page, and whether to collect again afterward. */
  asking: 'no' | 'once' | 'again'
  said: { count: number; since: number }
  /** The page's messages are stored one after another, so they stay in order. */
  hearing: Promise<unknown>
}

export const newSlot = (ticket: RoomTicket, connection: string, came: Came): RoomSlot => ({
  room: true,
  ticket,
  place: placeOf(ticket, connection),
  came,
  send: () => {},
  disconnect: () => {},
  hasEntered: false,
  isGone: false,
  status: null,
  other: null,
  isOpen: false,
  asking: 'no',
  said: { count: 0, since: 0 },
  hearing: Promise.resolve(),
})

export function close(slot: RoomSlot, why: RoomClose): void {
  slot.isGone = true
  slot.disconnect(why)
}

/** Takes the page's seat, and sends its first messages. */
export async function arrive(context: RoomContext, slot: RoomSlot): Promise<void> {
  const { ticket, place, came } = slot
  slot.hasEntered = await enterRoom(context, ticket, place, came)
  if (!slot.hasEntered) return close(slot, roomCloses.ended)
  // The page left before it had its seat.
  if (slot.isGone) return void (await depart(context, slot, 'lost'))
  slot.send({ type: 'welcome', seat: place.seat })
  await ask(context, slot)
}

/** Gives up the seat because the page has closed. */
export function depart(context: RoomContext, slot: RoomSlot, how: Departure): Promise<unknown> {
  slot.isGone = true
  return leaveRoom(context, { ...slot, how })
}

/** Sends the page its waiting messages. If another call is already collecting messages, that call
 *  collects once more instead. */
export async function ask(context: RoomContext, slot: RoomSlot): Promise<void> {
  if (!slot.hasEntered || slot.isGone) return
  if (slot.asking !== 'no') {
    slot.asking = 'again'
    return
  }
  try {
    do {
      slot.asking = 'once'
      await collectOnce(context, slot)
    } while ((slot.asking as string) === 'again' && !slot.isGone)
  } finally {
    slot.asking = 'no'
  }
}

async function collectOnce(context: RoomContext, slot: RoomSlot): Promise<void> {
  const { ticket, place } = slot
  const collected = await collectFrom(context, ticket, place)
  if (slot.isGone) return
  if (collected === null) return close(slot, roomCloses.ended)
  const { status, inbox, other, room } = collected
  if (inbox === null) return close(slot, roomCloses.replaced)
  const now = context.now()
  if (status !== slot.status || other !== slot.other) {
    slot.status = status
    slot.other = other
    const { startedAt } = room
    const elapsed = startedAt === null ? null : now - startedAt
    slot.send({ type: 'state', status, other, elapsed })
  }
  if (!isJoinable(status) || now > room.closesAt || isPostponed(status, room.opensAt, now)) {
    close(slot, roomCloses.ended)
    return context.video.end(room)
  }
  if (status === 'started' && !slot.isOpen) {
    const entry = await context.video.entryFor(room, place.seat)
    slot.isOpen = true
    slot.send({ type: 'open', entry })
  }
  for (const message of inbox) slot.send({ type: 'signal', data: JSON.parse(message) })
}

/** Negotiation takes about thirty messages in a few seconds. */
const messagesMax = 300
const windowMilliseconds = 60_000

/** Handles a message from the page: connection data for the other browser, in the browser's own
 *  format. */
export async function hear(context: RoomContext, slot: RoomSlot, text: string): Promise<unknown> {
  const now = context.now()
  if (now - slot.said.since > windowMilliseconds) slot.said = { count: 0, since: now }
  if (++slot.said.count > messagesMax) return close(slot, roomCloses.tooFast)
  // The page stays connected, so it's still notified when the visit ends.
  if (text === 'leave') return leaveRoom(context, { ...slot, how: 'left' })
  const data = signalOf(text)
  if (data === null) return close(slot, roomCloses.unreadable)
  const store = () => sendTo(context, slot.ticket, slot.place, JSON.stringify(data))
  slot.hearing = slot.hearing.then(store, store)
  return slot.hearing
}

type Signal = {
  page: string
  isReply?: boolean
  isNote?: boolean
  muted?: object
  description?: object
  candidate?: object | null
}

/** Keeps only fields that our own page sends. */
function signalOf(text: string): Signal | null {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof given !== 'object' || given === null) return null
  const { page, isReply, isNote, muted, description, candidate } = given as Record<string, unknown>
  if (typeof page !== 'string' || page.length > 40) return null
  return {
    page,
    ...(isReply === true && { isReply }),
    ...(isNote === true && { isNote }),
    ...(typeof muted === 'object' && muted !== null && { muted }),
    ...(typeof description === 'object' && description !== null && { description }),
    ...(typeof candidate === 'object' && { candidate }),
  }
}
