// A job's context without a worker's loop, so tests run one job at a time.

import { randomHalf } from '#contract/ids.ts'
import { type RoleUrls, workerUrls } from '#database/roles.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Worker } from '../job.ts'
import { openWorkerPools } from '../run.ts'
import type { AttemptResult } from '../../deliveries/engine/record.ts'

export type WorkerContext = Worker & { close(): Promise<void> }

/** An attempt that its receiver accepted. */
export const accepted: AttemptResult = {
  succeeded: true,
  sent: true,
  status: 200,
  milliseconds: 1,
  address: '127.0.0.1',
  signature: 't=1,v1=00',
  resolve: 0,
  headers: null,
  answer: null,
  error: null,
}

/** Connections per pool, opened as needed. */
const size = 3

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
