// Each mapping's source: a table, the columns /v1 publishes from it, and which rows this caller may
// see. They're the same rows as in /v1, under the same policies.

import { type MappingName, mappingNames, mappings } from '#contract/fhir/mappings.ts'
import type { FhirType } from '#contract/fhir/resource-types.ts'
import type { Prefix } from '#contract/ids.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { consentColumns } from '../consents/consent.ts'
import { fileColumns } from '../files/file.ts'
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
  from(call: Reader): Statement
  /** The rows of these patients. */
  ofPatients(call: Reader, patients: readonly string[]): Statement
  /** When a row last changed, or null if that isn't known. */
  readonly changed: Statement | null
}

/** The reader: an integration, or the clinic, which also sees patients the integration deleted. */
type Reader = {
  readonly principal: Pick<AnyCall['principal'], 'tenant' | 'mode'>
  readonly isClinic?: boolean
}

type Stated = Partial<Source> & Pick<Source, 'prefix' | 'table' | 'columns'>

const cases: Stated = { prefix: 'case', table: sql`cases`, columns: caseColumns }
const visits: Stated = { prefix: 'vis', table: sql`visits`, columns: visitColumns }
const prescriptions: Stated = {
  prefix: 'rx',
  table: sql`prescriptions`,
  columns: prescriptionColumns,
}

const ofTenant = (table: Statement) => (call: Reader) =>
  sql`from ${table} where tenant = ${tenantOf(call)}`

/** The clinic keeps the records of patients that the integration deleted. */
const ofLiving = (call: Reader, table: Statement): Statement =>
  call.isClinic
    ? ofTenant(table)(call)
    : sql`
      from ${table} where tenant = ${tenantOf(call)}
       and exists (select ${livingPatients(call)} and id = ${table}.patient)`

const stated: Readonly<Record<MappingName, Stated>> = {
  patient: {
    prefix: 'pat',
    table: sql`patients`,
    columns: patientColumns,
    from: call => (call.isClinic ? ofTenant(sql`patients`)(call) : livingPatients(call)),
    ofPatients: (_, patients) => sql`and id = any (${patients}::text[])`,
  },
  consent: {
    prefix: 'cons',
    table: sql`consents`,
    columns: consentColumns,
    from: call => ofLiving(call, sql`consents`),
    changed: null,
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
    from: call => sql`${ofLiving(call, sql`files`)} and status = 'attached'`,
    changed: sql`attached_at`,
  },
  message: {
    prefix: 'msg',
    table: sql`messages`,
    columns: sql`${messageColumns}, (
      select c.patient from cases c
       where c.tenant = messages.tenant and c.id = messages."case") as patient`,
    ofPatients: (call, patients) => sql`
      and "case" in (select id from cases where tenant = ${tenantOf(call)}
                        and patient = any (${patients}::text[]))`,
    changed: sql`created_at`,
  },
  filing: { ...cases, changed: sql`created_at` },
  prescribing: { ...prescriptions, changed: sql`created_at` },
}

export const sources: readonly Source[] = mappingNames.map(name => ({
  from: ofTenant(stated[name].table),
  ofPatients: (_, patients) => sql`and patient = any (${patients}::text[])`,
  changed: sql`updated_at`,
  ...stated[name],
  name,
  type: mappings[name].type,
}))

export const sourcesOf = (type: FhirType) => sources.filter(source => source.type === type)
