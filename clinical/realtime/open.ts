// Which provider this house has: Ably where it was configured, and otherwise its own gateways.

import { type AblySettings, ablyRealtime } from './ably.ts'
import { embeddedRealtime } from './embedded.ts'
import type { Realtime } from './realtime.ts'

export const openRealtime = (pepper: string, ably: AblySettings | undefined): Realtime =>
  ably ? ablyRealtime(ably) : embeddedRealtime(pepper)
