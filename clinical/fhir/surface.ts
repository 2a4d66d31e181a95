// The FHIR preview as a surface: reads of the same rows as /v1, for the same callers. The audit
// records its calls as `rest`, like calls to /v1, and the operation tells them apart. Decided in
// docs/decisions/0172-serve-fhir-as-a-mapping-of-v1.md.

import { type BulkId, bulkOperations } from '#contract/fhir/bulk.ts'
import { type FhirId, fhirOperations } from '#contract/fhir/operations.ts'
import { bearerTokens } from '../pipeline/authentication.ts'
import { authorize } from '../pipeline/authorize.ts'
import { defineSurface, type Surface } from '../pipeline/surface.ts'
import { challengeOf } from '../rest/surface.ts'
import { bulkHandlers } from './bulk/handlers.ts'
import { fhirHandlers } from './handlers.ts'

export type FhirCallId = FhirId | BulkId

/** `base` is the public origin. */
export function fhirSurface(base: string): Surface<FhirCallId> {
  const challenge = challengeOf(base)
  return defineSurface({
    name: 'rest',
    authentication: bearerTokens('api'),
    challenge,
    operations: { ...fhirOperations, ...bulkOperations },
    handlers: { ...fhirHandlers, ...bulkHandlers },
    gate: (operation, { credential }, organization) =>
      authorize(operation, credential, organization, challenge),
  })
}
