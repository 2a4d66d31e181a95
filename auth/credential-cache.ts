// Callers that were looked up before, so that the next call need only ask whether they are as they
// were. Nothing is believed from here: the database says so on every call (auth/guard.ts).

import type { Mode } from '#contract/operation.ts'
import { LRUCache } from 'lru-cache'

export type Granted = {
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
  organizations: readonly Granted[]
}

/** What one look-up found, and the tenant that it opened. */
export type CachedCredential = {
  readonly hash: Uint8Array
  readonly credential: Credential
  readonly tenant: string
  /** How often what the integration's keys may do had changed until then. */
  readonly revision: string
}

export type CredentialCache = LRUCache<string, CachedCredential>

/** A kilobyte or two each. */
const keptMax = 10_000

export const createCredentialCache = (most = keptMax): CredentialCache =>
  new LRUCache({ max: most })
