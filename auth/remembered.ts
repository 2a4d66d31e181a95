// Callers that were looked up before, so that the next call need only ask whether they are as they
// were. Nothing is believed from here: the database says so on every call (auth/principal.ts).

import type { Credential } from './principal.ts'

/** What one look-up found, and the stream that it opened. */
export type Kept = {
  readonly credential: Credential
  readonly stream: string
  /** How often what the integration's keys may do had changed until then. */
  readonly revision: string
}

export type Remembered = {
  find(key: string): Kept | undefined
  keep(key: string, kept: Kept): void
  forget(key: string): void
}

/** A kilobyte or two each. */
const keptMax = 10_000

export function rememberCallers(most = keptMax): Remembered {
  const known = new Map<string, Kept>()
  return {
    find: key => known.get(key),
    keep(key, kept) {
      known.delete(key)
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= most) known.delete(oldest)
      known.set(key, kept)
    },
    forget: key => void known.delete(key),
  }
}
