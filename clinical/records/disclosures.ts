// The accounting of disclosures for a patient's record, as the clinic enters and reads it.

import type { Fault } from '#contract/faults.ts'
import { invalid, Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { actorOf, read, write } from '../console/handler.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { disclosureColumns, insertDisclosure } from './disclosure.ts'
import { heldPatient } from './patient.ts'

export const listDisclosures = read('listDisclosures', (call, { id }) => ({
  rows: sql`
    select id, json_build_object('data', (
             select coalesce(json_agg(row_to_json(d)), '[]') from (
               select ${disclosureColumns} from records.disclosures
                where tenant = patients.tenant and patient = patients.id
                order by disclosed_on, records.disclosures.id) d))::text as item
      from patients where tenant = ${tenantOf(call)} and id = ${id}`,
}))

type Facts = { id: string; is_future: boolean; corrects: string | null }

export const addDisclosure = write('addDisclosure', {
  facts: (call, { id, disclosed_on, corrects }) => sql`
    select id, ${disclosed_on}::date > auth.clinic_day(${call.principal.organization.id}) as is_future,
           (select d.id from records.disclosures d
             where d.tenant = patients.tenant and d.patient = patients.id
               and d.id = ${corrects ?? null}::text) as corrects
      from patients where tenant = ${tenantOf(call)} and id = ${id}`,
  decide: (call, { id, ...entry }, found: Facts | null) => {
    if (!found) throw new Problem('not_found')
    const faults: Fault[] = []
    if (found.is_future) {
      const message = 'disclosed_on must not be after today.'
      faults.push({ pointer: '#/disclosed_on', code: 'too_large', message })
    }
    if (found.corrects !== (entry.corrects ?? null)) {
      const message = 'corrects must be the ID of an entry of this patient.'
      faults.push({ pointer: '#/corrects', code: 'unknown_reference', message })
    }
    if (faults.length > 0) throw invalid(faults)
    return { entry: { ...entry, patient: id }, by: actorOf(call) }
  },
  write: (call, { entry, by }) => sql`
    ${heldPatient(call, entry.patient)},
    changed as (
      ${insertDisclosure(call, entry, by, sql`held`)}
      returning id, ${published(disclosureColumns)} as answer
    )`,
})
