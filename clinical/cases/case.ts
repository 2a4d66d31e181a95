// A case as the API returns it, and the facts for its state transitions. Both the update and the
// refusal's `allowed_from` are derived from the transitions in contract/states.ts.

import { type caseStatuses, caseTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { Problem } from '#contract/problems.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { nextCalls } from '../pipeline/next-calls.ts'

export type CaseStatus = (typeof caseStatuses)[number]

export type Move = keyof typeof caseTransitions

export const caseColumns = sql`
  id, patient, status, consent_ids, requested_medications, answers, hold, files, plan,
  case when question_message is null then null else (
    select row_to_json(q) from (select question_message as message, question_target as target,
           question_body as body, iso(question_asked_at) as asked_at) q) end as question,
  reason, prescription_ids, order_ids, iso(created_at) as created_at, iso(updated_at) as updated_at`

/** The facts that every transition needs. `updated_at` is the version and increases with every
 *  change. */
export type CaseFacts = { id: string; status: CaseStatus; updated_at: string }

export const caseFacts = (call: AnyCall, id: string): Statement => sql`
  select id, status, iso(updated_at) as updated_at from cases
   where tenant = ${tenantOf(call)} and id = ${id}`

/** Locks the case at the version the decision was based on; returns no row if it has changed since.
 */
export const heldCase = (
  call: AnyCall,
  current: CaseFacts,
  lock = sql`no key update`,
  start = sql`go`,
) => sql`
  held as materialized (
    select id from cases
     where tenant = ${tenantOf(call)} and id = ${current.id}
       and updated_at = ${current.updated_at}::timestamptz and exists (select from ${start})
       for ${lock}
  )`

/** Throws unless the case exists and its status allows the transition. */
export function allow(found: CaseFacts | null, move: Move): CaseFacts {
  if (!found) throw new Problem('not_found')
  const { from, says } = caseTransitions[move]
  if ((from as readonly CaseStatus[]).includes(found.status)) return found
  throw new Problem('invalid_transition', {
    detail: `${says} The status of this case is ${found.status}.`,
    hint: nextCalls('case', caseTransitions, move, found.status),
    members: {
      resource: { type: 'case', id: found.id },
      current_status: found.status,
      allowed_from: from.toSorted(),
    },
  })
}
