import type { Input, Output } from '#contract/api.ts'
import { sql, type Statement } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { addressText, livingPatients, patientColumns } from './patient.ts'

type Facts = Output<'getPatient'>

/** Returns assignments for the fields the patch changes. */
function changes({ id: _id, ...patch }: Input<'updatePatient'>, patient: Facts): Statement[] {
  const { address, ...plain } = patch
  const changed = Object.entries(plain)
    .filter(([name, value]) => patient[name as keyof Facts] !== value)
    .map(([name, value]) => assignments[name as keyof typeof plain](value ?? null))
  const moved = address && addressText(address) !== addressText(patient.address)
  return moved ? [...changed, sql`address = ${addressText(address)}::text::json`] : changed
}

type Field = Exclude<keyof Input<'updatePatient'>, 'id' | 'address'>
const assignments: Record<Field, (value: string | null) => Statement> = {
  first_name: value => sql`first_name = ${value}`,
  middle_name: value => sql`middle_name = ${value}`,
  last_name: value => sql`last_name = ${value}`,
  date_of_birth: value => sql`date_of_birth = ${value}::date`,
  sex_at_birth: value => sql`sex_at_birth = ${value}::text`,
  email: value => sql`email = ${value}`,
  phone: value => sql`phone = ${value}`,
  external_id: value => sql`external_id = ${value}`,
}

export const updatePatient = write('updatePatient', {
  facts: (call, { id }) => sql`select ${patientColumns} ${livingPatients(call)} and id = ${id}`,
  decide: (call, patch, patient: Facts | null) => {
    if (!patient) throw call.refuse('not_found')
    return { id: patient.id, version: patient.updated_at, set: changes(patch, patient) }
  },
  write: (call, { id, version, set }) => {
    const held = sql`
      held as materialized (
        select id from patients
         where tenant = ${tenantOf(call)} and id = ${id} and deleted_at is null
           and updated_at = ${version}::timestamptz and exists (select from go)
           for no key update
      )`
    if (set.length === 0) {
      return sql`${held}, changed as (
        select id, ${published(patientColumns)} as answer from patients
         where tenant = ${tenantOf(call)} and id in (select id from held))`
    }
    const assigned = set.reduce((all, one) => sql`${all}, ${one}`)
    return sql`
      ${held}, ${clock(call, 2, sql`held`)},
      changed as (
        update patients set ${assigned}, updated_at = c.at from clock c
         where tenant = ${tenantOf(call)} and id = ${id}
        returning id, ${published(patientColumns)} as answer
      ), ${emit(call, [event(1, 'patient.updated.v1', id, 'active', 'active')])}`
  },
})
