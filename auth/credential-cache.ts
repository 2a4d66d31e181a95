// Caches credentials after a lookup, so the next call only has to revalidate them. A cached
// credential isn't trusted: guard.ts revalidates it with every call. Decided in
// docs/decisions/0004-revalidate-cached-credentials-in-the-first-query.md.

import type { Mode } from '#contract/operation.ts'
import type { Audience } from '#contract/scopes.ts'
import { LRUCache } from 'lru-cache'

export type GrantedOrganization = {
  id: string
  name: string
  slug: string
  kind: string
  status: string
  /** The medications a clinic dispenses; null means the whole catalog. */
  formulary: readonly string[] | null
  scopes: readonly string[]
  tenant: string
}

/** The kind of credential a call uses: an API key; a confidential client's, agent's or device's
 *  token; or a person's session. */
export type CredentialKind = 'key' | 'client' | 'agent' | 'device' | 'session'

export type Credential = {
  id: string
  kind: CredentialKind
  integration: string
  mode: Mode
  /** For a token that acts for a person: the scopes the member's role allows. */
  scopes: readonly string[]
  /** The OAuth client of a token; null for a key. */
  client: string | null
  /** The person that a session belongs to, or that an agent's or device's token acts for. */
  person: string | null
  /** The token's family, which outlives each token. */
  family: string | null
  /** The surfaces that accept the credential; null means all. */
  audience: readonly Audience[] | null
  /** Whether a business associate agreement is in effect. Test mode needs none. */
  agreed: boolean
  organizations: readonly GrantedOrganization[]
}

/** The token fields for an API key, and for work without a credential. */
export const noToken = {
  kind: 'key',
  client: null,
  person: null,
  family: null,
  audience: null,
  ownScopes: [],
} as const

/** The facts about an authenticated caller that the pipeline needs. */
export type FoundCaller = {
  readonly credential: Pick<Credential, 'id' | 'kind' | 'mode' | 'client' | 'person'> & {
    /** Null if the call acts for no tenant, such as a call that reads a clinic's queue. */
    readonly integration: string | null
  }
  readonly tenant: string
  readonly ahead: number
  /** A staff member's clinic; their calls act for no other clinic. */
  readonly organization?: string
}

/** A found credential, and the tenant that the lookup set. */
export type CachedCredential = {
  readonly credential: Credential
  readonly tenant: string
  /** A number incremented by every change to the integration's permissions. */
  readonly revision: string
  /** How far the tenant's clock is ahead of real time, in milliseconds. 0 in live mode. */
  readonly ahead: number
}

export type CredentialCache = LRUCache<string, CachedCredential>

/** Each entry takes one or two kilobytes. */
const cacheMax = 10_000

export const createCredentialCache = (max = cacheMax): CredentialCache => new LRUCache({ max })
