// Callers that were looked up before, so that the next call need only ask whether they are as they
// were. Nothing is believed from here: the database says so on every call (auth/door.ts).

import { LRUCache } from 'lru-cache'
import type { Credential } from './principal.ts'

/** What one look-up found, and the stream that it opened. */
export type Known = {
  readonly hash: Uint8Array
  readonly credential: Credential
  readonly stream: string
  /** How often what the integration's keys may do had changed until then. */
  readonly revision: string
}

export type Remembered = LRUCache<string, Known>

/** A kilobyte or two each. */
const keptMax = 10_000

export const rememberCallers = (most = keptMax): Remembered => new LRUCache({ max: most })
