// How tests reserve, send and confirm a file, as an integrator would: by the answers alone.

import { must, rivera } from './call.ts'
import type { Fixtures } from './fixtures.ts'

/** The smallest whole picture: one pixel. */
export const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export type Reserved = {
  id: string
  patient: string
  upload_url: string
  upload_headers: Record<string, string>
}

type Wanted = { as?: string; patient?: string; case?: string; mime?: string; size_bytes?: number }

/** A reservation, of the case's patient or of a new one. */
export async function reserved(fixtures: Fixtures, wanted: Wanted = {}): Promise<Reserved> {
  const { as = fixtures.ada.test, case: id, mime = 'image/png', ...more } = wanted
  const theCase = id === undefined ? null : await must(fixtures, 'getCase', { as, id })
  const patient =
    more.patient ??
    theCase?.patient ??
    (await must(fixtures, 'createPatient', { as, body: rivera })).id
  const body = { mime, ...more, patient, ...(id === undefined ? {} : { case: id }) }
  return must(fixtures, 'createFile', { as, body })
}

export type Sending = {
  body?: BodyInit | null
  headers?: Record<string, string>
  without?: string
  method?: string
  url?: string
}

/** Sends bytes to where a reservation says, with the headers that it says. */
export async function put(
  fixtures: Fixtures,
  to: Reserved,
  sending: Sending = {},
): Promise<Response> {
  const { body = photo, without, method = 'PUT', url = to.upload_url } = sending
  const headers = new Headers({ ...to.upload_headers, ...sending.headers })
  if (without !== undefined) headers.delete(without)
  const init = { method, headers, body }
  return fixtures.upload(new Request(url, init), url.slice(url.lastIndexOf('/') + 1))
}

/** Sends a picture, which must be taken. */
export async function sent(
  fixtures: Fixtures,
  to: Reserved,
  body: BodyInit = photo,
): Promise<void> {
  const answer = await put(fixtures, to, { body })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** What a confirmation says. */
export const naming = (patient: string, more: object = {}) => ({
  patient,
  kind: 'photo_id',
  filename: 'license.png',
  ...more,
})

/** A file that is filed: reserved, sent and confirmed. */
export async function attached(fixtures: Fixtures, wanted: Wanted = {}) {
  const found = await reserved(fixtures, wanted)
  await sent(fixtures, found)
  const { as = fixtures.ada.test } = wanted
  return must(fixtures, 'confirmFile', { as, id: found.id, body: naming(found.patient) })
}
