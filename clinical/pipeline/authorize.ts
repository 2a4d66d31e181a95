// The clinical API's gate checks mode, organization, agreement and scope, in this order. A refusal
// discloses only the check that failed: the caller has passed the earlier checks.

import type { CredentialOperation } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { Scope } from '#contract/scopes.ts'
import {
  actingFor,
  type CachedCredential,
  type Credential,
  type GrantedOrganization,
  type Principal,
} from '#auth/principal.ts'
import { gateAgreement, gateMode } from '../modes.ts'
import type { Challenge } from './surface.ts'

/** Returns the one organization the call is for: the requested organization, or the only one that
 *  granted access. */
function chooseOrganization(credential: Credential, requested: string | null): GrantedOrganization {
  const { organizations } = credential
  if (requested !== null) {
    const granted = organizations.find(one => one.id === requested)
    if (granted) return granted
    throw new Problem('organization_not_granted', {
      detail: 'The organization in Service-Organization has not granted this integration access.',
    })
  }
  const [only, ...others] = organizations
  if (!only) throw noneGranted()
  if (others.length > 0) {
    throw new Problem('organization_required', {
      detail: `${organizations.length} organizations have granted this integration access.`,
      members: { organizations: organizations.map(({ id, name }) => ({ id, name })) },
    })
  }
  return only
}

const noneGranted = () =>
  new Problem('organization_not_granted', {
    detail: 'No organization has granted this integration access.',
  })

/** The scopes that the challenge lists when one is missing. */
export type ChallengedScopes = (missing: Scope, credential: Credential) => readonly Scope[]

/** Returns the caller, acting for one organization, with the scope the operation needs. */
export function authorize(
  operation: CredentialOperation,
  credential: Credential,
  organization: string | null,
  challenge: Challenge<CredentialOperation>,
  challengedScopes: ChallengedScopes = missing => [missing],
): Principal {
  gateMode(operation, credential.mode)
  const granted = chooseOrganization(credential, organization)
  gateAgreement(credential)
  const principal = actingFor(credential, granted)
  gateScope(operation, principal.scopes, missing => {
    const scopes = challengedScopes(missing, credential).join(' ')
    return challenge(`, error="insufficient_scope", scope="${scopes}"`, operation)
  })
  return principal
}

/** Returns a member acting for the integration itself, with the scope the operation needs. No
 *  clinic's grant limits them. */
export function authorizeForIntegration(
  operation: CredentialOperation,
  { credential, tenant }: CachedCredential,
  challenge: Challenge<CredentialOperation>,
) {
  gateMode(operation, credential.mode)
  // The integration's own tenant is created with its first grant.
  if (tenant === '') throw noneGranted()
  gateAgreement(credential)
  const { id, integration, mode, client, person, scopes } = credential
  gateScope(operation, scopes, missing =>
    challenge(`, error="insufficient_scope", scope="${missing}"`, operation),
  )
  return { credential: id, integration, mode, client, person, tenant, organization: null }
}

/** `challengeFor` returns the challenge for a missing scope. */
function gateScope(
  { scope, orScopes = [], alsoNeeds = [] }: CredentialOperation,
  scopes: readonly string[],
  challengeFor: (missing: Scope) => string,
): void {
  const own = orScopes.find(one => scopes.includes(one)) ?? scope
  const missing = [own, ...alsoNeeds].find(needed => !scopes.includes(needed))
  if (missing === undefined) return
  throw new Problem('insufficient_scope', {
    detail: `This operation requires the scope ${missing}.`,
    members: { required_scope: missing, granted_scopes: scopes },
    headers: { 'www-authenticate': challengeFor(missing) },
  })
}
