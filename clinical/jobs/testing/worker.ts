// A worker's hands without its loop: tests run one job at a time, when they want it.

import { randomHalf } from '#contract/ids.ts'
import { type RoleUrls, workerUrls } from '#database/roles.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Worker } from '../job.ts'
import { openWorkerPools } from '../run.ts'
import type { Attempted } from '../../webhooks/delivery/record.ts'

export type WorkerContext = Worker & { close(): Promise<void> }

/** An attempt that its receiver took. */
export const good: Attempted = {
  succeeded: true,
  sent: true,
  status: 200,
  milliseconds: 1,
  answer: null,
  error: null,
}

/** So many statements may be under way at once; only what is used is connected. */
const size = 6

export function openWorkerContext(urls: RoleUrls): WorkerContext {
  const pools = openWorkerPools(workerUrls(urls), size)
  return {
    pools,
    now,
    fresh: () => randomHalf(randomBytes(16)),
    note: () => undefined,
    wake: () => undefined,
    stopping: new AbortController().signal,
    async close() {
      await Promise.all([pools.test.close(), pools.live.close()])
    },
  }
}
