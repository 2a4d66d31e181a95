// A visit as the API returns it, and the facts that decide its state transitions
// (contract/states.ts).

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { type visitStatuses, visitTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { hasWorkingHours } from '../modes.ts'
import { nextCalls } from '../pipeline/next-calls.ts'
import { bookableAt, type Slot, type Unbookable } from './slots.ts'

export type VisitStatus = (typeof visitStatuses)[number]

export type Move = keyof typeof visitTransitions

/** When a join link may be created, for statements with the visit's columns in scope. */
export const joinOpensAt = sql`
  starts_at - ${limits.joinOpensMinutesBefore}::int * interval '1 minute'`
export const joinClosesAt = sql`
  ends_at + ${limits.joinClosesMinutesAfter}::int * interval '1 minute'`

export const visitColumns = sql`
  id, patient, "case", status, state, time_zone, iso(starts_at) as starts_at,
  iso(ends_at) as ends_at, clinician_name, iso(${joinOpensAt}) as join_opens_at,
  iso(started_at) as started_at, iso(ended_at) as ended_at, iso(created_at) as created_at,
  iso(updated_at) as updated_at`

/** The facts that every transition needs. `updated_at` is the version and increases with every
 *  change. */
export type VisitFacts = {
  id: string
  status: VisitStatus
  state: string
  starts_at: string
  updated_at: string
}

export const visitFacts = (call: AnyCall, id: string): Statement => sql`
  select id, status, state, iso(starts_at) as starts_at, iso(updated_at) as updated_at from visits
   where tenant = ${tenantOf(call)} and id = ${id}`

/** Locks the visit at the version the decision was based on; returns no row if it has changed
 *  since. */
export const heldVisit = (call: AnyCall, current: VisitFacts): Statement => sql`
  held as materialized (
    select id from visits
     where tenant = ${tenantOf(call)} and id = ${current.id}
       and updated_at = ${current.updated_at}::timestamptz and exists (select from go)
       for no key update
  )`

/** Returns the refusal for a transition from this status. */
export function refusalOf(move: Move, id: string, status: VisitStatus): Problem {
  const { from, says } = visitTransitions[move]
  return new Problem('invalid_transition', {
    detail: `${says} The status of this visit is ${status}.`,
    hint: nextCalls('visit', visitTransitions, move, status),
    members: {
      resource: { type: 'visit', id },
      current_status: status,
      allowed_from: from.toSorted(),
    },
  })
}

/** Throws unless the visit exists and its status allows the transition. */
export function allow(found: VisitFacts | null, move: Move): VisitFacts {
  if (!found) throw new Problem('not_found')
  const from: readonly VisitStatus[] = visitTransitions[move].from
  if (from.includes(found.status)) return found
  throw refusalOf(move, found.id, found.status)
}

/** Returns the refusal for a start time that's taken, past, too far ahead or not a slot. */
export const unavailable = (starts_at: string, detail: string): Problem =>
  new Problem('slot_unavailable', { detail, members: { starts_at } })

export const ownStart = 'The visit already starts at that time.'

export const unbookable: Record<Unbookable | 'too_soon' | 'none_free', string> = {
  past: 'The start is in the past.',
  too_soon: `A visit must be booked at least ${limits.liveLeadMinutes} minutes before it starts.`,
  none_free: 'No clinician licensed in this state is free at that time.',
  too_far: `The start is more than ${limits.bookableDays} days ahead.`,
  no_slot: 'This state has no slot at that time.',
}

/** Returns a state's slot at a start time, free or not; throws if none can be booked. */
export function slotAt(state: string, starts_at: string, now: number): Slot {
  const slot = bookableAt(state, starts_at, now)
  if (typeof slot === 'string') throw unavailable(starts_at, unbookable[slot])
  return slot
}

/** Returns the refusal for a violation of one of the database's two exclusion constraints. In live
 *  mode another clinician may be free, so returns null and the facts are read again. */
export function slotTaken(
  { principal }: AnyCall,
  starts_at: string,
  constraint: string | null,
): Problem | null {
  if (constraint === 'one_visit_per_patient') {
    return unavailable(starts_at, 'The patient has another visit at that time.')
  }
  return hasWorkingHours(principal.mode)
    ? null
    : unavailable(starts_at, 'The slot is already taken.')
}
