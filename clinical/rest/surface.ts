// The clinical API and its preview as surfaces: all operations in a table, for callers that act for
// one organization. The audit records both as `rest`; the operation tells them apart.

import { type OperationId, operations } from '#contract/api.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import type { CredentialOperation } from '#contract/operation.ts'
import { type PreviewId, previewOperations } from '#contract/preview/operations.ts'
import { handlers } from '../handlers.ts'
import { previewHandlers } from '../preview-handlers.ts'
import { bearerTokens } from '../pipeline/authentication.ts'
import { authorize } from '../pipeline/authorize.ts'
import { type Challenge, defineSurface, type Surface } from '../pipeline/surface.ts'

/** Every challenge links to where to get a credential (RFC 9728, section 5.1). The challenge to a
 *  call without a credential also names the scope to request. */
export const challengeOf =
  (base: string): Challenge<CredentialOperation> =>
  (parameters, { scope }) =>
    `Bearer realm="clinical"${parameters || `, scope="${scope}"`}, resource_metadata="${base}${resourceMetadataPath}"`

/** `base` is the public origin. */
export function restSurface(base: string): Surface<OperationId> {
  const challenge = challengeOf(base)
  return defineSurface({
    name: 'rest',
    authentication: bearerTokens('api'),
    challenge,
    operations,
    handlers,
    gate: (operation, { credential }, organization) =>
      authorize(operation, credential, organization, challenge),
  })
}

/** The preview, which may change with 30 days' notice. It has the same callers, under /preview. */
export function previewSurface(base: string): Surface<PreviewId> {
  const challenge = challengeOf(base)
  return defineSurface({
    name: 'rest',
    authentication: bearerTokens('api'),
    challenge,
    operations: previewOperations,
    handlers: previewHandlers,
    gate: (operation, { credential }, organization) =>
      authorize(operation, credential, organization, challenge),
  })
}
