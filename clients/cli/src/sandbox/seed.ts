// `svc sandbox seed`: synthetic patients with consents, cases and decisions of every kind.

import type { Context } from '../context.ts'
import { usage } from '../errors.ts'
import { requireTest } from './loop.ts'

const firstNames = ['Ada', 'Ben', 'Carla', 'Dev', 'Elif', 'Femi', 'Gus', 'Hana', 'Ivo', 'June']
const lastNames = ['Rivera', 'Okafor', 'Lindqvist', 'Marsh', 'Tanaka', 'Dubois', 'Novak', 'Reyes']
const cities = [
  ['San Francisco', 'CA', '94133'],
  ['Austin', 'TX', '78701'],
  ['New York', 'NY', '10011'],
  ['Denver', 'CO', '80202'],
] as const

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
const two = (value: number) => String(value).padStart(2, '0')

/** A made-up person, always the same for the same number. */
function person(at: number) {
  const [first, last] = [pick(firstNames, at), pick(lastNames, Math.floor(at / 3) + at)]
  const [city, state, postal_code] = pick(cities, at)
  return {
    first_name: first,
    last_name: last,
    date_of_birth: `${1950 + ((at * 7) % 50)}-${two(1 + (at % 12))}-${two(1 + ((at * 5) % 28))}`,
    sex_at_birth: at % 2 === 0 ? 'female' : 'male',
    email: `${first}.${last}.${at}@example.com`.toLowerCase(),
    phone: `+1415555${String(100 + (at % 100)).padStart(4, '0')}`,
    address: { line1: `${100 + at} Example Street`, city, state, postal_code },
    external_id: `seed-${at}`,
  }
}

/** The requests that each patient's case gets, in turn. The first case gets no requests. */
const fates: readonly (readonly (readonly [path: string, body: object])[])[] = [
  [],
  [['decision', { decision: 'approve' }]],
  [
    ['decision', { decision: 'approve' }],
    ['ship', { tracking: { carrier: 'ups', number: '1Z999AA10123456784' } }],
  ],
  [
    ['decision', { decision: 'approve' }],
    ['ship', {}],
    ['deliver', {}],
  ],
  [['decision', { decision: 'decline', reason: "This medication isn't safe with your history." }]],
  [
    [
      'decision',
      { decision: 'needs_info', target: 'patient', question: 'Have you ever had pancreatitis?' },
    ],
  ],
]

async function seedOne({ api }: Context, at: number, medication: string): Promise<void> {
  const post = async (path: string, body: object, id?: string) =>
    (await api.call({ method: 'POST', path, body, ...(id ? { ids: [id] } : {}) })).body as {
      id: string
    }
  const patient = await post('/v1/patients', person(at))
  const consents: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const body = { kind, version: '2026-09-01' }
    consents.push((await post('/v1/patients/{id}/consents', body, patient.id)).id)
  }
  const filed = await post('/v1/cases', {
    patient: patient.id,
    consent_ids: consents,
    requested_medications: [{ medication_id: medication }],
  })
  for (const [step, body] of pick(fates, at)) {
    await post(`/v1/test/cases/{id}/${step}`, body, filed.id)
  }
}

const patientsMax = 500

export async function seed(context: Context, flags: { patients?: string }): Promise<void> {
  const count = Number(flags.patients ?? 20)
  if (!Number.isInteger(count) || count < 1 || count > patientsMax) {
    throw usage(`--patients must be a whole number from 1 to ${patientsMax}`)
  }
  await requireTest(context)
  const { api, out } = context
  const { body } = await api.call({ method: 'GET', path: '/v1/medications', query: { limit: '1' } })
  const [first] = (body as { data: { medication_id: string }[] }).data
  if (!first) throw usage("this clinic's catalog has no medications")
  for (let at = 0; at < count; at++) {
    await seedOne(context, at, first.medication_id)
    if ((at + 1) % 10 === 0) out.say(`${at + 1} of ${count}`)
  }
  out.say(`Created ${count} synthetic patients, each with a case.`)
}
