// Uses Ably as the realtime provider if it's configured, and otherwise the embedded provider.

import type { Peppers } from '#auth/pepper.ts'
import { type AblySettings, ablyRealtime } from './ably.ts'
import { embeddedRealtime } from './embedded.ts'
import type { Realtime } from '../services.ts'

export const openRealtime = (peppers: Peppers, ably: AblySettings | undefined): Realtime =>
  ably ? ablyRealtime(ably) : embeddedRealtime(...peppers)
