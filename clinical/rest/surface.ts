// The clinical API as a surface: all operations of the table, for callers that act for one
// organization.

import { type OperationId, operations } from '#contract/api.ts'
import { handlers } from '../handlers.ts'
import { bearerTokens } from '../pipeline/authentication.ts'
import { authorize } from '../pipeline/authorize.ts'
import { type Challenge, defineSurface, type Surface } from '../pipeline/surface.ts'

const challengeOf =
  (base: string): Challenge =>
  parameters =>
    `Bearer realm="clinical"${parameters || `, resource_metadata="${base}/.well-known/oauth-protected-resource"`}`

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
