// A patient's record as one FHIR bundle, in the same mapping that integrations read. Its notes and
// disclosures are only in record.json, because the mapping covers only what /v1 returns.

import { type About, fhirId, resourceOf } from '#contract/fhir/mapping.ts'
import { type MappingName, mappingNames, mappings } from '#contract/fhir/mappings.ts'
import { fhirPath } from '#contract/fhir/resource-types.ts'
import { sql } from '#database/sql.ts'
import { findMedication } from '../medications/medication.ts'

type Row = { readonly id: string } & Readonly<Record<string, unknown>>
type Rows = readonly Row[]

/** The parts of a record that have a mapping. */
export type MappedRecord = Readonly<
  Record<'consents' | 'cases' | 'prescriptions' | 'orders' | 'visits' | 'documents', Rows>
> & { readonly patient: Row; readonly exported_at: string }

/** The origin, organization and integration of the record, as one JSON value. */
export const fhirAbout = (origin: string) => sql`(
  select row_to_json(a) from (
    select ${origin}::text as origin, t.organization, t.integration
      from tenants t where t.id = patients.tenant) a) as about`

const rowsOf = (record: MappedRecord): Readonly<Record<MappingName, Rows>> => ({
  patient: [record.patient],
  consent: record.consents,
  answers: record.cases,
  request: record.cases,
  consult: record.cases,
  filing: record.cases,
  message: record.cases.flatMap(({ messages, patient }) =>
    (messages as Rows).map(message => ({ ...message, patient })),
  ),
  prescription: record.prescriptions,
  prescribing: record.prescriptions,
  order: record.orders,
  appointment: record.visits,
  visit: record.visits.filter(({ started_at: at }) => at !== null),
  document: record.documents.filter(({ status }) => status === 'attached'),
})

export function fhirBundleOf(record: MappedRecord, from: Omit<About, 'medication'>): object {
  const about: About = { ...from, medication: findMedication }
  const rows = rowsOf(record)
  const entry = mappingNames.flatMap(name =>
    rows[name].map(row => ({
      fullUrl: `${from.origin}${fhirPath}/${mappings[name].type}/${fhirId(row.id)}`,
      resource: resourceOf(mappings[name], row, about),
    })),
  )
  return { resourceType: 'Bundle', type: 'collection', timestamp: record.exported_at, entry }
}
