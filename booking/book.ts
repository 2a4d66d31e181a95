// Books a call for every protocol: read the facts, decide, write once. If the write conflicts with
// a concurrent one on a unique index, the decision is repeated with the new facts.
import { alternativesTo, slotAt, startOf } from './availability.ts'
import { setTime, slotOf } from './call.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import type { Booking, BookingAnswer, BookingRequest, Fault } from './booking-service.ts'
import { emailsAbout } from './emails.ts'
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
import { peopleQuotaOf, runCounted } from './quota.ts'
import { type CallRow, closeCall, factsOf, insertCall } from './statements.ts'
import { zoneNamed } from './zones.ts'

/** A request that passed every check that doesn't need the database. */
type CheckedRequest = {
  person: Person
  slot: Slot | null
  timeZone: string
  request: BookingRequest
}

export async function book(parts: BookingContext, request: BookingRequest): Promise<BookingAnswer> {
  const checked = checkRequest(request)
  if (Array.isArray(checked)) return { kind: 'invalid', faults: checked }
  return decided(() => decideAndWrite(parts, checked))
}

function checkRequest(request: BookingRequest): CheckedRequest | Fault[] {
  const person = readPerson(request.buyer, request.note)
  const faults = Array.isArray(person) ? person : []
  const start = request.start === undefined ? null : startOf(request.start)
  const timeZone = request.timeZone === undefined ? companyZone : zoneNamed(request.timeZone)
  if (start === undefined) {
    const detail = 'must be a date and time with an offset, such as 2026-11-30T14:00:00Z.'
    faults.push({ field: 'start', code: 'invalid', detail })
  }
  if (timeZone === null) {
    const detail = 'must be an IANA time zone, such as America/New_York.'
    faults.push({ field: 'timezone', code: 'invalid', detail })
  }
  if (Array.isArray(person) || start === undefined || timeZone === null) return faults
  return { person, slot: start === null ? null : slotAt(start), timeZone, request }
}

/** Returns null if the facts changed before the write. */
async function decideAndWrite(
  parts: BookingContext,
  checked: CheckedRequest,
): Promise<BookingAnswer | null> {
  const { person, slot } = checked
  const now = nowOf(parts)
  const [facts] = await run<CallRow & { is_taken: boolean }>(
    parts,
    factsOf(person.person, slot?.start ?? null, momentOf(now)),
  )
  const open = facts?.id ? facts : null
  if (open?.is_over) {
    await run(parts, closeCall(open))
    return null
  }
  // An open call is looked for before the time is checked, so a late retry gets the first request's
  // response.
  if (open && (open.status === 'confirmed' || slot === null)) {
    return { kind: 'booked', booking: replayedBooking(parts, open), replayed: true }
  }
  if (slot !== null && !parts.opening.offers(slot.start, now)) {
    const detail = 'must be one of the open start times.'
    return { kind: 'invalid', faults: [{ field: 'start', code: 'not_offered', detail }] }
  }
  if (slot !== null && facts?.is_taken) {
    return { kind: 'slot_taken', alternatives: await alternativesTo(parts, slot.start) }
  }
  if (person.isReserved || parts.isDryRun)
    return { kind: 'dry_run', booking: dryRunBooking(parts, checked) }
  return open && slot !== null ? addTime(parts, checked, open, slot) : insert(parts, checked, now)
}

async function insert(
  parts: BookingContext,
  checked: CheckedRequest,
  moment: Temporal.Instant,
): Promise<BookingAnswer | null> {
  const { person, slot, timeZone, request } = checked
  const id = newId('bkg')
  const via = { ...request.via, agent: agentText(request.via.agent) }
  const { protocol, agent } = via
  const about = { ...person, slot, before: null, timeZone, protocol, agent }
  const messages = emailsAbout(parts, slot === null ? 'requested' : 'booked', about)
  const now = momentOf(moment)
  const quota = peopleQuotaOf(parts, via.address)
  const statement = insertCall({ id, person, via, slot, timeZone, now, messages, quota })
  if (!(await runCounted(parts, statement))) return null
  parts.wake()
  const url = slot === null ? parts.links.pick(id, 'answer') : parts.links.call(id, 'answer')
  return { kind: 'booked', booking: bookingOf(id, slot, timeZone, url), replayed: false }
}

/** Sets the time of a call that was requested without one. */
async function addTime(
  parts: BookingContext,
  checked: CheckedRequest,
  open: CallRow,
  slot: Slot,
): Promise<BookingAnswer | null> {
  if (!(await setTime(parts, open, slot, checked.timeZone))) return null
  const booking = bookingOf(open.id, slot, checked.timeZone, parts.links.help)
  return { kind: 'booked', booking, replayed: false }
}

/** Omits the link that manages the call, because anyone can send someone else's address. */
const replayedBooking = (parts: BookingContext, call: CallRow): Booking =>
  bookingOf(call.id, slotOf(call), call.time_zone, parts.links.help)

function dryRunBooking(parts: BookingContext, { person, slot, timeZone }: CheckedRequest): Booking {
  const id = dryRunId('bkg', person.person)
  const { links } = parts
  const url = slot === null ? links.pick(id, 'dry_run') : links.call(id, 'dry_run')
  return bookingOf(id, slot, timeZone, url)
}

function bookingOf(id: string, slot: Slot | null, timeZone: string, url: string): Booking {
  return { id, status: slot === null ? 'requested' : 'confirmed', slot, timeZone, url }
}
