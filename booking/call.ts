// Reads a stored call and sets its time.
import { isDuplicate } from '#database/failures.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { type About, emailsAbout } from './emails.ts'
import { type BookingContext, run } from './context.ts'
import { type CallRow, updateTime } from './statements.ts'

export const slotOf = (call: CallRow): Slot | null =>
  call.starts_at === null || call.ends_at === null
    ? null
    : { start: call.starts_at, end: call.ends_at }

/** The facts for an email about the call. */
export const aboutCall = (call: CallRow): About => ({
  email: call.email ?? '',
  firstName: call.first_name ?? '',
  lastName: call.last_name,
  phone: call.phone,
  company: call.company,
  note: call.note,
  slot: slotOf(call),
  before: null,
  timeZone: call.time_zone,
  protocol: call.protocol,
  agent: call.agent,
  askedAt: call.created_at,
})

/** Returns false if a concurrent write changed the call or took the time. */
export async function setTime(
  parts: BookingContext,
  call: CallRow,
  slot: Slot,
  timeZone: string,
): Promise<boolean> {
  const kind = call.status === 'requested' ? 'booked' : 'moved'
  const about = { ...aboutCall(call), slot, before: slotOf(call), timeZone }
  try {
    const statement = updateTime(call, slot, timeZone, emailsAbout(parts, kind, about))
    const [moved] = await run(parts, statement)
    if (moved) parts.wake()
    return moved !== undefined
  } catch (failure) {
    if (isDuplicate(failure)) return false
    throw failure
  }
}
