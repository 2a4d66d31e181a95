// Reads a case, or a patient, with all of the clinic's data about them.

import { sql, type Statement } from '#database/sql.ts'
import { recordedConsent } from '../consents/consent.ts'
import { codeList } from '../diagnoses/code-list.ts'
import { messageColumns } from '../messages/message.ts'
import { orderColumns } from '../orders/order.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { visitColumns } from '../visits/visit.ts'
import { decidedBy, staffCaseColumns, writtenBy } from './case.ts'
import { clinicFileColumns } from './files.ts'
import { integrationOf, read, type StaffCall } from './handler.ts'
import { noteColumns, readableNote } from './notes.ts'
import { unansweredAt } from './unanswered.ts'

const historyMax = 500

export const rowsOf = (columns: Statement, from: Statement): Statement => sql`(
  select coalesce(json_agg(row_to_json(r) order by r.id), '[]') from (
    select ${columns} ${from}) r)`

/** A table's rows for the case whose columns are in scope. */
export const ofCase = (table: Statement): Statement =>
  sql`from ${table} where tenant = cases.tenant and "case" = cases.id`

/** A table's rows for the patient's other cases. */
const ofOthers = (table: Statement): Statement =>
  sql`from ${table} where tenant = cases.tenant and patient = cases.patient and "case" <> cases.id`

/** A table's rows for the patient in scope. */
export const ofPatient = (table: Statement): Statement =>
  sql`from ${table} where tenant = patients.tenant and patient = patients.id`

/** The clinic keeps patients that their integration deleted. */
export const chartPatient = sql`
  id, external_id, case when deleted_at is null then 'active' else 'deleted' end as status,
  first_name, middle_name, last_name, date_of_birth::text as date_of_birth, sex_at_birth, email,
  phone, address, iso(created_at) as created_at, iso(updated_at) as updated_at,
  iso(deleted_at) as deleted_at`

const chart = ({ principal: { person }, now }: StaffCall) => sql`
  (select row_to_json(p) from (
     select ${chartPatient} from patients
      where tenant = cases.tenant and id = cases.patient) p) as patient,
  ${rowsOf(recordedConsent, sql`from consents where tenant = cases.tenant and id = any (cases.consent_ids)`)} as consents,
  ${rowsOf(clinicFileColumns, sql`${ofCase(sql`files`)} and status = 'attached'`)} as files,
  ${rowsOf(sql`${messageColumns}, ${writtenBy}`, ofCase(sql`messages`))} as messages,
  ${unansweredAt} as unanswered_at,
  ${rowsOf(prescriptionColumns, ofCase(sql`prescriptions`))} as prescriptions,
  ${rowsOf(orderColumns, ofCase(sql`orders`))} as orders,
  (select row_to_json(e) from (select
    ${rowsOf(
      sql`id, status, plan, reason, requested_medications, ${decidedBy},
          iso(created_at) as created_at, iso(updated_at) as updated_at`,
      sql`from cases other where other.tenant = cases.tenant
           and other.patient = cases.patient and other.id <> cases.id`,
    )} as cases,
    ${rowsOf(prescriptionColumns, ofOthers(sql`prescriptions`))} as prescriptions,
    ${rowsOf(orderColumns, ofOthers(sql`orders`))} as orders) e) as earlier,
  ${rowsOf(visitColumns, sql`from visits where tenant = cases.tenant and patient = cases.patient`)} as visits,
  ${rowsOf(
    noteColumns,
    sql`from records.notes where tenant = cases.tenant
    and patient = cases.patient and ${readableNote(person)}`,
  )} as notes,
  ${codeList(now)} as code_list,
  ${rowsOf(
    sql`id, type, status, previous_status, iso(created_at) as created_at, resource_id as resource`,
    sql`from events
         where tenant = cases.tenant
           and resource_id = any (cases.prescription_ids || cases.order_ids || cases.id)
         order by id limit ${historyMax}::int`,
  )} as history`

export const readChart = read('readChart', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(sql`${staffCaseColumns}, ${integrationOf('cases')},
             (select row_to_json(x) from (select ${chart(call)}) x) as chart`)}
      from cases where tenant = ${tenantOf(call)} and id = ${id}`,
}))

export const readPatient = read('readPatient', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(
      sql`${chartPatient}, ${integrationOf('patients')},
      exists (select from records.holds h where h.tenant = patients.tenant
                 and h.patient = patients.id and h.lifted_at is null) as is_held, ${rowsOf(
                   sql`id, status, iso(created_at) as created_at, iso(updated_at) as updated_at`,
                   sql`from cases where tenant = patients.tenant and patient = patients.id`,
                 )} as cases,
      ${rowsOf(prescriptionColumns, ofPatient(sql`prescriptions`))} as prescriptions,
      ${rowsOf(orderColumns, ofPatient(sql`orders`))} as orders,
      ${rowsOf(visitColumns, ofPatient(sql`visits`))} as visits,
      ${rowsOf(clinicFileColumns, sql`${ofPatient(sql`files`)} and status <> 'reserved'`)} as files`,
    )}
      from patients where tenant = ${tenantOf(call)} and id = ${id}`,
}))
