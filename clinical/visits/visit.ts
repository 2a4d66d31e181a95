// A visit's published form, and what every move decides on. Which of its states lead where is said
// in contract/states.ts.

import type { OperationId } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { type visitStatuses, visitTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Call, tenantOf } from '../pipeline/handler.ts'
import { nextCalls } from '../pipeline/next-calls.ts'
import { bookableAt, type Slot, type Unbookable } from './slots.ts'

export type VisitStatus = (typeof visitStatuses)[number]

export type Move = keyof typeof visitTransitions

/** When the link to a visit may be made, where its columns are in scope. */
export const joinOpensAt = sql`
  starts_at - ${limits.joinOpensMinutesBefore}::int * interval '1 minute'`
export const joinClosesAt = sql`
  ends_at + ${limits.joinClosesMinutesAfter}::int * interval '1 minute'`

export const visitColumns = sql`
  id, patient, "case", status, state, time_zone, iso(starts_at) as starts_at,
  iso(ends_at) as ends_at, clinician_name, iso(${joinOpensAt}) as join_opens_at,
  iso(started_at) as started_at, iso(ended_at) as ended_at, iso(created_at) as created_at,
  iso(updated_at) as updated_at`

/** What every move decides on. `updated_at` is the version: it rises with every change. */
export type VisitFacts = {
  id: string
  status: VisitStatus
  state: string
  starts_at: string
  updated_at: string
}

export const visitFacts = (call: Call<OperationId>, id: string): Statement => sql`
  select id, status, state, iso(starts_at) as starts_at, iso(updated_at) as updated_at from visits
   where tenant = ${tenantOf(call)} and id = ${id}`

/** The visit as it was decided on, locked; empty when it has changed since. */
export const heldVisit = (call: Call<OperationId>, seen: VisitFacts): Statement => sql`
  held as materialized (
    select id from visits
     where tenant = ${tenantOf(call)} and id = ${seen.id}
       and updated_at = ${seen.updated_at}::timestamptz and exists (select from go)
       for no key update
  )`

/** The refusal of a move to a visit in this status. */
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

/** Throws unless the visit exists and its status allows the move. */
export function allow(found: VisitFacts | null, move: Move): VisitFacts {
  if (!found) throw new Problem('not_found')
  const from: readonly VisitStatus[] = visitTransitions[move].from
  if (from.includes(found.status)) return found
  throw refusalOf(move, found.id, found.status)
}

/** The refusal of a start: it is no slot, is past or too far ahead, or somebody has it. */
export const unavailable = (starts_at: string, detail: string): Problem =>
  new Problem('slot_unavailable', { detail, members: { starts_at } })

export const ownStart = 'The visit already has that start.'

const unbookable: Record<Unbookable, string> = {
  past: 'The start is in the past.',
  too_far: `The start is more than ${limits.bookableDays} days ahead.`,
  no_slot: 'There is no slot at that start in this state.',
}

/** The slot of a state at a start, whoever has it; throws when nobody could book it. */
export function slotAt(state: string, starts_at: string, now: number): Slot {
  const slot = bookableAt(state, starts_at, now)
  if (typeof slot === 'string') throw unavailable(starts_at, unbookable[slot])
  return slot
}

/** What the database's two constraints said of a start that the program had no fault to find in. */
export const taken = (starts_at: string, constraint: string | null): Problem =>
  unavailable(
    starts_at,
    constraint === 'one_visit_per_patient'
      ? 'The patient has another visit at that time.'
      : 'The slot is already taken.',
  )
