// Lets tests reserve, upload and confirm a file using only the API's responses, as an integrator
// does.

import { sql } from '#database/sql.ts'
import { scanFiles } from '../files/scan.ts'
import { openViewer } from '../viewer/viewer.ts'
import { queryAsOwner } from './assertions.ts'
import { invokeOk, rivera } from './call.ts'
import type { Fixtures } from './fixtures.ts'

/** The smallest complete picture: one pixel. */
export const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export type FileReservation = {
  id: string
  patient: string
  upload_url: string
  upload_headers: Record<string, string>
}

type FileOptions = {
  as?: string
  patient?: string
  case?: string
  mime?: string
  size_bytes?: number
}

/** Reserves a file for the case's patient or a new one. */
export async function reserveFile(
  fixtures: Fixtures,
  options: FileOptions = {},
): Promise<FileReservation> {
  const { as = fixtures.ada.test, case: id, mime = 'image/png', ...more } = options
  const theCase = id === undefined ? null : await invokeOk(fixtures, 'getCase', { as, id })
  const patient =
    more.patient ??
    theCase?.patient ??
    (await invokeOk(fixtures, 'createPatient', { as, body: rivera })).id
  const body = { mime, ...more, patient, ...(id === undefined ? {} : { case: id }) }
  return invokeOk(fixtures, 'createFile', { as, body })
}

export type UploadOptions = {
  body?: BodyInit | null
  headers?: Record<string, string>
  without?: string
  method?: string
  url?: string
}

/** Sends bytes to a reservation's URL, with its headers. */
export async function putFile(
  fixtures: Fixtures,
  to: FileReservation,
  sending: UploadOptions = {},
): Promise<Response> {
  const { body = photo, without, method = 'PUT', url = to.upload_url } = sending
  const headers = new Headers({ ...to.upload_headers, ...sending.headers })
  if (without !== undefined) headers.delete(without)
  const init = { method, headers, body }
  return fixtures.upload(new Request(url, init), url.slice(url.lastIndexOf('/') + 1))
}

/** Uploads a picture; the upload must succeed. */
export async function uploadFile(
  fixtures: Fixtures,
  to: FileReservation,
  body: BodyInit = photo,
): Promise<void> {
  const answer = await putFile(fixtures, to, { body })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** Returns a confirmation's body. */
export const confirmation = (patient: string, more: object = {}) => ({
  patient,
  kind: 'photo_id',
  filename: 'license.png',
  ...more,
})

/** Creates a patient's file: reserved, uploaded and confirmed. */
export async function attachFile(fixtures: Fixtures, options: FileOptions = {}) {
  const found = await reserveFile(fixtures, options)
  await uploadFile(fixtures, found)
  const { as = fixtures.ada.test } = options
  return invokeOk(fixtures, 'confirmFile', { as, id: found.id, body: confirmation(found.patient) })
}

/** Finds a document too slow after one second of processor time. */
export const impatientViewer = () => openViewer({ processorSecondsMax: 1 })

/** Scans confirmed files, as the worker does. */
export const scanAll = (
  { workerContext, context: { files } }: Fixtures,
  viewer = files.viewer,
): Promise<number> => scanFiles(workerContext, { ...files, viewer }, null)

/** Creates a scanned document on a live case. */
export async function scannedFile(
  fixtures: Fixtures,
  {
    patient,
    case: theCase,
    ...call
  }: { as: string; organization: string } & Record<'patient' | 'case', string>,
): Promise<string> {
  const body = { patient, mime: 'image/png', case: theCase }
  const found: FileReservation = await invokeOk(fixtures, 'createFile', { ...call, body })
  await uploadFile(fixtures, found)
  const confirmed = { ...call, id: found.id, body: confirmation(patient) }
  const { id } = await invokeOk(fixtures, 'confirmFile', confirmed)
  await scanAll(fixtures)
  return id
}

/** Attaches the document again; `by` is the person who requested its removal. */
export async function restoreFile(
  fixtures: Fixtures,
  { tenant, file }: { tenant: string; file: string },
  by: string | null,
): Promise<void> {
  for (const statement of [
    sql`update live.files
           set status = 'attached', filename = 'a.png', removed_by = null, removed_by_name = null,
               removed_at = null, removal_reason = ${by}::text, removal_asked_by = ${by}::text,
               removal_asked_by_name = ${by}::text,
               removal_asked_at = case when ${by}::text is not null then attached_at end
         where tenant = ${tenant}::bigint and id = ${file}`,
    sql`delete from live.discarded_objects where tenant = ${tenant}::bigint`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
}
