// One call, whoever asks: read the facts, decide, write once. When somebody else's write came in
// between, it is decided again on what is true now; the unique indexes are the judges.
import { alternativesTo, slotAt, startOf } from './availability.ts'
import { setTime, slotOf } from './call.ts'
import type { Booking, BookingAnswer, BookingRequest, Fault, Slot } from './booking-service.ts'
import { emailsAbout } from './email/messages-for.ts'
import { momentOf } from './opening.ts'
import {
  agentText,
  companyZone,
  decided,
  type BookingContext,
  newId,
  nowOf,
  dryRunId,
  run,
} from './context.ts'
import { type Person, readPerson } from './person.ts'
import { type CallRow, closing, factsOf, inserting } from './statements.ts'
import { zoneNamed } from './zones.ts'

/** What can be said of a request without asking the database. */
type Asked = { person: Person; slot: Slot | null; timeZone: string; request: BookingRequest }

export async function book(parts: BookingContext, request: BookingRequest): Promise<BookingAnswer> {
  const asked = read(request)
  if (Array.isArray(asked)) return { kind: 'invalid', faults: asked }
  return decided(() => decideAndWrite(parts, asked))
}

function read(request: BookingRequest): Asked | Fault[] {
  const person = readPerson(request.buyer, request.note)
  const faults = Array.isArray(person) ? person : []
  const start = request.start === undefined ? null : startOf(request.start)
  const timeZone = request.timeZone === undefined ? companyZone : zoneNamed(request.timeZone)
  if (start === undefined) {
    const detail = 'Write it with its offset, such as 2026-11-30T14:00:00Z.'
    faults.push({ field: 'start', code: 'invalid', detail })
  }
  if (timeZone === null) {
    const detail = 'This is no IANA name of a time zone, such as America/New_York.'
    faults.push({ field: 'timezone', code: 'invalid', detail })
  }
  if (Array.isArray(person) || start === undefined || timeZone === null) return faults
  return { person, slot: start === null ? null : slotAt(start), timeZone, request }
}

/** Null when what it was decided on is not true any more. */
async function decideAndWrite(parts: BookingContext, asked: Asked): Promise<BookingAnswer | null> {
  const { person, slot } = asked
  const now = nowOf(parts)
  const [facts] = await run<CallRow & { is_taken: boolean }>(
    parts,
    factsOf(person.person, slot?.start ?? null, momentOf(now)),
  )
  const open = facts?.id ? facts : null
  if (open?.is_over) {
    await run(parts, closing(open))
    return null
  }
  // Before the time is looked at: a retry that comes late is answered as the first call was.
  if (open && (open.status === 'confirmed' || slot === null)) {
    return { kind: 'booked', booking: known(parts, open), replayed: true }
  }
  if (slot !== null && !parts.opening.offers(slot.start, now)) {
    const detail = 'No call begins then. Take a start from the availability.'
    return { kind: 'invalid', faults: [{ field: 'start', code: 'not_offered', detail }] }
  }
  if (slot !== null && facts?.is_taken) {
    return { kind: 'slot_taken', alternatives: await alternativesTo(parts, slot.start) }
  }
  if (person.isReserved || parts.isDryRun)
    return { kind: 'rehearsed', booking: dryRunBooking(parts, asked) }
  return open && slot !== null ? pick(parts, asked, open, slot) : insert(parts, asked, now)
}

async function insert(
  parts: BookingContext,
  asked: Asked,
  moment: Temporal.Instant,
): Promise<BookingAnswer | null> {
  const { person, slot, timeZone, request } = asked
  const id = newId(parts, 'bkg')
  const via = { ...request.via, agent: agentText(request.via.agent) }
  const { protocol, agent } = via
  const about = { ...person, slot, before: null, timeZone, protocol, agent }
  const messages = emailsAbout(parts, slot === null ? 'requested' : 'booked', about)
  const now = momentOf(moment)
  const [made] = await run(parts, inserting({ id, person, via, slot, timeZone, now, messages }))
  if (made === undefined) return null
  parts.wake()
  const url = slot === null ? parts.links.pick(id) : parts.links.call(id)
  return { kind: 'booked', booking: bookingOf(id, slot, timeZone, url), replayed: false }
}

/** Who had asked without a time now names one. */
async function pick(
  parts: BookingContext,
  asked: Asked,
  open: CallRow,
  slot: Slot,
): Promise<BookingAnswer | null> {
  if (!(await setTime(parts, open, slot, asked.timeZone))) return null
  const booking = bookingOf(open.id, slot, asked.timeZone, parts.links.help)
  return { kind: 'booked', booking, replayed: false }
}

/** Its link went to the person by mail; whoever repeats the address has not shown it is theirs. */
const known = (parts: BookingContext, call: CallRow): Booking =>
  bookingOf(call.id, slotOf(call), call.time_zone, parts.links.help)

function dryRunBooking(parts: BookingContext, { person, slot, timeZone }: Asked): Booking {
  const id = dryRunId('bkg', person.person)
  return bookingOf(id, slot, timeZone, parts.links.call(id, true))
}

function bookingOf(id: string, slot: Slot | null, timeZone: string, url: string): Booking {
  return { id, status: slot === null ? 'requested' : 'confirmed', slot, timeZone, url }
}
