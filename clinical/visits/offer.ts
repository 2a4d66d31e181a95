// Finds who can see a patient at a given time. In test mode, start times come from a weekly
// template, with the state's sandbox clinician. In live mode, they come from the working hours of
// the clinic's clinicians, and a free clinician is booked. Either way, a database constraint
// decides who gets the time.

import { minuteMilliseconds } from '#contract/moments.ts'
import { limits } from '#contract/limits.ts'
import { sql, type Statement } from '#database/sql.ts'
import { hasWorkingHours } from '../modes.ts'
import type { AnyCall } from '../pipeline/handler.ts'
import { sandboxClinician } from '../actor.ts'
import { clinicianOf } from './clinician.ts'
import { lastBookable, type Slot, slotOf } from './slots.ts'
import { slotAt, unavailable, unbookable } from './visit.ts'

export type FreeClinician = { readonly person: string; readonly name: string }

export type Offer = {
  readonly slot: Slot
  readonly clinician: FreeClinician
}

/** A visit's length, as SQL. */
export const visitLength = sql`${limits.slotMinutes}::int * interval '1 minute'`

/** In live mode, a clinic needs notice of a visit before it starts. */
export const earliestLive = (now: number): number =>
  now + limits.liveLeadMinutes * minuteMilliseconds

/** A facts column: the clinicians free at a start time, with the visit's clinician first. Null in
 *  test mode. */
export const freeClinicians = (
  call: AnyCall,
  state: Statement,
  starts_at: string,
  visit: string | null = null,
): Statement =>
  hasWorkingHours(call.principal.mode)
    ? sql`free_clinicians(${state}, ${starts_at}::timestamptz, ${visitLength}, ${visit}) as free`
    : sql`null::json as free`

/** Returns a state's slot at a start time, and the clinician who would see the patient; throws if
 *  there's none. */
export function offerAt(
  call: AnyCall,
  state: string,
  starts_at: string,
  free: readonly FreeClinician[] | null,
): Offer {
  if (!hasWorkingHours(call.principal.mode)) {
    const clinician = { person: clinicianOf(state), name: sandboxClinician.name }
    return { slot: slotAt(state, starts_at, call.now), clinician }
  }
  const start = Date.parse(starts_at)
  if (start <= call.now) throw unavailable(starts_at, unbookable.past)
  if (start < earliestLive(call.now)) throw unavailable(starts_at, unbookable.too_soon)
  if (start > lastBookable(call.now)) throw unavailable(starts_at, unbookable.too_far)
  return freeOffer(state, starts_at, free)
}

/** Returns a live start time's offer, with the first free clinician; throws if none is free. */
export function freeOffer(
  state: string,
  starts_at: string,
  free: readonly FreeClinician[] | null,
): Offer {
  const [clinician] = free ?? []
  if (clinician === undefined) throw unavailable(starts_at, unbookable.none_free)
  return { slot: slotOf(state, Date.parse(starts_at)), clinician }
}
