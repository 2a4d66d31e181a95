// The clinical API as a surface: all operations of the table, for callers that act for one
// organization.

import { type OperationId, operations } from '#contract/api.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import type { Operation } from '#contract/operation.ts'
import { handlers } from '../handlers.ts'
import { bearerTokens } from '../pipeline/authentication.ts'
import { authorize } from '../pipeline/authorize.ts'
import { type Challenge, defineSurface, type Surface } from '../pipeline/surface.ts'

/** Every challenge names what leads to a credential (RFC 9728, section 5.1), and the one for a call
 *  without a credential the scope to ask for. */
const challengeOf =
  (base: string): Challenge<Operation> =>
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
