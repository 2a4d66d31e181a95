// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Mode } from './events.ts'

/** A token that subscribes to one channel, and can do nothing else. */
export interface RealtimeToken {
  /** Opaque, and a credential: keep it out of logs. It expires after 60 minutes. */
  token: string
  /**
   * `integration:<integration>:<organization>`, with `:test` appended in test mode. Events of one
   * mode never reach the channel of the other.
   */
  channel: string
  capability: 'subscribe' | (string & {})
  mode: Mode
  /** When the connection is closed. */
  expires_at: string
}
