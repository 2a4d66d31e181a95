// Creates and closes everything the pipeline needs.

import { randomHalf } from '#contract/ids.ts'
import { openKeyCheck } from '#auth/key-check.ts'
import type { Peppers } from '#auth/pepper.ts'
import { createCredentialCache } from '#auth/principal.ts'
import { keyed } from '#database/pool.ts'
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openBackgroundWriter } from './audit/background-writer.ts'
import { openFiles } from './files/files.ts'
import { openStorage, type StorageSettings } from './storage/open.ts'
import type { AuditedCall } from '#auth/audit.ts'
import { openWakeUp } from './jobs/wake-up.ts'
import { RecentKeys } from './pipeline/idempotency.ts'
import { createRateLimits } from './pipeline/rate-limits.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import type { AppContext } from './pipeline/perform.ts'
import { openStorageSlots } from './pipeline/storage-slots.ts'
import { embeddedRealtime } from './realtime/embedded.ts'
import { openWebhooks } from './webhooks/webhooks.ts'
import { type AddressRule, publicAddresses } from '#http/outgoing/addresses.ts'
import { openModePools } from '#database/modes.ts'
import type { Realtime } from './services.ts'

export type AppContextOptions = {
  /** Database URLs for the gateway's roles, which own no tables. */
  urls: { test: string; live: string }
  poolSize: number
  /** Hashes credentials, and signs everything the platform issues. */
  pepper: string
  /** Previous peppers, newest first. Their hashes and signatures are still accepted. */
  olderPeppers?: readonly string[]
  base: string
  storage: StorageSettings
  rateLimit: number
  /** Whether the installation meets live mode's requirements. */
  isLiveOpen(): boolean
  /** Counts requests for rate limits; defaults to a counter in this process. */
  counter?: OpenCounter
  /** Keys that encrypt stored secrets, newest first; defaults to the pepper. */
  encryptionKeys?: readonly string[]
  /** Addresses that webhooks may be sent to; defaults to public addresses. */
  addresses?: AddressRule
  /** Sends events to subscribers; defaults to the gateways themselves. */
  realtime?: Realtime
  onError(failure: unknown, audited?: AuditedCall): void
  /** Receives each failure that made a database connection unusable. */
  onDatabaseFailure?(failure: unknown): void
  /** Receives how long a call waited for a database connection. */
  onDatabaseWait?(milliseconds: number, pool: string): void
}

export type OpenAppContext = AppContext & { close(): Promise<void> }

export function createContext(options: AppContextOptions): OpenAppContext {
  const { urls, poolSize: size } = options
  const peppers: Peppers = [options.pepper, ...(options.olderPeppers ?? [])]
  const { onDatabaseFailure: onFailure = () => {}, onDatabaseWait: onWait = () => {} } = options
  const pools = openModePools({
    urls,
    size,
    name: 'gateway',
    settings: keyed,
    onFailure,
    onWait,
  })
  const fresh = () => randomHalf(randomBytes(16))
  const storage = openStorage(options.storage, now, fresh)
  const auditWriter = openBackgroundWriter(pools.test, now, options.onError)
  const wakeUps = {
    test: openWakeUp('test', options.urls.test),
    live: openWakeUp('live', options.urls.live),
  }
  return {
    pools,
    storageSlots: openStorageSlots(Math.ceil(size / 2)),
    wakeUps,
    auditWriter,
    now,
    limiter: createRateLimits(options.rateLimit, options.counter),
    credentialCache: createCredentialCache(),
    keyChecks: { test: openKeyCheck(pools.test), live: openKeyCheck(pools.live) },
    recent: new RecentKeys(),
    pepper: options.pepper,
    peppers,
    base: options.base,
    files: openFiles(storage, peppers, options.base),
    fresh,
    isLiveOpen: options.isLiveOpen,
    webhooks: openWebhooks(
      createEncryption(options.encryptionKeys ?? peppers),
      options.addresses ?? publicAddresses,
      randomBytes,
    ),
    realtime: options.realtime ?? embeddedRealtime(...peppers),
    pause: Bun.sleep,
    onError: options.onError,
    async close() {
      await auditWriter.close()
      await Promise.all([wakeUps.test.close(), wakeUps.live.close()])
      await Promise.all([pools.test.close(), pools.live.close()])
    },
  }
}
