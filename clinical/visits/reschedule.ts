import { nothing, sql, type Statement } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { hasWorkingHours } from '../modes.ts'
import { type AnyCall, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { type FreeClinician, freeClinicians, freeOffer, type Offer, offerAt } from './offer.ts'
import {
  allow,
  heldVisit,
  ownStart,
  slotTaken,
  unavailable,
  unbookable,
  visitColumns,
  type VisitFacts,
  visitFacts,
} from './visit.ts'

export type MoveFacts = VisitFacts & { free: readonly FreeClinician[] | null }

export const moveFacts = (call: AnyCall, id: string, starts_at: string): Statement => sql`
  select v.*, ${freeClinicians(call, sql`v.state`, starts_at, id)} from (${visitFacts(call, id)}) v`

export type MovePlan = Offer & {
  readonly current: VisitFacts
  readonly events: readonly Emitted<'visit.rescheduled.v1'>[]
}

export function moveTo(call: AnyCall, starts_at: string, found: MoveFacts | null): MovePlan {
  const current = allow(found, 'reschedule')
  if (starts_at === current.starts_at) throw unavailable(starts_at, ownStart)
  return planOf(current, offerAt(call, current.state, starts_at, found?.free ?? null))
}

/** Hands a live visit to a free colleague at its own time, until it ends. The visit itself blocks
 *  its clinician's time. */
export function handOver(call: AnyCall, found: MoveFacts): MovePlan {
  const current = allow(found, 'reschedule')
  const offer = freeOffer(current.state, current.starts_at, found.free)
  if (Date.parse(offer.slot.ends_at) > call.now) return planOf(current, offer)
  throw unavailable(current.starts_at, unbookable.past)
}

const planOf = (current: VisitFacts, offer: Offer): MovePlan => ({
  current,
  events: [event(1, 'visit.rescheduled.v1', current.id, 'scheduled', 'scheduled')],
  ...offer,
})

/** One update takes the new start and frees the old one. If the new start is taken, the constraint
 *  rejects the update, so the visit doesn't change. */
export const writeMove = (
  call: AnyCall,
  { current, slot, clinician, events }: MovePlan,
): Statement => sql`
  ${heldVisit(call, current)}, ${clock(call, 2, sql`held`)},
  changed as (
    update visits set starts_at = ${slot.starts_at}::timestamptz,
           ends_at = ${slot.ends_at}::timestamptz, updated_at = c.at
           ${
             hasWorkingHours(call.principal.mode)
               ? sql`, clinician = ${clinician.person}, clinician_name = ${clinician.name}`
               : nothing
           }
      from clock c
     where tenant = ${tenantOf(call)} and id = ${current.id}
    returning id, ${published(visitColumns)} as answer
  ), ${emitAny(call, events)}`

export const rescheduleVisit = write('rescheduleVisit', {
  facts: (call, { id, starts_at }) => moveFacts(call, id, starts_at),
  decide: (call, { starts_at }, found: MoveFacts | null) => moveTo(call, starts_at, found),
  write: (call, plan) => writeMove(call, plan),
  excluded: (call, { slot }, constraint) => slotTaken(call, slot.starts_at, constraint),
})
