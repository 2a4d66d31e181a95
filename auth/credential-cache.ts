// Caches credentials that were looked up, so that the next call only has to revalidate them. A
// cached credential is not trusted: guard.ts revalidates it with every call.

import type { Mode } from '#contract/operation.ts'
import { LRUCache } from 'lru-cache'

export type GrantedOrganization = {
  id: string
  name: string
  slug: string
  kind: string
  status: string
  scopes: readonly string[]
  tenant: string
}

export type Credential = {
  id: string
  integration: string
  mode: Mode
  scopes: readonly string[]
  /** Whether a business associate agreement is in force. Test mode needs none. */
  agreed: boolean
  organizations: readonly GrantedOrganization[]
}

/** The result of a look-up, and the tenant that it set. */
export type CachedCredential = {
  readonly hash: Uint8Array
  readonly credential: Credential
  readonly tenant: string
  /** A number that every change of the integration's permissions increments. */
  readonly revision: string
}

export type CredentialCache = LRUCache<string, CachedCredential>

/** One or two kilobytes each. */
const cacheMax = 10_000

export const createCredentialCache = (max = cacheMax): CredentialCache => new LRUCache({ max })
