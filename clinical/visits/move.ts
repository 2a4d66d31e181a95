// Cancel, start and no-show: each sets a status and writes an event. The row is updated only in the
// version that was decided on.

import { visitTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../events/emit.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { allow, heldVisit, visitColumns, type VisitFacts, visitFacts } from './visit.ts'

type MoveOperation = 'cancelVisit' | 'startVisit' | 'noShowVisit'

const moves = {
  cancelVisit: ['cancel', 'visit.cancelled.v1', sql`ended_at = c.at`],
  startVisit: ['start', 'visit.started.v1', sql`started_at = c.at`],
  noShowVisit: ['miss', 'visit.no_show.v1', sql`ended_at = c.at`],
} as const

const move = (operation: MoveOperation) => {
  const [name, type, stamped] = moves[operation]
  const { to } = visitTransitions[name]
  return write<MoveOperation, VisitFacts, VisitFacts>(operation, {
    facts: (call, { id }) => visitFacts(call, id),
    decide: (_call, _input, found) => allow(found, name),
    write: (call: Call<MoveOperation>, current) => sql`
      ${heldVisit(call, current)}, ${clock(call, 2, sql`held`)},
      changed as (
        update visits set status = ${to}, updated_at = c.at, ${stamped} from clock c
         where tenant = ${tenantOf(call)} and id = ${current.id}
        returning id, ${published(visitColumns)} as answer
      ), ${emit(call, [event(1, type, current.id, current.status, to)])}`,
  })
}

export const cancelVisit = move('cancelVisit')
export const startVisit = move('startVisit')
export const noShowVisit = move('noShowVisit')
