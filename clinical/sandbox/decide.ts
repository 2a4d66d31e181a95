import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { allow, type CaseFacts, caseColumns, heldCase } from '../cases/case.ts'
import type { Line } from '../cases/lines.ts'
import { clock, idAt, momentAt } from '../pipeline/clock.ts'
import { emit, type Emitted, event } from '../events/emit.ts'
import { type Call, type EventOf, tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { dispensing } from './dispensing.ts'
import { type Decision, dispense, faultsOfMembers, readPlan } from './decision.ts'

type Facts = CaseFacts & {
  patient: string
  patient_updated_at: string
  requested_medications: Line[]
  address: unknown
}
type Deciding = Call<'decideCase'>
type Event = Emitted<EventOf<'decideCase'>>

/** What a decision does, before its moment is known: assignments, further rows, events. */
type Plan = {
  seen: CaseFacts
  /** The patient as its address was read, where parcels are sent to it; null where none are. */
  patient: { id: string; updated_at: string } | null
  count: number
  set: Statement
  rows: Statement
  events: Event[]
}

const noQuestion = sql`
  question_message = null, question_target = null, question_body = null, question_asked_at = null`

/** A decision walks through in_review, with that state's event too, unless it stands there. */
const passing = (seen: CaseFacts): Event[] =>
  seen.status === 'in_review'
    ? []
    : [event(1, 'case.in_review.v1', seen.id, seen.status, 'in_review')]

function approve(call: Deciding, input: Decision, facts: Facts, seen: CaseFacts): Plan {
  const faults: Parameters<typeof readPlan>[2] = []
  const plan = readPlan(input, facts.requested_medications, faults)
  if (faults.length > 0) throw invalid(faults)
  const passed = passing(seen)
  const at = passed.length + 1
  const dispensed = dispense(call, plan, at + 1)
  const { rows, ids } = dispensing(call, facts, dispensed)
  return {
    seen,
    patient: { id: facts.patient, updated_at: facts.patient_updated_at },
    count: at + 1 + 4 * dispensed.length,
    set: sql`status = 'approved', plan = ${JSON.stringify(plan)}::text::json, reason = null,
             ${noQuestion}, prescription_ids = ${ids.prescriptions}, order_ids = ${ids.orders}`,
    rows,
    events: [
      ...passed,
      event(at, 'case.approved.v1', seen.id, 'in_review', 'approved'),
      ...dispensed.flatMap(({ prescription, order }) => [
        event(prescription.at + 1, 'prescription.created.v1', prescription, null, 'active'),
        event(order.at + 1, 'order.created.v1', order, null, 'created'),
      ]),
    ],
  }
}

function decline(reason: string, seen: CaseFacts): Plan {
  const passed = passing(seen)
  const at = passed.length + 1
  return {
    seen,
    patient: null,
    count: at + 1,
    set: sql`status = 'declined', reason = ${reason}, ${noQuestion}`,
    rows: sql``,
    events: [...passed, event(at, 'case.declined.v1', seen.id, 'in_review', 'declined')],
  }
}

function ask(
  call: Deciding,
  target: 'patient' | 'integration',
  question: string,
  seen: CaseFacts,
): Plan {
  const passed = passing(seen)
  const at = passed.length + 1
  const to = `waiting_on_${target}` as const
  const message = call.mint('message', at + 2)
  return {
    seen,
    patient: null,
    count: at + 3,
    set: sql`status = ${to}, question_message = ${idAt(message)}, question_target = ${target},
             question_body = ${question}, question_asked_at = ${momentAt(message.at)}`,
    rows: sql`, asked as (
      insert into messages (tenant, id, "case", kind, author, target, body, created_at)
      select ${tenantOf(call)}, ${idAt(message)}, ${seen.id}, 'question', 'clinician', ${target},
             ${question}, ${momentAt(message.at)}
        from clock c
    )`,
    events: [
      ...passed,
      event(at, `case.${to}.v1`, seen.id, 'in_review', to),
      event(at + 1, 'case.question_asked.v1', seen.id, to, to),
    ],
  }
}

export const decideCase = write('decideCase', {
  facts: (call, { id }) => sql`
    select c.id, c.status, iso(c.updated_at) as updated_at, c.patient, c.requested_medications,
           p.address, iso(p.updated_at) as patient_updated_at
      from cases c join patients p on p.tenant = c.tenant and p.id = c.patient
     where c.tenant = ${tenantOf(call)} and c.id = ${id}`,
  decide: (call, input, found: Facts | null): Plan => {
    const faults = faultsOfMembers(input)
    if (faults.length > 0) throw invalid(faults)
    if (!found) throw call.refuse('not_found')
    const { reason = '', target = 'patient', question = '' } = input
    // The plan is read before the status is judged: what the body names comes first.
    const seen = { id: found.id, status: found.status, updated_at: found.updated_at }
    if (input.decision === 'approve') {
      const plan = approve(call, input, found, seen)
      allow(found, 'decide')
      return plan
    }
    allow(found, 'decide')
    return input.decision === 'decline' ? decline(reason, seen) : ask(call, target, question, seen)
  },
  // The patient is held before the case, in the order in which a delete holds them, so that the
  // address of an order is the patient's when the order is made.
  write: (call, { seen, patient, count, set, rows, events }) => sql`
    ${addressed(call, patient)}, ${heldCase(call, seen, sql`no key update`, sql`addressed`)},
    ${clock(call, count, sql`held`)},
    changed as (
      update cases set ${set}, status_at = c.at, updated_at = c.at from clock c
       where tenant = ${tenantOf(call)} and id = ${seen.id}
      returning id, ${published(caseColumns)} as answer
    ) ${rows}, ${emit(call, events)}`,
})

const addressed = (call: Deciding, patient: Plan['patient']): Statement =>
  patient === null
    ? sql`addressed as materialized (select 1 as yes from go)`
    : sql`addressed as materialized (
        select id from patients
         where tenant = ${tenantOf(call)} and id = ${patient.id}
           and updated_at = ${patient.updated_at}::timestamptz and exists (select from go)
           for share
      )`
