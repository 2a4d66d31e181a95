// Steps that both walks share: file a case through the API, and read its outcome.
import { patientNamed } from './patient.ts'
import { must, type World } from './world.ts'

export type Filed = { readonly patient: string; readonly case: string; readonly medication: string }

/** A new synthetic patient with both consents, and a case that waits for the clinic. */
export async function fileCase(
  world: World,
  key: string,
  last_name: string,
  hold = false,
): Promise<Filed> {
  const write = async (path: string, body: object) =>
    (await world.call(key, 201, ['POST', path, body])).body
  const { id } = await write('/v1/patients', {
    ...patientNamed(last_name),
    external_id: `walk-${world.unique}-${last_name}`,
  })
  const patient = String(id)
  const consents: unknown[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const consent = await write(`/v1/patients/${patient}/consents`, { kind, version: '2026-09-01' })
    consents.push(consent['id'])
  }
  const catalog = await world.call(key, 200, ['GET', '/v1/medications?limit=1'])
  const [first] = catalog.body['data'] as { medication_id: string }[]
  const medication = first?.medication_id ?? ''
  const filed = await write('/v1/cases', {
    patient,
    consent_ids: consents,
    requested_medications: [{ medication_id: medication }],
    hold,
  })
  const status = String(filed['status'])
  must(status === (hold ? 'received' : 'queued'), `the case is ${status}`)
  return { patient, case: String(filed['id']), medication }
}

export const readCase = async (world: World, key: string, id: string) =>
  (await world.call(key, 200, ['GET', `/v1/cases/${id}`])).body

/** Reserves, sends and confirms a document of the case, which must be held. */
export async function attach(world: World, key: string, filed: Filed): Promise<string> {
  const { body: reserved } = await world.call(key, 201, [
    'POST',
    '/v1/files',
    { patient: filed.patient, case: filed.case, mime: 'image/png' },
  ])
  const sent = await fetch(String(reserved['upload_url']), {
    method: 'PUT',
    headers: reserved['upload_headers'] as Record<string, string>,
    body: Buffer.from(dot, 'base64'),
  })
  must(sent.ok, `the bytes are accepted: ${sent.status}`)
  const { body } = await world.call(key, 200, [
    'POST',
    `/v1/files/${String(reserved['id'])}/confirm`,
    { patient: filed.patient, kind: 'other', filename: 'dot.png' },
  ])
  return String(body['id'])
}

/** A one-pixel picture. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
