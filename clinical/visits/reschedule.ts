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
  taken,
  unavailable,
  visitColumns,
  type VisitFacts,
  visitFacts,
} from './visit.ts'

/** One update claims the new start and frees the old one. When the new one is taken the update is
 *  refused whole, so the visit stays where it was. */
export const rescheduleVisit = write('rescheduleVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (call, { starts_at }, found: VisitFacts | null) => {
    const seen = allow(found, 'reschedule')
    if (starts_at === seen.starts_at) throw unavailable(starts_at, ownStart)
    return { seen, slot: slotAt(seen.state, starts_at, call.now) }
  },
  write: (call, { seen, slot }) => sql`
    ${heldVisit(call, seen)}, ${clock(call, 2, sql`held`)},
    changed as (
      update visits set starts_at = ${slot.starts_at}::timestamptz,
             ends_at = ${slot.ends_at}::timestamptz, updated_at = c.at
        from clock c
       where tenant = ${tenantOf(call)} and id = ${seen.id}
      returning id, ${published(visitColumns)} as answer
    ), ${emit(call, [event(1, 'visit.rescheduled.v1', seen.id, 'scheduled', 'scheduled')])}`,
  excluded: (_call, { slot }, constraint) => taken(slot.starts_at, constraint),
})
