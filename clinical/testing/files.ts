// How tests reserve, upload and confirm a file: with nothing but what the API returned, as an
// integrator does.

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

/** A reservation for the case's patient or for a new one. */
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

/** Sends bytes to the address of a reservation, with its headers. */
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

/** The body of a confirmation. */
export const confirmation = (patient: string, more: object = {}) => ({
  patient,
  kind: 'photo_id',
  filename: 'license.png',
  ...more,
})

/** A file of a patient: reserved, uploaded and confirmed. */
export async function attachFile(fixtures: Fixtures, options: FileOptions = {}) {
  const found = await reserveFile(fixtures, options)
  await uploadFile(fixtures, found)
  const { as = fixtures.ada.test } = options
  return invokeOk(fixtures, 'confirmFile', { as, id: found.id, body: confirmation(found.patient) })
}
