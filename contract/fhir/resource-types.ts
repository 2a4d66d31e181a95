// FHIR resource types in the preview, with the scopes needed to read each one.

import type { Scope } from '../scopes.ts'

type TypeRow = {
  readonly scope: Scope
  readonly alsoNeeds?: readonly Scope[]
  /** A one-phrase description for the documents. */
  readonly is: string
  /** Search parameters in addition to `_id` and `patient`. */
  readonly search: readonly ('_lastUpdated' | 'identifier')[]
  /** The US Core profile that every resource of this type satisfies. */
  readonly profile?: string
}

const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition'
const changed = ['_lastUpdated'] as const

export const fhirTypes = {
  Patient: {
    scope: 'patients:read',
    is: 'a patient',
    search: ['identifier'],
    profile: `${usCore}/us-core-patient`,
  },
  Consent: { scope: 'patients:read', is: 'a consent', search: [] },
  QuestionnaireResponse: {
    scope: 'cases:read',
    is: "a case's intake answers",
    search: changed,
  },
  ServiceRequest: { scope: 'cases:read', is: 'what a case requests', search: changed },
  Encounter: {
    scope: 'cases:read',
    alsoNeeds: ['visits:read'],
    is: 'a case, or a visit that has begun',
    search: changed,
  },
  Appointment: { scope: 'visits:read', is: 'a visit', search: changed },
  MedicationRequest: {
    scope: 'cases:read',
    is: 'a prescription',
    search: changed,
    profile: `${usCore}/us-core-medicationrequest`,
  },
  MedicationDispense: { scope: 'cases:read', is: 'an order', search: changed },
  DocumentReference: { scope: 'patients:read', is: 'an attached file', search: [] },
  Communication: { scope: 'cases:read', is: "a message on a case's thread", search: changed },
  Provenance: {
    scope: 'cases:read',
    is: 'who filed a case, or who prescribed',
    search: changed,
  },
} as const satisfies Readonly<Record<string, TypeRow>>

export type FhirType = keyof typeof fhirTypes
/** The same rows under one type. */
export const fhirTable: Readonly<Record<FhirType, TypeRow>> = fhirTypes
export const fhirTypeNames = Object.keys(fhirTypes) as FhirType[]

/** The base path, under the API's origin. */
export const fhirPath = '/preview/fhir'
export const fhirVersion = '4.0.1'
export const fhirMime = 'application/fhir+json'

/** The scopes that a resource of this type needs. */
export const scopesOfType = (type: FhirType): readonly Scope[] => {
  const { scope, alsoNeeds = [] } = fhirTable[type]
  return [scope, ...alsoNeeds]
}

export const isFhirType = (text: string): text is FhirType => Object.hasOwn(fhirTypes, text)
