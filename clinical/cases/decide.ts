// A clinician's decision on a case, in the sandbox or the console: facts, decision and write.

import { invalid, Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Actor } from '../actor.ts'
import { emitAny, type Emitted, event } from '../pipeline/emit.ts'
import { clock, idAt, momentAt } from '../pipeline/clock.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { dispensing } from './dispensing.ts'
import { allow, type CaseFacts, caseColumns, heldCase } from './case.ts'
import { type Decision, dispense, faultsOfMembers, readPlan } from './decision.ts'
import type { Formulary } from '../medications/formulary.ts'
import { formularyHint, type Line } from './lines.ts'

export type DecisionFacts = CaseFacts & {
  patient: string
  patient_updated_at: string
  requested_medications: Line[]
  address: unknown
  /** The clinic's formulary; absent in a sandbox. */
  formulary?: Formulary
}

/** The event that every decision writes first if the case isn't in review yet. */
type Passed = 'case.in_review.v1'
type EventsOf = {
  approve: Passed | 'case.approved.v1' | 'prescription.created.v1' | 'order.created.v1'
  decline: Passed | 'case.declined.v1'
  needs_info:
    | Passed
    | 'case.waiting_on_patient.v1'
    | 'case.waiting_on_integration.v1'
    | 'case.question_asked.v1'
}
type DecisionEvent = keyof EventsOf

/** A decision's writes: assignments, additional rows and events. */
export type DecisionPlan<E extends EventsOf[DecisionEvent] = EventsOf[DecisionEvent]> = {
  current: CaseFacts
  /** The patient, at the version whose address the orders use; null without orders. */
  patient: { id: string; updated_at: string } | null
  count: number
  set: Statement
  rows: Statement
  events: Emitted<E>[]
}

const noQuestion = sql`
  question_message = null, question_target = null, question_body = null, question_asked_at = null`

const decidedBy = ({ person, name }: Actor): Statement =>
  sql`decided_by = ${person}, decided_by_name = ${name}`

const factsOf = ({ id, status, updated_at }: CaseFacts): CaseFacts => ({ id, status, updated_at })

/** A case that isn't in review passes through in_review on its way to a decision, and writes that
 *  event. */
const reviewEvents = (current: CaseFacts): Emitted<Passed>[] =>
  current.status === 'in_review'
    ? []
    : [event(1, 'case.in_review.v1', current.id, current.status, 'in_review')]

function approve(
  call: AnyCall,
  clinician: Actor,
  input: Decision,
  facts: DecisionFacts,
): DecisionPlan<EventsOf['approve']> {
  const current = factsOf(facts)
  const faults: Parameters<typeof readPlan>[2] = []
  const plan = readPlan(input, facts, faults)
  if (faults.length > 0) throw invalid(faults, formularyHint(faults))
  const passed = reviewEvents(current)
  const at = passed.length + 1
  const dispensed = dispense(call, plan, at + 1)
  const { rows, ids } = dispensing(call, clinician, facts, dispensed)
  return {
    current,
    patient: { id: facts.patient, updated_at: facts.patient_updated_at },
    count: at + 1 + 4 * dispensed.length,
    set: sql`status = 'approved', plan = ${JSON.stringify(plan)}::text::json, reason = null,
             ${decidedBy(clinician)}, ${noQuestion}, prescription_ids = ${ids.prescriptions}, order_ids = ${ids.orders}`,
    rows,
    events: [
      ...passed,
      event(at, 'case.approved.v1', current.id, 'in_review', 'approved'),
      ...dispensed.flatMap(({ prescription, order }) => [
        event(prescription.at + 1, 'prescription.created.v1', prescription, null, 'active'),
        event(order.at + 1, 'order.created.v1', order, null, 'created'),
      ]),
    ],
  }
}

function decline(
  clinician: Actor,
  reason: string,
  current: CaseFacts,
): DecisionPlan<EventsOf['decline']> {
  const passed = reviewEvents(current)
  const at = passed.length + 1
  return {
    current,
    patient: null,
    count: at + 1,
    set: sql`status = 'declined', reason = ${reason}, ${decidedBy(clinician)}, ${noQuestion}`,
    rows: sql``,
    events: [...passed, event(at, 'case.declined.v1', current.id, 'in_review', 'declined')],
  }
}

function askQuestion(
  call: AnyCall,
  clinician: Actor,
  target: 'patient' | 'integration',
  question: string,
  current: CaseFacts,
): DecisionPlan<EventsOf['needs_info']> {
  const passed = reviewEvents(current)
  const at = passed.length + 1
  const to = `waiting_on_${target}` as const
  const message = call.mint('message', at + 2)
  return {
    current,
    patient: null,
    count: at + 3,
    set: sql`status = ${to}, question_message = ${idAt(message)}, question_target = ${target},
             question_body = ${question}, question_asked_at = ${momentAt(message.at)}`,
    rows: sql`, asked as (
      insert into messages (tenant, id, "case", kind, author, person, person_name, target, body,
                            created_at)
      select ${tenantOf(call)}, ${idAt(message)}, ${current.id}, 'question', 'clinician',
             ${clinician.person}, ${clinician.name}, ${target}, ${question}, ${momentAt(message.at)}
        from clock c
    )`,
    events: [
      ...passed,
      event(at, `case.${to}.v1`, current.id, 'in_review', to),
      event(at + 1, 'case.question_asked.v1', current.id, to, to),
    ],
  }
}

export const decisionFacts = (call: AnyCall, id: string): Statement => sql`
  select c.id, c.status, iso(c.updated_at) as updated_at, c.patient, c.requested_medications,
         p.address, iso(p.updated_at) as patient_updated_at
    from cases c join patients p on p.tenant = c.tenant and p.id = c.patient
   where c.tenant = ${tenantOf(call)} and c.id = ${id}`

/** Returns the decision's writes. */
export function decide<N extends DecisionEvent>(
  call: AnyCall,
  clinician: Actor,
  input: Decision & { decision: N },
  found: DecisionFacts | null,
): DecisionPlan<EventsOf[N]>
export function decide(
  call: AnyCall,
  clinician: Actor,
  input: Decision,
  found: DecisionFacts | null,
): DecisionPlan {
  const faults = faultsOfMembers(input)
  if (faults.length > 0) throw invalid(faults)
  if (!found) throw new Problem('not_found')
  const { reason = '', target = 'patient', question = '' } = input
  // Body faults are reported before a wrong status.
  if (input.decision === 'approve') {
    const plan = approve(call, clinician, input, found)
    allow(found, 'decide')
    return plan
  }
  allow(found, 'decide')
  return input.decision === 'decline'
    ? decline(clinician, reason, factsOf(found))
    : askQuestion(call, clinician, target, question, factsOf(found))
}

/** Locks the patient before the case, like deletePatient, so an order's address is the patient's
 *  current one. */
export const writeDecision = (
  call: AnyCall,
  { current, patient, count, set, rows, events }: DecisionPlan,
  answer = published(caseColumns),
): Statement => sql`
  ${lockPatient(call, patient)}, ${heldCase(call, current, sql`no key update`, sql`addressed`)},
  ${clock(call, count, sql`held`)},
  changed as (
    update cases set ${set}, status_at = c.at, updated_at = c.at from clock c
     where tenant = ${tenantOf(call)} and id = ${current.id}
    returning id, ${answer} as answer
  ) ${rows}, ${emitAny(call, events)}`

const lockPatient = (call: AnyCall, patient: DecisionPlan['patient']): Statement =>
  patient === null
    ? sql`addressed as materialized (select 1 as yes from go)`
    : sql`addressed as materialized (
        select id from patients
         where tenant = ${tenantOf(call)} and id = ${patient.id}
           and updated_at = ${patient.updated_at}::timestamptz and exists (select from go)
           for share
      )`
