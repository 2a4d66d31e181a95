// Where each mapping's rows are: a table, the columns /v1 publishes from it, and which rows this
// caller may see. They're the rows of /v1, under the same policies.

import { type MappingName, mappingNames, mappings } from '#contract/fhir/mappings.ts'
import type { FhirType } from '#contract/fhir/resource-types.ts'
import type { Prefix } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns, presentFiles } from '../files/file.ts'
import { messageColumns } from '../messages/message.ts'
import { orderColumns } from '../orders/order.ts'
import { livingPatients, patientColumns } from '../patients/patient.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { visitColumns } from '../visits/visit.ts'

export type Source = {
  readonly name: MappingName
  readonly type: FhirType
  readonly prefix: Prefix
  readonly table: Statement
  readonly columns: Statement
  /** The caller's rows, as the tail of a select. */
  from(call: AnyCall): Statement
  /** A patient's rows. */
  ofPatient(call: AnyCall, patient: string): Statement
  /** When a row last changed. */
  readonly changed: Statement
}

type Stated = Partial<Source> & Pick<Source, 'prefix' | 'table' | 'columns'>

const cases: Stated = { prefix: 'case', table: sql`cases`, columns: caseColumns }
const visits: Stated = { prefix: 'vis', table: sql`visits`, columns: visitColumns }
const prescriptions: Stated = {
  prefix: 'rx',
  table: sql`prescriptions`,
  columns: prescriptionColumns,
}

const ofTenant = (table: Statement) => (call: AnyCall) =>
  sql`from ${table} where tenant = ${tenantOf(call)}`

const stated: Readonly<Record<MappingName, Stated>> = {
  patient: {
    prefix: 'pat',
    table: sql`patients`,
    columns: patientColumns,
    from: livingPatients,
    ofPatient: (_, patient) => sql`and id = ${patient}`,
  },
  consent: {
    prefix: 'cons',
    table: sql`consents`,
    columns: consentColumns,
    from: call => sql`
      from consents where tenant = ${tenantOf(call)}
       and exists (select ${livingPatients(call)} and id = consents.patient)`,
  },
  answers: cases,
  request: cases,
  consult: cases,
  visit: {
    ...visits,
    from: call => sql`
      from visits where tenant = ${tenantOf(call)} and started_at is not null`,
  },
  appointment: visits,
  prescription: prescriptions,
  order: { prefix: 'ord', table: sql`orders`, columns: orderColumns },
  document: {
    prefix: 'file',
    table: sql`files`,
    columns: fileColumns,
    from: call => sql`${presentFiles(call)} and status = 'attached'`,
  },
  message: {
    prefix: 'msg',
    table: sql`messages`,
    columns: sql`${messageColumns}, (
      select c.patient from cases c
       where c.tenant = messages.tenant and c.id = messages."case") as patient`,
    ofPatient: (call, patient) => sql`
      and "case" in (select id from cases
                      where tenant = ${tenantOf(call)} and patient = ${patient})`,
    changed: sql`created_at`,
  },
  filing: { ...cases, changed: sql`created_at` },
  prescribing: { ...prescriptions, changed: sql`created_at` },
}

export const sources: readonly Source[] = mappingNames.map(name => ({
  from: ofTenant(stated[name].table),
  ofPatient: (_, patient) => sql`and patient = ${patient}`,
  changed: sql`updated_at`,
  ...stated[name],
  name,
  type: mappings[name].type,
}))

export const sourcesOf = (type: FhirType) => sources.filter(source => source.type === type)
