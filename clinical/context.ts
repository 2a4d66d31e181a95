// Opens everything the pipeline stands on, and closes it again.

import { randomHalf } from '#contract/ids.ts'
import { rememberCallers } from '#auth/principal.ts'
import { keyed } from '#database/pool.ts'
import { openSeal } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openAnonymous } from './audit/background-writer.ts'
import { openFiles } from './files/files.ts'
import { openStorage, type StorageSettings } from './storage/open.ts'
import type { Asked } from './audit/audit.ts'
import { openDoorbell } from './events/wake-up.ts'
import { RecentKeys } from './pipeline/idempotency.ts'
import type { OpenCounter } from '#http/counter.ts'
import { openLimiter } from '#http/rate-limiter.ts'
import type { House } from './pipeline/perform.ts'
import { embeddedRealtime } from './realtime/embedded.ts'
import type { Realtime } from './realtime/realtime.ts'
import { openWebhooks } from './webhooks/webhooks.ts'
import { type AddressRule, publicAddresses } from './webhooks/delivery/addresses.ts'
import { openPlanes } from '#database/modes.ts'

export type HouseOptions = {
  /** Of the roles svc_test and svc_live, which own nothing. */
  urls: { test: string; live: string }
  poolSize: number
  pepper: string
  base: string
  storage: StorageSettings
  rateLimit: number
  /** Where calls are counted; without it, in this process. */
  counter?: OpenCounter
  /** What secrets are sealed with, the newest first. Absent: the pepper. */
  sealKeys?: readonly string[]
  /** Where webhooks may go. Absent: to public addresses, as the system resolves them. */
  addresses?: AddressRule
  /** Who carries messages to subscribers. Absent: the gateways do. */
  realtime?: Realtime
  alarm(failure: unknown, asked?: Asked): void
}

export type OpenHouse = House & { close(): Promise<void> }

export function openHouse(options: HouseOptions): OpenHouse {
  const { urls, poolSize: size } = options
  const planes = openPlanes({ urls, size, name: 'gateway', settings: keyed })
  const fresh = () => randomHalf(randomBytes(16))
  const storage = openStorage(options.storage, now, fresh)
  const anonymous = openAnonymous(planes.test, now, options.alarm)
  const bells = {
    test: openDoorbell('test', options.urls.test),
    live: openDoorbell('live', options.urls.live),
  }
  return {
    planes,
    bells,
    anonymous,
    now,
    limiter: openLimiter(options.rateLimit, options.counter),
    remembered: rememberCallers(),
    recent: new RecentKeys(),
    pepper: options.pepper,
    base: options.base,
    files: openFiles(storage, options.pepper, options.base),
    fresh,
    webhooks: openWebhooks(
      openSeal(options.sealKeys ?? [options.pepper]),
      options.addresses ?? publicAddresses,
      randomBytes,
    ),
    realtime: options.realtime ?? embeddedRealtime(options.pepper),
    pause: Bun.sleep,
    alarm: options.alarm,
    async close() {
      await anonymous.close()
      await Promise.all([bells.test.close(), bells.live.close()])
      await Promise.all([planes.test.close(), planes.live.close()])
    },
  }
}
