// Claims about missing features. Each title lists the pages to change along with the code.
import { expect, test } from 'bun:test'
import { catalog } from '#clinical/medications/medication.ts'
import { serverMetadata } from '#auth/oauth/endpoints.ts'
import { operationIds, table } from '#contract/api.ts'
import { consoleOperations } from '#contract/console/operations.ts'
import { eventTypes } from '#contract/events.ts'
import { codeOf, read } from './testing/pages.ts'

const contract = JSON.parse(await read('contract/generated/openapi.v1.json')) as {
  components: { schemas: Readonly<Record<string, { properties?: Record<string, unknown> }>> }
}
const fieldsOf = (schema: string) =>
  Object.keys(contract.components.schemas[schema]?.properties ?? {})
const allFields = Object.keys(contract.components.schemas).flatMap(fieldsOf)

/** Readable paths that end with a collection of this name. */
const listing = (collection: string) =>
  operationIds
    .filter(id => table[id].method === 'GET' && table[id].path.endsWith(`/${collection}`))
    .map(id => table[id].path)
const named = (pattern: RegExp) => operationIds.filter(id => pattern.test(id))

test('docs/visits, docs/exports: no operation lists visits', () => {
  expect(listing('messages')).toHaveLength(1)
  expect(listing('visits')).toEqual([])
})

test('adverse-events-and-emergencies: no operation finds prescriptions by medication', () => {
  expect(listing('prescriptions')).toEqual(['/v1/cases/{id}/prescriptions'])
  const { properties = {} } = table.listPrescriptions.query ?? {}
  expect(Object.keys(properties)).toEqual(['limit', 'starting_after'])
})

test('who-may-treat-where, one-clinic-vs-network: clinics have no states and no routing', () => {
  expect(fieldsOf('Organization')).toContain('scopes')
  expect(allFields).toContain('state')
  expect(allFields.filter(name => /^states|licen[sc]e/.test(name))).toEqual([])
  expect(fieldsOf('CreateCase')).not.toContain('organization')
  expect(named(/route|transfer|assign/i)).toEqual([])
})

test('docs/video-room: no clinic setting is about the date of birth', async () => {
  const settings =
    (await read('auth/clinics/settings.ts')) + (await read('contract/console/operations.ts'))
  expect(settings).toContain('time_zone')
  expect(settings).not.toMatch(/date_of_birth|birth/)
})

test('docs/live, docs/video-room, live-video-when: nothing records a visit', async () => {
  const code = await codeOf('{clinical,console,gateway,site}/**/*.{ts,tsx,js}')
  expect(code).toContain('getUserMedia')
  expect(code).not.toMatch(/MediaRecorder|enable_recording|startRecording|transcription/)
})

test('docs/cases, home: no catalog entry is a controlled substance', () => {
  expect(catalog.length).toBeGreaterThan(0)
  expect(catalog.filter(({ controlled }) => controlled)).toEqual([])
})

test('verifying-identity-age-location, month-two, rest-vs-fhir, who-may-fill-this', () => {
  const patient = JSON.stringify(table.createPatient)
  expect(patient).toContain('date_of_birth')
  expect(patient).not.toMatch(/guardian|verified|minimum_age/i)
  expect(named(/refill|subscription|fhir|pharmac|transmi/i)).toEqual([])
})

test('docs/files, photos-and-files: only the records role removes a document, with no event', () => {
  const { requestRemoval, confirmRemoval } = consoleOperations
  for (const { roles } of [requestRemoval, confirmRemoval]) expect(roles).toEqual(['records'])
  expect(table.deleteFile.refuses).toContain('live_not_available')
  expect(eventTypes.filter(type => type.startsWith('file.'))).toEqual(['file.attached.v1'])
})

test('docs/billing: only a completed visit creates a charge', () => {
  const raising = operationIds.filter(id => table[id].emits?.includes('charge.created.v1'))
  // triggerWebhook creates an event about a charge that never existed.
  expect(raising).toEqual(['completeVisit', 'triggerWebhook'])
})

test('docs/patients-and-consents: no operation changes or withdraws a consent', () => {
  const ids = operationIds.filter(id => /consents/.test(table[id].path))
  expect(ids).toEqual(['recordConsent', 'listConsents'])
})

test('docs/exports: one operation returns 410 for an expired resource', () => {
  const going = operationIds.filter(id => table[id].refuses?.some(code => code === 'gone'))
  expect(going).toEqual(['downloadExport'])
})

test('docs/pharmacies: in live mode, operations on orders only read', () => {
  const paths = operationIds.filter(
    id => table[id].mode !== 'test' && /\/(?:orders|prescriptions)/.test(table[id].path),
  )
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter(id => table[id].method !== 'GET')).toEqual([])
})

test('docs/prescriptions-and-orders: nothing sets the status expired', async () => {
  const code = await codeOf('clinical/**/*.ts')
  expect(code).toContain('update prescriptions')
  expect(code).not.toMatch(/prescriptions[^;]{0,200}'expired'/)
})

test('docs/oauth: the server has no OpenID Connect', () => {
  expect(serverMetadata('https://auth.example.com', '')).not.toMatch(/openid|jwks|userinfo/)
})
