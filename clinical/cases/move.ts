// Release, cancel and withdraw. Each of these moves sets a status, removes the open question and
// writes an event. The case is updated only at the version the decision was based on.

import { caseTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { allow, caseColumns, type CaseFacts, caseFacts, heldCase } from './case.ts'

type MoveOperation = 'releaseCase' | 'cancelCase' | 'withdrawCase'
type Decision = { current: CaseFacts; reason: string | null }

const moves = {
  releaseCase: ['release', 'case.queued.v1'],
  cancelCase: ['cancel', 'case.cancelled.v1'],
  withdrawCase: ['withdraw', 'case.withdrawn.v1'],
} as const

const move = (operation: MoveOperation) => {
  const [name, type] = moves[operation]
  const { to } = caseTransitions[name]
  return write<MoveOperation, CaseFacts, Decision>(operation, {
    facts: (call, { id }) => caseFacts(call, id),
    decide: (_call, input, found: CaseFacts | null): Decision => {
      const reason = 'reason' in input && typeof input.reason === 'string' ? input.reason : null
      return { current: allow(found, name), reason }
    },
    write: (call: Call<MoveOperation>, { current, reason }) => sql`
      ${heldCase(call, current)}, ${clock(call, 2, sql`held`)},
      changed as (
        update cases set status = ${to}, status_at = c.at, updated_at = c.at,
               reason = ${reason}, question_message = null, question_target = null,
               question_body = null, question_asked_at = null
          from clock c
         where tenant = ${tenantOf(call)} and id = ${current.id}
        returning id, ${published(caseColumns)} as answer
      ), ${emit(call, [event(1, type, current.id, current.status, to)])}`,
  })
}

export const releaseCase = move('releaseCase')
export const cancelCase = move('cancelCase')
export const withdrawCase = move('withdrawCase')
