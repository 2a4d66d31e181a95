// May this credential do this, for which organization: the gates of contract/01, section 2, in
// their order. The caller learns of each only after passing the ones before it.

import type { Operation } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import {
  actingFor,
  type Credential,
  type GrantedOrganization,
  type Principal,
} from '#auth/principal.ts'
import { gateAgreement, gateMode } from '../modes.ts'

/** The one organization that the call is for (contract/11, section 4). */
function choose(credential: Credential, asked: string | null): GrantedOrganization {
  const { organizations } = credential
  if (asked !== null) {
    const granted = organizations.find(one => one.id === asked)
    if (granted) return granted
    throw new Problem('organization_not_granted', {
      detail: 'The organization in Service-Organization has not granted this integration access.',
    })
  }
  const [only, ...others] = organizations
  if (!only) {
    throw new Problem('organization_not_granted', {
      detail: 'No organization has granted this integration access.',
    })
  }
  if (others.length > 0) {
    throw new Problem('organization_required', {
      detail: `${organizations.length} organizations have granted this integration access.`,
      members: { organizations: organizations.map(({ id, name }) => ({ id, name })) },
    })
  }
  return only
}

export const challenge = (base: string, words = '') =>
  `Bearer realm="clinical"${words || `, resource_metadata="${base}/.well-known/oauth-protected-resource"`}`

/** The caller, acting for one organization, with the scope that the operation needs. */
export function authorize(
  operation: Operation,
  credential: Credential,
  organization: string | null,
): Principal {
  gateMode(operation, credential.mode)
  const granted = choose(credential, organization)
  gateAgreement(credential)
  const principal = actingFor(credential, granted)
  if (!principal.scopes.includes(operation.scope)) {
    throw new Problem('insufficient_scope', {
      detail: `This operation requires the scope ${operation.scope}.`,
      members: { required_scope: operation.scope, granted_scopes: principal.scopes },
      headers: {
        'www-authenticate': challenge(
          '',
          `, error="insufficient_scope", scope="${operation.scope}"`,
        ),
      },
    })
  }
  return principal
}
