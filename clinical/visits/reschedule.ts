import { nothing, sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../events/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { hasWorkingHours } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import { type FreeClinician, freeClinicians, offerAt } from './offer.ts'
import {
  allow,
  heldVisit,
  ownStart,
  slotTaken,
  unavailable,
  visitColumns,
  type VisitFacts,
  visitFacts,
} from './visit.ts'

type Facts = VisitFacts & { free: readonly FreeClinician[] | null }

/** One update takes the new start and frees the old one. When the new one is taken, the constraint
 *  rejects the update, so the visit does not change. */
export const rescheduleVisit = write('rescheduleVisit', {
  facts: (call, { id, starts_at }) => sql`
    select v.*, ${freeClinicians(call, sql`v.state`, starts_at, id)}
      from (${visitFacts(call, id)}) v`,
  decide: (call, { starts_at }, found: Facts | null) => {
    const current = allow(found, 'reschedule')
    if (starts_at === current.starts_at) throw unavailable(starts_at, ownStart)
    return { current, ...offerAt(call, current.state, starts_at, found?.free ?? null) }
  },
  write: (call, { current, slot, clinician }) => sql`
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
    ), ${emit(call, [event(1, 'visit.rescheduled.v1', current.id, 'scheduled', 'scheduled')])}`,
  excluded: (call, { slot }, constraint) => slotTaken(call, slot.starts_at, constraint),
})
