// Every operation that a key or an access token can call, in /v1 and in the preview.

import { operations } from './api.ts'
import { type BulkId, bulkOperations } from './fhir/bulk.ts'
import { type FhirId, fhirOperations } from './fhir/operations.ts'
import type { CredentialOperation } from './operation.ts'
import { previewOperations } from './preview/operations.ts'

export const callableOperations = { ...operations, ...previewOperations }

export type CallableId = keyof typeof callableOperations

/** The same rows under one type, without their literal types. */
export const callable: Readonly<Record<CallableId, CredentialOperation>> = callableOperations
export const callableIds = Object.keys(callableOperations) as CallableId[]

/** Operations in the request log and the audit. They include the FHIR preview's, which has FHIR's
 *  own document and clients. */
export type LoggedId = CallableId | FhirId | BulkId
export const logged: Readonly<Record<LoggedId, CredentialOperation>> = {
  ...callable,
  ...fhirOperations,
  ...bulkOperations,
}
export const loggedIds = Object.keys(logged) as LoggedId[]
