import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../events/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import {
  allow,
  heldVisit,
  ownStart,
  slotAt,
  slotTaken,
  unavailable,
  visitColumns,
  type VisitFacts,
  visitFacts,
} from './visit.ts'

/** One update takes the new start and frees the old one. When the new one is taken, the constraint
 *  rejects the update, so the visit does not change. */
export const rescheduleVisit = write('rescheduleVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (call, { starts_at }, found: VisitFacts | null) => {
    const current = allow(found, 'reschedule')
    if (starts_at === current.starts_at) throw unavailable(starts_at, ownStart)
    return { current, slot: slotAt(current.state, starts_at, call.now) }
  },
  write: (call, { current, slot }) => sql`
    ${heldVisit(call, current)}, ${clock(call, 2, sql`held`)},
    changed as (
      update visits set starts_at = ${slot.starts_at}::timestamptz,
             ends_at = ${slot.ends_at}::timestamptz, updated_at = c.at
        from clock c
       where tenant = ${tenantOf(call)} and id = ${current.id}
      returning id, ${published(visitColumns)} as answer
    ), ${emit(call, [event(1, 'visit.rescheduled.v1', current.id, 'scheduled', 'scheduled')])}`,
  excluded: (_call, { slot }, constraint) => slotTaken(slot.starts_at, constraint),
})
