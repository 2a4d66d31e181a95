// Booking: the template decides whether a start time is a slot, and the database's exclusion
// constraints decide who gets it, so there's no race between a check and the insert.

import type { Input } from '#contract/api.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { livingPatients } from '../patients/patient.ts'
import { published } from '../pipeline/publish.ts'
import { type FreeClinician, freeClinicians, offerAt } from './offer.ts'
import { slotTaken, visitColumns } from './visit.ts'

type Facts = {
  patient: string | null
  state: string | null
  case: string | null
  free: readonly FreeClinician[] | null
}

/** Returns unknown references in the body. Without a patient, the case can't be checked. */
function faultsOf(input: Input<'bookVisit'>, found: Facts | null): Fault[] {
  const unknown = (pointer: string, message: string): Fault => ({
    pointer,
    code: 'unknown_reference',
    message,
  })
  if (!found?.patient)
    return [unknown('#/patient', 'patient must be the ID of one of your patients.')]
  const isUnknownCase = typeof input.case === 'string' && found.case === null
  return isUnknownCase ? [unknown('#/case', 'case must be the ID of a case of this patient.')] : []
}

export const bookVisit = write('bookVisit', {
  facts: (call, input) => sql`
    select p.id as patient, p.address ->> 'state' as state, (
      select c.id from cases c
       where c.tenant = ${tenantOf(call)} and c.patient = p.id and c.id = ${input.case ?? null}
    ) as "case", ${freeClinicians(call, sql`p.address ->> 'state'`, input.starts_at)}
      from (select id, address ${livingPatients(call)} and id = ${input.patient}) p`,
  decide: (call, input, found: Facts | null) => {
    const faults = faultsOf(input, found)
    if (faults.length > 0) throw invalid(faults)
    const state = found?.state ?? ''
    const offer = offerAt(call, state, input.starts_at, found?.free ?? null)
    return { patient: input.patient, case: input.case ?? null, ...offer, id: call.mint('visit', 0) }
  },
  // Locks the patient and counts its visits, so a concurrent delete of the patient sees this visit.
  // The slot must be in the patient's current state.
  write: (call, { patient, case: of, slot, clinician, id }) => sql`
    held as materialized (
      select id ${livingPatients(call)} and id = ${patient}
         and address ->> 'state' = ${slot.state} and exists (select from go)
         for no key update
    ), ${clock(call, 2, sql`held`)},
    counted as (
      update patients set visits = visits + 1
       where tenant = ${tenantOf(call)} and id = ${patient} and exists (select from clock)
    ), changed as (
      insert into visits (tenant, id, patient, "case", status, state, time_zone, clinician,
                          clinician_name, starts_at, ends_at, created_at, updated_at)
      select ${tenantOf(call)}, ${idAt(id)}, ${patient}, ${of}, 'scheduled', ${slot.state},
             ${slot.time_zone}, ${clinician.person}, ${clinician.name},
             ${slot.starts_at}::timestamptz,
             ${slot.ends_at}::timestamptz, c.at, c.at
        from clock c
      returning id, ${published(visitColumns)} as answer
    ), ${emit(call, [event(1, 'visit.booked.v1', id, null, 'scheduled')])}`,
  excluded: (call, { slot }, constraint) => slotTaken(call, slot.starts_at, constraint),
})
