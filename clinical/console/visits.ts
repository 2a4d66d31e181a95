// A clinic's visits, which staff change the same way the sandbox's controls do.

import { visitMoveOpens } from '#contract/console/visits.ts'
import { Problem } from '#contract/problems.ts'
import { momentText } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { codeList } from '../diagnoses/code-list.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem, published } from '../pipeline/publish.ts'
import {
  type CompletionFacts,
  completionFacts,
  endVisit,
  writeCompletion,
} from '../visits/complete.ts'
import { earliestLive, visitLength } from '../visits/offer.ts'
import { joinColumns, joinLinkOf, joinRefusal, joinRefused, type JoinRow } from '../visits/join.ts'
import { moveVisit, type VisitPlan, writeVisit } from '../visits/move.ts'
import { handOver, moveTo, type MoveFacts, moveFacts, writeMove } from '../visits/reschedule.ts'
import {
  slotTaken,
  unavailable,
  visitColumns,
  type VisitFacts,
  visitFacts,
} from '../visits/visit.ts'
import { rowsOf } from './chart.ts'
import { draftOf, noteColumns, readableNote } from './notes.ts'
import { actorOf, integrationOf, read, sameVersion, type StaffCall, write } from './handler.ts'

const clinicVisit = (person: string) => sql`
  ${visitColumns}, ${integrationOf('visits')}, (
    select p.first_name || ' ' || p.last_name from patients p
     where p.tenant = visits.tenant and p.id = visits.patient) as patient_name,
  clinician = ${person} as is_own, exists (
    select from records.notes
     where ${draftOf(person, sql`visits.tenant`, sql`visits.id`)} and body <> '') as has_draft`

export const readClinicVisit = read('readClinicVisit', (call, { id }) => {
  const earliest = momentText(earliestLive(call.now))
  return {
    rows: sql`
      select ${idAndItem(sql`
               ${clinicVisit(call.principal.person)}, ${rowsOf(
                 noteColumns,
                 sql`from records.notes where tenant = visits.tenant and visit = visits.id
                      and ${readableNote(call.principal.person)}`,
               )} as notes, ${codeList(call.now)} as code_list, (
                 select coalesce(json_agg(iso(f) order by f), '[]') from (
                   select free_times(visits.state, ${earliest}::timestamptz,
                                     ${earliest}::timestamptz + interval '14 days', ${visitLength})
                   union
                   select free_times(visits.state, visits.starts_at,
                                     visits.starts_at + interval '1 ms', ${visitLength})
                    where visits.ends_at > ${momentText(call.now)}::timestamptz) t (f)
                  where visits.status = 'scheduled') as free_times`)}
        from visits where tenant = ${tenantOf(call)} and id = ${id}`,
  }
})

export const listClinicVisits = read('listClinicVisits', (call, input) => ({
  rows: sql`
    select ${idAndItem(clinicVisit(call.principal.person))}
      from visits
     where organization = ${call.principal.organization.id}
       and starts_at >= ${input.from}::timestamptz
       and starts_at < ${input.to}::timestamptz
     ${paging(input)}`,
}))

/** Returns the clinician's link to the visit, like the patient's. */
export const joinClinicVisit = read('joinClinicVisit', (call, { id }, context) => ({
  rows: sql`
    select id, ${published(joinColumns)} as item, case
             when state <> all (${call.principal.staff.states}::text[]) then 'license_required'
             else ${joinRefused(call.now)} end as refused
      from visits
     where tenant = ${tenantOf(call)} and id = ${id} and clinician = ${call.principal.person}`,
  refusable: {
    refusal: (code, item) =>
      code === 'license_required'
        ? new Problem(code)
        : joinRefusal(code, JSON.parse(item) as JoinRow),
    answer: item => {
      const { patient } = JSON.parse(item) as JoinRow
      const seat = { seat: 'clinician', patient } as const
      return JSON.stringify(joinLinkOf(call, context, { visit: id, ...seat }))
    },
  },
}))

const minuteMilliseconds = 60_000

/** Throws if it's too early for the clinic to make the move. */
function opened(move: 'start' | 'miss', { starts_at }: VisitFacts, now: number): void {
  const minutes = visitMoveOpens[move]
  const opens = Date.parse(starts_at) + minutes * minuteMilliseconds
  if (now >= opens) return
  const when = `${Math.abs(minutes)} minutes ${minutes < 0 ? 'before' : 'after'} the start of the visit`
  throw new Problem('too_early', {
    detail: `You can do this starting ${when}.`,
    members: { opens_at: momentText(opens) },
  })
}

type MoveInput = { id: string; version: string }

const move = <M extends 'miss' | 'cancel'>(name: M) => ({
  facts: (call: StaffCall, { id }: MoveInput) => visitFacts(call, id),
  decide: (call: StaffCall, input: MoveInput, found: VisitFacts | null) => {
    const plan = moveVisit(name, sameVersion(found, input))
    if (name === 'miss') opened(name, plan.current, call.now)
    return plan
  },
  write: (call: StaffCall, plan: VisitPlan<M>) => writeVisit(call, plan),
})

/** The clinician who starts a visit takes it over. Decided in
 *  docs/decisions/0173-let-a-colleague-take-a-visit-over.md. */
export const startClinicVisit = write('startClinicVisit', {
  facts: (call, { id }) => visitFacts(call, id),
  decide: (call, input, found: VisitFacts | null) => {
    const current = sameVersion(found, input)
    if (!call.principal.staff.states.includes(current.state)) throw new Problem('license_required')
    const plan = moveVisit('start', current, actorOf(call))
    opened('start', current, call.now)
    return plan
  },
  write: (call, plan) => writeVisit(call, plan),
  excluded: (_call, { current }) =>
    unavailable(current.starts_at, 'You have another visit at that time.'),
})
export const missClinicVisit = write('missClinicVisit', move('miss'))
export const cancelClinicVisit = write('cancelClinicVisit', move('cancel'))

export const completeClinicVisit = write('completeClinicVisit', {
  facts: (call, { id }) => completionFacts(call, id),
  decide: (call, input, found: CompletionFacts | null) => endVisit(call, sameVersion(found, input)),
  write: (call, plan) => writeCompletion(call, plan),
})

export const moveClinicVisit = write('moveClinicVisit', {
  facts: (call, { id, starts_at }) => moveFacts(call, id, starts_at),
  decide: (call, input, found: MoveFacts | null) => {
    const current = sameVersion(found, input)
    return input.starts_at === current.starts_at
      ? handOver(call, current)
      : moveTo(call, input.starts_at, current)
  },
  write: (call, plan) => writeMove(call, plan),
  excluded: (call, { slot }, constraint) => slotTaken(call, slot.starts_at, constraint),
})
