// Cancel, start and no-show. Each of these moves sets a status and writes an event. The visit is
// updated only at the version the decision was based on.

import { visitTransitions } from '#contract/states.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { clock } from '../pipeline/clock.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { allow, heldVisit, visitColumns, type VisitFacts } from './visit.ts'

const moves = {
  cancel: ['visit.cancelled.v1', sql`ended_at = c.at`],
  start: ['visit.started.v1', sql`started_at = c.at`],
  miss: ['visit.no_show.v1', sql`ended_at = c.at`],
} as const
type Move = keyof typeof moves
type EventOfMove<M extends Move> = (typeof moves)[M][0]

/** `by` is the clinic's clinician who starts the visit, and has it from then on. */
export type VisitPlan<M extends Move = Move> = {
  move: M
  by: Actor | null
  current: VisitFacts
  events: Emitted<EventOfMove<M>>[]
}

export function moveVisit<M extends Move>(
  move: M,
  found: VisitFacts | null,
  by: Actor | null = null,
): VisitPlan<M> {
  const current = allow(found, move)
  const type: EventOfMove<M> = moves[move][0]
  const events = [event(1, type, current.id, current.status, visitTransitions[move].to)]
  return { move, by, current, events }
}

export function writeVisit(call: AnyCall, plan: VisitPlan): Statement {
  const { move, by, current, events } = plan
  const [, stamped] = moves[move]
  const { to } = visitTransitions[move]
  return sql`
    ${heldVisit(call, current)}, ${clock(call, 2, sql`held`)},
    changed as (
      update visits set status = ${to}, updated_at = c.at, ${stamped}
             ${by ? sql`, clinician = ${by.person}, clinician_name = ${by.name}` : nothing}
        from clock c
       where tenant = ${tenantOf(call)} and id = ${current.id}
      returning id, ${published(visitColumns)} as answer
    ), ${emitAny(call, events)}`
}
