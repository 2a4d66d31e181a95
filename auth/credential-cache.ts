// Callers that were looked up before, so that the next call need only ask whether they are as they
// were. Nothing is believed from here: the database says so on every call (auth/guard.ts).

import { Memory } from '#database/memory.ts'
import type { Credential } from './principal.ts'

/** What one look-up found, and the tenant that it opened. */
export type CachedCredential = {
  readonly hash: Uint8Array
  readonly credential: Credential
  readonly tenant: string
  /** How often what the integration's keys may do had changed until then. */
  readonly revision: string
}

export type CredentialCache = Memory<string, CachedCredential>

/** A kilobyte or two each. */
const keptMax = 10_000

export const createCredentialCache = (most = keptMax): CredentialCache => new Memory(most)
