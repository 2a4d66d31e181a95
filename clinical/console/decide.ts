// A clinician signs a plan or declines; a clinician or a nurse asks a question.

import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import {
  decide,
  type DecisionFacts,
  type DecisionPlan,
  decisionFacts,
  writeDecision,
} from '../cases/decide.ts'
import type { Decision } from '../cases/decision.ts'
import { published } from '../pipeline/publish.ts'
import { type ClaimFacts, notClaimed, staffCaseColumns, withClaim } from './case.ts'
import { signedDraft } from './notes.ts'
import { actorOf, sameVersion, type StaffCall, write } from './handler.ts'

type Facts = DecisionFacts & ClaimFacts & { address: { state: string } }

const facts = (call: StaffCall, { id }: { id: string }) => sql`
  select f.*, o.formulary from (${withClaim(call, decisionFacts(call, id))}) f
    join auth.organizations o on o.id = ${call.principal.organization.id}`

/** If `isSigned`, throws unless the caller is licensed in the patient's state. */
function decideAs<N extends Decision['decision']>(
  call: StaffCall,
  version: { version: string },
  found: Facts | null,
  decision: Decision & { decision: N },
  isSigned: boolean,
) {
  const current = sameVersion(found, version)
  notClaimed(current, call.principal)
  if (isSigned && !call.principal.staff.states.includes(current.address.state)) {
    throw new Problem('license_required')
  }
  return decide(call, actorOf(call), decision, current)
}

/** Signs the clinician's draft note together with the decision. */
const withNote = (call: StaffCall, plan: DecisionPlan): DecisionPlan => ({
  ...plan,
  rows: sql`${plan.rows} ${signedDraft(call, plan.current.id)}`,
})

const answer = published(staffCaseColumns)

export const approveCase = write('approveCase', {
  facts,
  decide: (call, { plan, ...input }, found: Facts | null) =>
    decideAs(call, input, found, { decision: 'approve', ...(plan ? { plan } : {}) }, true),
  write: (call, plan) => writeDecision(call, withNote(call, plan), answer),
})

export const declineCase = write('declineCase', {
  facts,
  decide: (call, { reason, ...input }, found: Facts | null) =>
    decideAs(call, input, found, { decision: 'decline', reason }, true),
  write: (call, plan) => writeDecision(call, withNote(call, plan), answer),
})

export const askQuestion = write('askQuestion', {
  facts,
  decide: (call, { target, question, ...input }, found: Facts | null) =>
    decideAs(call, input, found, { decision: 'needs_info', target, question }, false),
  write: (call, plan) => writeDecision(call, plan, answer),
})
