// The FHIR preview's operations: read and search each type, and read everything about a patient.
// The preview's document is the CapabilityStatement (documents.ts).

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import type { CredentialOperation } from '../operation.ts'
import { closed, fhirIdPattern, listOf, oneOf, text, whole } from '../shapes.ts'
import { fhirPath, fhirTable, type FhirType, fhirTypeNames, fhirMime } from './resource-types.ts'

export type FhirOperation = CredentialOperation & {
  readonly method: 'GET'
  /** The FHIR type; null for everything about a patient. */
  readonly type: FhirType | null
}
export type FhirId = `${'readFhir' | 'searchFhir'}${FhirType}` | 'readFhirEverything'

/** Parameters for every type. `_after` appears only in links to next pages. */
const paging = {
  _count: Type.Optional(
    whole(1, limits.pageMax, { default: limits.pageDefault, description: 'Resources per page.' }),
  ),
  _after: Type.Optional(text(1, 100)),
}
const format = { _format: Type.Optional(oneOf(['json', 'application/json', fhirMime])) }

/** The search parameters, by name. */
export const searchParameters = {
  _id: { type: 'token', is: 'The ID of the resource.' },
  patient: { type: 'reference', is: 'The patient, as `pat-…` or `Patient/pat-…`.' },
  identifier: {
    type: 'token',
    is: "The patient's `external_id`, or their ID prefixed with its system.",
  },
  _lastUpdated: {
    type: 'date',
    is: 'A time prefixed with `ge`, `gt`, `le` or `lt`. Requires `patient` or `_id`.',
  },
} as const
export type SearchParameter = keyof typeof searchParameters

export const parametersOf = (type: FhirType): SearchParameter[] => [
  '_id',
  ...(type === 'Patient' ? [] : (['patient'] as const)),
  ...fhirTable[type].search,
]

const common = {
  method: 'GET',
  tag: 'FHIR',
  mode: 'both',
  tool: false,
  status: 200,
} as const

const resource = Type.Object({})

function rowsOf(type: FhirType): [FhirId, FhirOperation][] {
  const { scope, alsoNeeds = [], is } = fhirTable[type]
  const row = { ...common, type, scope, alsoNeeds }
  const filters = parametersOf(type).map(name => {
    const isId = name === '_id' || name === 'patient'
    const form = isId ? { pattern: fhirIdPattern } : {}
    const { is: description } = searchParameters[name]
    return [name, Type.Optional(text(1, 300, { description, ...form }))] as const
  })
  return [
    [
      `readFhir${type}`,
      {
        ...row,
        path: `${fhirPath}/${type}/{id}`,
        summary: `Read a ${type}: ${is}.`,
        query: closed(format),
        returns: resource,
      },
    ],
    [
      `searchFhir${type}`,
      {
        ...row,
        path: `${fhirPath}/${type}`,
        summary: `Search ${type} resources.`,
        query: closed({ ...Object.fromEntries(filters), ...paging, ...format }),
        returns: listOf(resource),
      },
    ],
  ]
}

const everything: FhirOperation = {
  ...common,
  type: null,
  path: `${fhirPath}/Patient/{id}/$everything`,
  scope: 'patients:read',
  alsoNeeds: ['cases:read', 'visits:read'],
  summary: 'Read everything for one patient.',
  query: closed({ ...paging, ...format }),
  returns: listOf(resource),
}

export const fhirOperations = Object.fromEntries([
  ...fhirTypeNames.flatMap(rowsOf),
  ['readFhirEverything', everything],
]) as Readonly<Record<FhirId, FhirOperation>>
export const fhirIds = Object.keys(fhirOperations) as FhirId[]
