// The FHIR preview's bulk export, using HL7's Bulk Data Access (STU 2): every resource of one
// integration and clinic as NDJSON files. A GET can also start an export (clinical/fhir/bulk/).

import { Type } from 'typebox'
import type { CredentialOperation } from '../operation.ts'
import type { Scope } from '../scopes.ts'
import { closed, idOf, moment, oneOf, text } from '../shapes.ts'
import { fhirPath, fhirTypeNames, scopesOfType } from './resource-types.ts'

export const ndjsonMime = 'application/fhir+ndjson'
export const bulkPath = `${fhirPath}/exports`

export const bulkLimits = {
  /** Files and manifest are available for this long after the kick-off. */
  hours: 24,
  /** The maximum number of resources in a file, and of resources an export writes per second. */
  rowsPerFile: 10_000,
  patientsMax: 100,
} as const

/** A kick-off's parameters, which a POST sends as a Parameters resource. */
const parameters = {
  _outputFormat: Type.Optional(oneOf([ndjsonMime, 'application/ndjson', 'ndjson'])),
  _since: Type.Optional(moment({ description: 'Only what changed after this time.' })),
  _type: Type.Optional(text(1, 500, { description: 'Types, separated by commas.' })),
}
const patient = Type.Optional(Type.Array(text(1, 100), { maxItems: bulkLimits.patientsMax }))

const allScopes: readonly Scope[] = [...new Set(fhirTypeNames.flatMap(scopesOfType))]

const common = {
  tag: 'FHIR',
  mode: 'both',
  tool: false,
  scope: 'patients:read',
  // An export contains the types that the caller's scopes cover.
  orScopes: allScopes,
} as const

const kickOff = {
  ...common,
  method: 'POST',
  quota: 'exports',
  status: 202,
  query: closed(parameters),
  returns: Type.Object({ id: idOf('bulk_export') }),
} as const

export const bulkOperations = {
  exportFhir: {
    ...kickOff,
    path: `${fhirPath}/$export`,
    summary: 'Start an export of every resource.',
    body: closed({ parameters: Type.Optional(closed(parameters)) }),
  },
  exportFhirPatients: {
    ...kickOff,
    path: `${fhirPath}/Patient/$export`,
    summary: "Start an export of every patient's resources.",
    body: closed({ parameters: Type.Optional(closed({ ...parameters, patient })) }),
  },
  readFhirExport: {
    ...common,
    method: 'GET',
    path: `${bulkPath}/{id}`,
    summary: "Read an export's status or manifest.",
    status: 200,
    returns: Type.Object({}),
  },
  deleteFhirExport: {
    ...common,
    method: 'DELETE',
    path: `${bulkPath}/{id}`,
    summary: 'Cancel an export, or delete its files.',
    status: 202,
    returns: kickOff.returns,
  },
  downloadFhirFile: {
    ...common,
    method: 'GET',
    path: `${bulkPath}/files/{id}`,
    summary: "Download one of an export's files.",
    status: 200,
    returns: Type.Object({}),
    refuses: ['insufficient_scope'],
  },
} as const satisfies Readonly<Record<string, CredentialOperation>>

export type BulkId = keyof typeof bulkOperations
export const bulkIds = Object.keys(bulkOperations) as BulkId[]
