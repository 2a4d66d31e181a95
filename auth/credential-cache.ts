// Caches credentials that were looked up, so that the next call only has to revalidate them. A
// cached credential is not trusted: guard.ts revalidates it with every call.
// Decided in docs/decisions/0004-revalidate-cached-credentials-in-the-first-query.md.

import type { Mode } from '#contract/operation.ts'
import type { Audience } from '#contract/scopes.ts'
import { LRUCache } from 'lru-cache'

export type GrantedOrganization = {
  id: string
  name: string
  slug: string
  kind: string
  status: string
  /** The medications that a clinic dispenses; null: the whole catalog. */
  formulary: readonly string[] | null
  scopes: readonly string[]
  tenant: string
}

/** A call's credential: an API key, the token of a confidential client, an agent or a device, or a
 *  person's session. */
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
  /** Whom a session is of, or the token of an agent or of a device acts for. */
  person: string | null
  /** The token's family, which survives refreshing. */
  family: string | null
  /** The surfaces that accept it; null: every surface. */
  audience: readonly Audience[] | null
  /** Whether a business associate agreement is in effect. Test mode needs none. */
  agreed: boolean
  organizations: readonly GrantedOrganization[]
}

/** What an API key has of a token's members, and work that no credential causes. */
export const noToken = {
  kind: 'key',
  client: null,
  person: null,
  family: null,
  audience: null,
  ownScopes: [],
} as const

/** The facts about a known caller that the pipeline needs. */
export type FoundCaller = {
  readonly credential: Pick<Credential, 'id' | 'kind' | 'mode' | 'client' | 'person'> & {
    /** Null if the call acts for no tenant, such as one that reads a clinic's queue. */
    readonly integration: string | null
  }
  readonly tenant: string
  readonly ahead: number
  /** The clinic of a staff member, whose calls act for no other. */
  readonly organization?: string
}

/** The result of a look-up, and the tenant that it set. */
export type CachedCredential = {
  readonly credential: Credential
  readonly tenant: string
  /** A number that every change of the integration's permissions increments. */
  readonly revision: string
  /** How far the tenant's clock is ahead of real time, in milliseconds. 0 in live mode. */
  readonly ahead: number
}

export type CredentialCache = LRUCache<string, CachedCredential>

/** Each entry takes one or two kilobytes. */
const cacheMax = 10_000

export const createCredentialCache = (max = cacheMax): CredentialCache => new LRUCache({ max })
