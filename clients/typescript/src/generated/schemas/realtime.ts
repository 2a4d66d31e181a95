// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Mode } from './events.ts'

/** A token that can subscribe to one channel and do nothing else. */
export interface RealtimeToken {
  /** An opaque credential: keep it out of logs. Expires after 60 minutes. */
  token: string
  /**
   * `integration:<integration>:<organization>`, with `:test` appended in test mode. Test and live
   * events never reach each other's channels.
   */
  channel: string
  capability: 'subscribe' | (string & {})
  mode: Mode
  /** When the connection is closed. */
  expires_at: string
}
