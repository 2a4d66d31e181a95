// A worker's hands without its loop: tests run one job at a time, when they want it.

import { randomHalf } from '#contract/ids.ts'
import { openLanes } from '#database/lanes.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import type { Cast } from '../cast.ts'
import type { Worker } from './job.ts'

export type Hands = Worker & { close(): Promise<void> }

export function openHands(cast: Cast): Hands {
  const lanes = (mode: 'test' | 'live') =>
    openLanes({
      url: cast.database.roleUrl(`svc_worker_${mode}`),
      size: 2,
      name: `worker ${mode}`,
      path: `${mode}, public`,
    })
  const planes = { test: lanes('test'), live: lanes('live') }
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
