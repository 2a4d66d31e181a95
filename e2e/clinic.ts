// Cases that an integration files at the test platform's synthetic clinic, with its live key.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { patientNamed } from './walks/patient.ts'
import { dataDir } from './servers.ts'

type Access = {
  url: string
  console_url: string
  live_key: string
  live_organization: string
}

const access = (): Access => JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8'))

/** A console page's address at the clinic. */
export function consolePage(place: string): string {
  const { console_url, live_organization } = access()
  return `${console_url}/${live_organization}${place}`
}

/** The ID of the clinic to which an integration requests access. */
export const clinicId = () => access().live_organization

export type Answer<T> = { readonly status: number; readonly body: T }

/** Calls the API with the live key, or with another key. */
export async function call<T = Record<string, unknown>>(
  method: string,
  place: string,
  body?: object,
  key?: string,
): Promise<Answer<T>> {
  const { url, live_key } = access()
  const answer = await fetch(url + place, {
    method,
    headers: {
      authorization: `Bearer ${key ?? live_key}`,
      ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as T }
}

async function made(place: string, body: object): Promise<string> {
  const { status, body: answer } = await call<{ id: string }>('POST', place, body)
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.id
}

/** Files a case, which waits for the clinic, for a new synthetic patient; returns the case's ID. */
export async function fileCase(last_name: string, state = 'CA'): Promise<string> {
  const patient = await made('/v1/patients', patientNamed(last_name, state))
  const consent = (kind: string) =>
    made(`/v1/patients/${patient}/consents`, { kind, version: '2026-09-01' })
  const { body: catalog } = await call<{ data: { medication_id: string }[] }>(
    'GET',
    '/v1/medications?limit=1',
  )
  return made('/v1/cases', {
    patient,
    consent_ids: [await consent('telehealth'), await consent('privacy')],
    requested_medications: [{ medication_id: catalog.data[0]?.medication_id }],
  })
}
