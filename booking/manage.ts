// A link holder's operations on a call: view, reschedule, cancel, or report abuse.
import { siteLimits } from '#contract/limits.ts'
import { alternativesTo, slotAt, startOf } from './availability.ts'
import { aboutCall, setTime, slotOf } from './call.ts'
import { replyBy } from './callback.ts'
import type { Protocol } from '#contract/site/discovery-call.ts'
import type {
  BookingManagement,
  BookingDetails,
  CallDetails,
  MoveAnswer,
} from './booking-service.ts'
import { noPerson } from '#email/message.ts'
import { emailsAbout } from './emails.ts'
import { momentOf } from './opening.ts'
import { companyZone, decided, type BookingContext, nowOf, run } from './context.ts'
import * as statements from './statements.ts'
import { zoneNamed } from './zones.ts'

export const managementOf = (parts: BookingContext): BookingManagement => ({
  find: id => find(parts, id),
  async confirmPerson(id) {
    await run(parts, statements.confirmPerson(id))
  },
  move: (id, start, timeZone) => decided(() => move(parts, id, start, timeZone)),
  async cancel(id) {
    await decided(() => cancel(parts, id))
  },
  async reportAbuse(id) {
    const isCallback = id.startsWith('clb_')
    await decided(() => (isCallback ? reportCallbackAbuse(parts, id) : reportAbuse(parts, id)))
  },
})

const read = async (parts: BookingContext, id: string): Promise<statements.CallRow | undefined> =>
  (await run<statements.CallRow>(parts, statements.callOf(id, momentOf(nowOf(parts)))))[0]

const isOpen = (call: statements.CallRow): boolean =>
  (call.status === 'confirmed' || call.status === 'requested') && !call.is_over

type CallbackRow = {
  id: string
  protocol: Protocol
  agent: string | null
  created_at: string
  is_erased: boolean
}

async function find(parts: BookingContext, id: string): Promise<BookingDetails | null> {
  if (id.startsWith('clb_')) {
    const [row] = await run<CallbackRow>(parts, statements.callbackOf(id))
    if (row === undefined) return null
    const { protocol, agent, created_at: askedAt, is_erased: isErased } = row
    const promised = replyBy(parts, Temporal.Instant.from(askedAt))
    return { kind: 'callback', id, isErased, protocol, agent, askedAt, replyBy: promised }
  }
  const call = await read(parts, id)
  return call === undefined ? null : { kind: 'call', ...callDetails(call) }
}

function callDetails(call: statements.CallRow): CallDetails {
  const status = statusOf(call)
  return {
    id: call.id,
    status,
    slot: slotOf(call),
    timeZone: call.time_zone,
    sequence: call.sequence,
    firstName: call.first_name,
    protocol: call.protocol,
    agent: call.agent,
    askedAt: call.created_at,
  }
}

function statusOf(call: statements.CallRow): CallDetails['status'] {
  if (call.status === 'cancelled') return 'cancelled'
  if (!isOpen(call)) return 'over'
  return call.status === 'requested' ? 'requested' : 'confirmed'
}

async function move(
  parts: BookingContext,
  id: string,
  requestedStart: string,
  zone: string | undefined,
): Promise<MoveAnswer | null> {
  const call = await read(parts, id)
  if (call === undefined || !isOpen(call)) return { kind: 'closed' }
  const start = startOf(requestedStart)
  if (start === undefined) return { kind: 'not_offered' }
  // The form was submitted twice, or the picked time is the current time.
  if (call.status === 'confirmed' && call.starts_at === start) return { kind: 'moved' }
  if (call.sequence >= siteLimits.callChangesMax) return { kind: 'too_many_changes' }
  const now = nowOf(parts)
  if (!parts.opening.offers(start, now)) return { kind: 'not_offered' }
  const timeZone = (zone === undefined ? null : zoneNamed(zone)) ?? call.time_zone
  if (await setTime(parts, call, slotAt(start), timeZone)) return { kind: 'moved' }
  // If this call was moved meanwhile, it may be what takes the time.
  if ((await read(parts, id))?.sequence !== call.sequence) return null
  const [facts] = await run<{ is_taken: boolean }>(
    parts,
    statements.factsOf('', start, momentOf(now)),
  )
  if (facts?.is_taken !== true) return null
  return { kind: 'slot_taken', alternatives: await alternativesTo(parts, start) }
}

async function cancel(parts: BookingContext, id: string): Promise<true | null> {
  const call = await read(parts, id)
  if (call === undefined || !isOpen(call)) return true
  const about = { ...aboutCall(call), slot: null, before: slotOf(call) }
  const ended = await run(
    parts,
    statements.cancelCall(call, emailsAbout(parts, 'cancelled', about)),
  )
  if (ended.length === 0) return null
  parts.wake()
  return true
}

async function reportAbuse(parts: BookingContext, id: string): Promise<true | null> {
  const call = await read(parts, id)
  if (call === undefined || call.email === null) return true
  // Only a current invitation needs an email that cancels it. An earlier cancellation already sent
  // that email.
  const before = call.status === 'confirmed' && !call.is_over ? slotOf(call) : null
  const about = { ...aboutCall(call), slot: null, before }
  const ended = await run(
    parts,
    statements.eraseCall(call, emailsAbout(parts, 'abuse_reported', about)),
  )
  if (ended.length === 0) return null
  parts.wake()
  return true
}

async function reportCallbackAbuse(parts: BookingContext, id: string): Promise<true> {
  const [row] = await run<CallbackRow>(parts, statements.callbackOf(id))
  if (row === undefined || row.is_erased) return true
  const { protocol, agent, created_at: askedAt } = row
  const messages = emailsAbout(parts, 'abuse_reported', {
    ...noPerson,
    slot: null,
    before: null,
    timeZone: companyZone,
    protocol,
    agent,
    askedAt,
  })
  await run(parts, statements.eraseCallback(id, messages))
  parts.wake()
  return true
}
