// A clinician signs a plan or declines; a clinician or a nurse asks a question.

import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { decide, type DecisionFacts, decisionFacts, writeDecision } from '../cases/decide.ts'
import type { Decision } from '../cases/decision.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { type ClaimFacts, notClaimed, staffCaseColumns, withClaim } from './case.ts'
import { draftVersionOn, sameDraft, signedDraft } from './notes.ts'
import { actorOf, sameVersion, type StaffCall, write } from './handler.ts'

type Facts = DecisionFacts &
  ClaimFacts & {
    address: { state: string }
    /** The newest message from the patient or the integration. */
    newest_message: string | null
    /** The version of the caller's draft note. */
    note_version: string | null
  }

/** What the caller's page showed. */
type Read = { version: string; last_message?: string | null; note_version?: string | null }

const facts = (call: StaffCall, { id }: { id: string }) => sql`
  select f.*, o.formulary, ${draftVersionOn(call, id)} as note_version, (
           select max(id) from messages
            where tenant = ${tenantOf(call)} and "case" = f.id and author <> 'clinician'
         ) as newest_message
    from (${withClaim(call, decisionFacts(call, id))}) f
    join auth.organizations o on o.id = ${call.principal.organization.id}`

function openCase(call: StaffCall, read: Read, found: Facts | null): Facts {
  const current = sameVersion(found, read)
  notClaimed(current, call.principal)
  return current
}

/** Throws unless the caller is licensed in the patient's state and has read the newest message. The
 *  decision signs the draft note that the caller read. */
function sign<N extends 'approve' | 'decline'>(
  call: StaffCall,
  read: Read,
  found: Facts | null,
  decision: Decision & { decision: N },
) {
  const current = openCase(call, read, found)
  const { address, newest_message, note_version } = current
  if (!call.principal.staff.states.includes(address.state)) throw new Problem('license_required')
  if (read.last_message !== undefined && (newest_message ?? '') > (read.last_message ?? '')) {
    throw new Problem('version_changed', {
      detail: 'A new message arrived after you opened this case, so nothing was signed.',
      members: { version: current.updated_at },
    })
  }
  if (read.note_version !== undefined) sameDraft(note_version, read.note_version)
  const plan = decide(call, actorOf(call), decision, current)
  return { ...plan, rows: sql`${plan.rows} ${signedDraft(call, current.id, note_version)}` }
}

const answer = published(staffCaseColumns)

export const approveCase = write('approveCase', {
  facts,
  decide: (call, { plan, ...input }, found: Facts | null) =>
    sign(call, input, found, { decision: 'approve', ...(plan ? { plan } : {}) }),
  write: (call, plan) => writeDecision(call, plan, answer),
})

export const declineCase = write('declineCase', {
  facts,
  decide: (call, { reason, ...input }, found: Facts | null) =>
    sign(call, input, found, { decision: 'decline', reason }),
  write: (call, plan) => writeDecision(call, plan, answer),
})

export const askQuestion = write('askQuestion', {
  facts,
  decide: (call, { target, question, ...input }, found: Facts | null) =>
    decide(
      call,
      actorOf(call),
      { decision: 'needs_info', target, question },
      openCase(call, input, found),
    ),
  write: (call, plan) => writeDecision(call, plan, answer),
})
