// A patient's record as an archive: everything the clinic has about them in one snapshot, as JSON,
// as a page to read, and as a FHIR bundle of the resources with a mapping. It also contains the
// bytes of each document that was scanned and is clean.

import { makeZip, predictLength } from 'client-zip'
import { sql } from '#database/sql.ts'
import { staffCaseColumns, writtenBy } from '../console/case.ts'
import { chartPatient, ofCase, ofPatient, rowsOf } from '../console/chart.ts'
import { clinicFileColumns } from '../console/files.ts'
import { integrationOf, read } from '../console/handler.ts'
import { noteColumns } from '../console/notes.ts'
import { recordedConsent } from '../consents/consent.ts'
import type { Mime } from '../viewer/sniff.ts'
import { messageColumns } from '../messages/message.ts'
import { orderColumns } from '../orders/order.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { idAndItem } from '../pipeline/publish.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { type Bytes, documentKey, StorageUnavailable } from '../storage/storage.ts'
import { visitColumns } from '../visits/visit.ts'
import { disclosureColumns } from './disclosure.ts'
import { fhirAbout, fhirBundleOf, type MappedRecord } from './fhir-bundle.ts'
import { recordPage } from './record-page.tsx'
import type { Files } from '../services.ts'

/** Fields in reading order. `objects` and `about` never leave `archiveOf`. */
const recordColumns = (origin: string) => sql`
  iso(now()) as exported_at,
  (select o.name from auth.organizations o join tenants t on t.organization = o.id
    where t.id = patients.tenant) as clinic,
  ${integrationOf('patients')},
  (select row_to_json(p) from (select ${chartPatient}) p) as patient,
  ${rowsOf(recordedConsent, ofPatient(sql`consents`))} as consents,
  ${rowsOf(
    sql`${staffCaseColumns},
        ${rowsOf(sql`${messageColumns}, ${writtenBy}`, ofCase(sql`messages`))} as messages`,
    ofPatient(sql`cases`),
  )} as cases,
  ${rowsOf(prescriptionColumns, ofPatient(sql`prescriptions`))} as prescriptions,
  ${rowsOf(orderColumns, ofPatient(sql`orders`))} as orders,
  ${rowsOf(visitColumns, ofPatient(sql`visits`))} as visits,
  ${rowsOf(noteColumns, sql`${ofPatient(sql`records.notes`)} and signed_at is not null`)} as notes,
  ${rowsOf(clinicFileColumns, sql`${ofPatient(sql`files`)} and status <> 'reserved'`)} as documents,
  ${rowsOf(disclosureColumns, ofPatient(sql`records.disclosures`))} as disclosures,
  ${rowsOf(
    sql`id, mime, object`,
    sql`${ofPatient(sql`files`)} and status = 'attached' and scan = 'clean'`,
  )} as objects, ${fhirAbout(origin)}`

export const exportRecord = read('exportRecord', (call, { id }, { base }) => ({
  rows: sql`
    select ${idAndItem(recordColumns(base))} from patients where tenant = ${tenantOf(call)} and id = ${id}`,
}))

type StoredDocument = { id: string; mime: Mime; object: string }
type Exported = MappedRecord & {
  objects: readonly StoredDocument[]
  about: Parameters<typeof fhirBundleOf>[1]
} & Readonly<Record<string, unknown>>

const extensions: Readonly<Record<Mime, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/heic': 'heic',
}

/** Uses the ID as the filename, because an integration chose the upload's name. */
const pathIn = ({ id, mime }: StoredDocument) => `documents/${id}.${extensions[mime]}`

/** Streams the archive, after the call has released its connection. */
export async function archiveOf({ storage }: Files, item: string): Promise<Bytes> {
  const { objects, about, ...exported }: Exported = JSON.parse(item)
  const paths = new Map(objects.map(stored => [stored.id, pathIn(stored)]))
  const documents = exported.documents.map(one => ({ ...one, path: paths.get(one.id) ?? null }))
  const whole = { ...exported, documents }
  const texts = [
    { name: 'record.json', input: `${JSON.stringify(whole, null, 2)}\n` },
    { name: 'record.html', input: recordPage(whole) },
    {
      name: 'record.fhir.json',
      input: `${JSON.stringify(fhirBundleOf(exported, about), null, 2)}\n`,
    },
  ]
  const stored = await Promise.all(
    objects.map(async one => {
      const bytes = await storage.read(documentKey('live', one.object))
      if (!bytes) throw new StorageUnavailable('the document is missing from storage')
      return { name: pathIn(one), bytes, size: bytes.size }
    }),
  )
  const lastModified = new Date(exported.exported_at)
  const files = async function* () {
    for (const text of texts) yield { ...text, lastModified }
    for (const { name, bytes, size } of stored) {
      const opened = await bytes.open()
      yield { name, size, lastModified, input: opened instanceof Blob ? opened.stream() : opened }
    }
  }
  const size = Number(
    predictLength([...texts, ...stored.map(({ name, size }) => ({ name, size }))]),
  )
  return { size, open: async () => makeZip(files()) }
}
