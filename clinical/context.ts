// Opens everything the pipeline stands on, and closes it again.

import { randomHalf } from '#contract/ids.ts'
import { createCredentialCache } from '#auth/principal.ts'
import { keyed } from '#database/pool.ts'
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openAnonymous } from './audit/background-writer.ts'
import { openFiles } from './files/files.ts'
import { openStorage, type StorageSettings } from './storage/open.ts'
import type { Asked } from './audit/audit.ts'
import { openWakeUp } from './events/wake-up.ts'
import { RecentKeys } from './pipeline/idempotency.ts'
import type { OpenCounter } from '#http/counter.ts'
import { openLimiter } from '#http/rate-limiter.ts'
import type { AppContext } from './pipeline/perform.ts'
import { embeddedRealtime } from './realtime/embedded.ts'
import type { Realtime } from './realtime/realtime.ts'
import { openWebhooks } from './webhooks/webhooks.ts'
import { type AddressRule, publicAddresses } from './webhooks/delivery/addresses.ts'
import { openModePools } from '#database/modes.ts'

export type AppContextOptions = {
  /** Of the roles app_test and app_live, which own nothing. */
  urls: { test: string; live: string }
  poolSize: number
  pepper: string
  base: string
  storage: StorageSettings
  rateLimit: number
  /** Where calls are counted; without it, in this process. */
  counter?: OpenCounter
  /** What secrets are sealed with, the newest first. Absent: the pepper. */
  encryptionKeys?: readonly string[]
  /** Where webhooks may go. Absent: to public addresses, as the system resolves them. */
  addresses?: AddressRule
  /** Who carries messages to subscribers. Absent: the gateways do. */
  realtime?: Realtime
  onError(failure: unknown, asked?: Asked): void
}

export type OpenAppContext = AppContext & { close(): Promise<void> }

export function createContext(options: AppContextOptions): OpenAppContext {
  const { urls, poolSize: size } = options
  const pools = openModePools({ urls, size, name: 'gateway', settings: keyed })
  const fresh = () => randomHalf(randomBytes(16))
  const storage = openStorage(options.storage, now, fresh)
  const anonymous = openAnonymous(pools.test, now, options.onError)
  const wakeUps = {
    test: openWakeUp('test', options.urls.test),
    live: openWakeUp('live', options.urls.live),
  }
  return {
    pools,
    wakeUps,
    anonymous,
    now,
    limiter: openLimiter(options.rateLimit, options.counter),
    credentialCache: createCredentialCache(),
    recent: new RecentKeys(),
    pepper: options.pepper,
    base: options.base,
    files: openFiles(storage, options.pepper, options.base),
    fresh,
    webhooks: openWebhooks(
      createEncryption(options.encryptionKeys ?? [options.pepper]),
      options.addresses ?? publicAddresses,
      randomBytes,
    ),
    realtime: options.realtime ?? embeddedRealtime(options.pepper),
    pause: Bun.sleep,
    onError: options.onError,
    async close() {
      await anonymous.close()
      await Promise.all([wakeUps.test.close(), wakeUps.live.close()])
      await Promise.all([pools.test.close(), pools.live.close()])
    },
  }
}
