// The FHIR preview, checked independently: HL7's definitions validate every resource in a complete
// record, and two third-party clients read it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { MedplumClient } from '@medplum/core'
import { Client } from 'fhir-kit-client'
import { type FhirType, fhirTable, fhirTypeNames } from '#contract/fhir/resource-types.ts'
import { errorsOf, nameOf, openFhir, type Resource, usCore } from '../testing/fhir.ts'

let fhir: Awaited<ReturnType<typeof openFhir>>
beforeAll(async () => {
  fhir = await openFhir()
}, 60_000)
afterEach(() => expect(fhir.gateway.fixtures.errors).toEqual([]))
afterAll(() => fhir.gateway.close())

describe('fhir: resources', () => {
  test('every type’s resources conform to R4’s definitions and to the US Core profiles they claim', () => {
    const { all } = fhir
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

  test('the validator rejects invalid resources', () => {
    const { record, one } = fhir
    const { gender: _, ...without } = one('Patient', record.patient)
    expect(errorsOf(without as Resource, usCore.get(fhirTable.Patient.profile ?? ''))).not.toEqual(
      [],
    )
    const wrong = { ...one('Encounter', record.case), status: 7 }
    expect(errorsOf(wrong)).not.toEqual([])
  })

  test('every reference leads to a resource in the record', async () => {
    const { all } = fhir
    const names = new Set(all.map(nameOf))
    const named = [...JSON.stringify(all).matchAll(/"reference":"([^"]+)"/g)].map(([, to]) => to)
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(to => !names.has(to ?? ''))).toEqual([])
  })

  test('contain no null, no empty text, list or object, and our IDs only as identifiers', () => {
    const { all } = fhir
    const text = JSON.stringify(all)
    expect(text).not.toMatch(/:(null|""|\[\]|\{\})[,}]/)
    for (const { id } of all) expect(id).toMatch(/^[a-z]+-[0-9a-z]{26}$/)
  })
})

describe('fhir: the mapping', () => {
  test('a patient: sex at birth is an extension, and gender is not guessed', () => {
    const { record, one } = fhir
    expect(one('Patient', record.patient)).toMatchObject({
      identifier: [{ value: record.patient }, { value: `chart-${record.patient}` }],
      name: [{ family: 'Rivera', given: ['Ada', 'Maria'] }],
      gender: 'unknown',
      extension: [{ valueCode: 'OTH' }],
    })
  })

  test('answers by type: as text if they don’t match it, and absent if empty', () => {
    const { record, one } = fhir
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

  test('a prescription and its order: our code and the text, and no other code', () => {
    const { all, ofType } = fhir
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

  test('a visit is always an appointment, and an encounter once it starts', () => {
    const { record, ofType, one } = fhir
    expect(one('Encounter', record.visit)).toMatchObject({ status: 'finished' })
    expect(ofType('Encounter')).toHaveLength(6)
    const statuses = ofType('Appointment').map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['booked', 'fulfilled', 'noshow'])
  })
})

describe('fhir: documents', () => {
  test('the statement is valid, and lists each type with its searches', async () => {
    const { patient, read } = fhir
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

describe('fhir: third-party clients, unmodified', () => {
  test('@medplum/core reads a patient, searches and follows pages', async () => {
    const { gateway, patient } = fhir
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
    const { gateway, patient } = fhir
    const baseUrl = `http://localhost:${gateway.port}/preview/fhir`
    const client = new Client({ baseUrl, bearerToken: gateway.fixtures.ada.test })
    expect(await client.capabilityStatement()).toMatchObject({ fhirVersion: '4.0.1' })
    expect(await client.read({ resourceType: 'Patient', id: patient })).toMatchObject({
      birthDate: '1988-03-14',
    })
    const searchParams = { patient, _count: 4 }
    const first = await client.search({ resourceType: 'Encounter', searchParams })
    expect(first).toMatchObject({ resourceType: 'Bundle', type: 'searchset' })
    expect(first).toHaveProperty('entry.length', 4)
  })
})
