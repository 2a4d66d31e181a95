// The FHIR preview over HTTP: its reads and searches, its refusals, and its access control.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { withScopes } from '#clinical/testing/with-scopes.ts'
import { fhirId } from '#contract/fhir/mapping.ts'
import { type FhirId, fhirIds, fhirOperations } from '#contract/fhir/operations.ts'
import { fhirTypeNames } from '#contract/fhir/resource-types.ts'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { errorsOf, nameOf, openFhir, type Resource } from '../testing/fhir.ts'
import { wholeRecord } from '../testing/fhir-record.ts'

let fhir: Awaited<ReturnType<typeof openFhir>>
beforeAll(async () => {
  fhir = await openFhir()
}, 60_000)
afterEach(() => expect(fhir.gateway.fixtures.errors).toEqual([]))
afterAll(() => fhir.gateway.close())

describe('fhir: reads and searches', () => {
  test('each resource in the record can be read by ID, and found by ID and by patient', async () => {
    const { patient, ofType, read, everyPage } = fhir
    for (const type of fhirTypeNames) {
      const expected = ofType(type)
      const query = type === 'Patient' ? `_id=${patient}` : `patient=Patient/${patient}`
      const found = await everyPage(`/${type}?${query}&_count=2&_format=json`)
      expect(found).toEqual(expected)
      const [first] = expected
      expect((await read(`/${type}/${first?.id}`)).body).toEqual(first as Resource)
      expect(await everyPage(`/${type}?_id=${first?.id}`)).toEqual([first as Resource])
    }
  })

  test('a patient is found by external ID', async () => {
    const { record, patient, everyPage } = fhir
    for (const value of [
      `chart-${record.patient}`,
      `https://x.example/ids/patient|${record.patient}`,
    ]) {
      const found = await everyPage(`/Patient?identifier=${encodeURIComponent(value)}`)
      expect(found.map(nameOf)).toEqual([`Patient/${patient}`])
    }
    expect(await everyPage('/Patient?identifier=nobody')).toEqual([])
  })

  test('_lastUpdated compares, but only along with a patient or an ID', async () => {
    const { record, patient, one, read, everyPage } = fhir
    const { lastUpdated } = one('Encounter', record.case).meta as { lastUpdated: string }
    const found = async (comparison: string) =>
      (await everyPage(`/Encounter?_id=${fhirId(record.case)}&_lastUpdated=${comparison}`)).length
    expect([
      await found(`ge${lastUpdated}`),
      await found(`gt${lastUpdated}`),
      await found(`le${lastUpdated}`),
      await found(`lt${lastUpdated}`),
    ]).toEqual([1, 0, 1, 0])
    for (const query of [`_lastUpdated=ge${lastUpdated}`, `patient=${patient}&_lastUpdated=2026`]) {
      const { status, body } = await read(`/Encounter?${query}`)
      expect([status, body['issue'][0].expression]).toEqual([400, ['http._lastUpdated']])
    }
  })

  test('an ID of ours in a search is refused, because it would find nothing', async () => {
    const { record, read } = fhir
    const searches = fhirTypeNames.flatMap(type => [
      [`/${type}?_id=${record.case}`, '_id'],
      ...(type === 'Patient' ? [] : [[`/${type}?patient=Patient/${record.patient}`, 'patient']]),
    ])
    for (const [path = '', name = ''] of searches) {
      const { status, body } = await read(path)
      const { expression, details } = body['issue'][0]
      expect([path, status, expression]).toEqual([path, 400, [`http.${name}`]])
      expect(details.text).toBe(`${name} must be a FHIR ID: the /v1 ID with - instead of _.`)
    }
  })

  test('a _count above the maximum gets a full page, and zero is refused', async () => {
    const { read } = fhir
    expect((await read('/Communication?_count=5000')).status).toBe(200)
    expect((await read('/Communication?_count=0')).status).toBe(400)
  })
})

describe('fhir: refusals are valid OperationOutcomes', () => {
  test.each([
    ['no credential', 401, 'login', '/Patient', { as: null }],
    ['no such patient', 404, 'not-found', '/Patient/pat-01m7wqrwr07q7txy3ntfjc6jem', {}],
    ['an id of ours', 404, 'not-found', '/Patient/pat_01m7wqrwr07q7txy3ntfjc6jem', {}],
    ['no such type', 404, 'not-found', '/Observation', {}],
    ['an unknown parameter', 400, 'value', '/Patient?name=Rivera', {}],
    ['a write', 405, 'not-supported', '/Patient', { method: 'POST' }],
  ] as const)('%s', async (_name, status, code, path, init) => {
    const { read } = fhir
    const found = await read(path, init)
    expect([found.status, found.body['issue'][0].code]).toEqual([status, code])
    expect(errorsOf(found.body)).toEqual([])
  })
})

const pathOf = (id: FhirId) => {
  const { type, path } = fhirOperations[id]
  const [some] = type === null ? [{ id: fhir.patient }] : fhir.ofType(type)
  return path.replace('{id}', some?.id ?? '').replace('/preview/fhir', '')
}

describe('fhir: who may read', () => {
  test('each operation requires exactly its scopes', async () => {
    const { gateway, read } = fhir
    const { fixtures } = gateway
    const statusWith = (scopes: readonly string[], id: FhirId) =>
      withScopes(fixtures, fixtures.ada.integration, scopes, async () => {
        const { status, body } = await read(pathOf(id))
        return [id, status, status === 403 ? body['issue'][0].details.coding[0].code : null]
      })
    for (const id of fhirIds) {
      const { scope, alsoNeeds = [] } = fhirOperations[id]
      const needed = [scope, ...alsoNeeds]
      expect(await statusWith(needed, id)).toEqual([id, 200, null])
      for (const without of needed) {
        const rest = allScopes.filter(each => each !== without)
        expect(await statusWith(rest, id)).toEqual([id, 403, 'insufficient_scope'])
      }
    }
  }, 30_000)

  test('another integration and the other mode see none of the record', async () => {
    const { gateway, patient, read, everyPage } = fhir
    const { ada, ben } = gateway.fixtures
    for (const as of [ben.test, ben.live, ada.live]) {
      for (const id of fhirIds) {
        const path = pathOf(id)
        const { status, body } = await read(path, { as })
        const isRead = path.includes(`/${fhirOperations[id].type}/`) || path.includes('$everything')
        expect([id, status]).toEqual([id, isRead ? 404 : 200])
        if (!isRead) expect(JSON.stringify(body)).not.toContain(patient)
      }
      const query = `patient=${patient}`
      expect(await everyPage(`/Consent?${query}`, as)).toEqual([])
    }
  })

  test('the audit names the patients that a call shows, and the request log has the call', async () => {
    const { gateway, record, patient, read } = fhir
    const { fixtures } = gateway
    const { answer } = await read(`/Encounter?patient=${patient}`)
    const request = answer.headers.get('request-id') ?? ''
    await read(`/Patient/${patient}`)
    const rows = await queryAsOwner(
      fixtures,
      sql`select surface, action, target, patients from audit.entries order by seq desc limit 2`,
    )
    expect(rows).toEqual([
      { surface: 'rest', action: 'readFhirPatient', target: record.patient, patients: null },
      { surface: 'rest', action: 'searchFhirEncounter', target: null, patients: [record.patient] },
    ])
    await projectAll(fixtures)
    const logged = await gateway.call(`/preview/requests/${request}`)
    expect(await logged.json()).toMatchObject({
      operation: 'searchFhirEncounter',
      path: '/preview/fhir/Encounter',
    })
    const listed = await gateway.call('/preview/requests?operation=readFhirPatient')
    expect(listed.status).toBe(200)
  })

  test('a deleted patient is gone, along with all identifying data', async () => {
    const { gateway, read, everyPage } = fhir
    const { fixtures } = gateway
    const { ben } = fixtures
    const own = await wholeRecord(fixtures, ben.test)
    const id = fhirId(own.patient)
    const init = { method: 'DELETE', headers: { 'idempotency-key': id }, as: ben.test }
    expect((await gateway.call(`/v1/patients/${own.patient}`, init)).status).toBe(200)
    for (const path of [`/Patient/${id}`, `/Patient/${id}/$everything`])
      expect((await read(path, { as: ben.test })).status).toBe(404)
    for (const type of ['Consent', 'DocumentReference'])
      expect(await everyPage(`/${type}?patient=${id}`, ben.test)).toEqual([])
    expect((await everyPage(`/Encounter?patient=${id}`, ben.test)).length).toBeGreaterThan(0)
  })
})
