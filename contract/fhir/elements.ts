// Parts of FHIR elements that several mappings share.

import { type About, fhirId } from './mapping.ts'
import type { FhirType } from './resource-types.ts'

export const reference = (type: FhirType, id: string | null) =>
  id === null ? null : { reference: `${type}/${fhirId(id)}` }
export const references = (type: FhirType, ids: readonly string[]) =>
  ids.map(id => reference(type, id))

/** The URI that identifies an identifier's issuer. */
export const idSystem = ({ origin }: About, name: string) => `${origin}/ids/${name}`

/** A reference by identifier, for a thing that this API doesn't serve as a resource. */
export const named = (about: About, type: 'organization' | 'integration', id: string | null) =>
  id === null ? null : { identifier: { system: idSystem(about, type), value: id } }

/** A reference to the clinic. */
export const clinic = (about: About) => {
  const found = named(about, 'organization', about.organization)
  return found && { type: 'Organization', ...found }
}

export const practitioner = (display: string | null) =>
  display === null ? null : { type: 'Practitioner', display }

export const coding = (system: string, code: string) => ({ coding: [{ system, code }] })

type Drug = { readonly name: string; readonly strength: string; readonly form: string }

/** Our catalog's own code with its display text; the catalog has no RxNorm codes. */
export const medicationConcept = (about: About, id: string, drug: Drug | undefined) => ({
  ...coding(idSystem(about, 'medication'), id),
  text: drug && `${drug.name} ${drug.strength} ${drug.form}`,
})

export const quantityOf = (about: About, id: string, value: number) => ({
  value,
  unit: about.medication(id)?.unit,
})

export const visitClass = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
  code: 'VR',
  display: 'virtual',
}
