// A worker's hands without its loop: tests run one job at a time, when they want it.

import { randomHalf } from '#contract/ids.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import type { Cast } from '../cast.ts'
import type { Worker } from './job.ts'
import { openPlanes } from '../open-planes.ts'

export type Hands = Worker & { close(): Promise<void> }

export function openHands(cast: Cast): Hands {
  const urls = {
    test: cast.database.roleUrl('svc_worker_test'),
    live: cast.database.roleUrl('svc_worker_live'),
  }
  const planes = openPlanes({ urls, size: 2, name: 'worker' })
  return {
    planes,
    now,
    fresh: () => randomHalf(randomBytes(16)),
    note: () => undefined,
    wake: () => undefined,
    stopping: new AbortController().signal,
    async close() {
      await Promise.all([planes.test.close(), planes.live.close()])
    },
  }
}
