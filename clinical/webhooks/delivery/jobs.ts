// The jobs that send webhooks. Three, so that none waits for another: one turns events into
// deliveries, one sends them, one cleans up.

import { type Job, liveFirst } from '../../jobs/job.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Realtime } from '../../realtime/realtime.ts'
import { clockOf, type WebhookClock } from './clock.ts'
import { createDelivery, deliverJob } from './deliver.ts'
import { sweepEndpoints } from './disable.ts'
import { dispatch } from './dispatch.ts'
import type { Receivers } from './post.ts'
import { purgeDeliveries, reencrypt } from './upkeep.ts'

export type WebhookParts = {
  encryption: Encryption
  /** Also receives every event that is dispatched. */
  realtime: Realtime
  receivers: Receivers
  /** Attempts at once in this worker. */
  sockets: number
  /** By how many seconds to run ahead of the database's clock: other than 0 in tests only. */
  ahead?: () => number
}

export function webhookJobs({ ahead, sockets, ...parts }: WebhookParts): readonly Job[] {
  const clock = clockOf(ahead)
  const delivery = createDelivery({ ...parts, clock }, sockets)
  return [dispatchJob(parts.realtime, clock, delivery), delivery.job, upkeepJob(parts.encryption)]
}

type Delivery = Pick<ReturnType<typeof createDelivery>, 'halfFree' | 'withFree'>

/** Wakes the dispatcher for events that a job has written. */
export const dispatchJobName = 'webhooks.dispatch'

const dispatchJob = (realtime: Realtime, clock: WebhookClock, delivery: Delivery): Job => ({
  name: dispatchJobName,
  everySeconds: 1,
  onWrite: true,
  async run(worker, modes) {
    let deliveries = 0
    for (const mode of modes) {
      for (let more = true; more && !worker.stopping.aborted;) {
        await delivery.halfFree()
        const { made, taken, ready, isFull } = await delivery.withFree(worker, mode, newClaim =>
          worker.pools[mode].use(connection =>
            dispatch(connection, clock, realtime.announce(mode), newClaim),
          ),
        )
        deliveries += made
        more = isFull
        if (ready) worker.wake(deliverJob, mode)
        if (taken > 0) for (const job of realtime.jobs) worker.wake(job.name)
      }
    }
    return deliveries > 0 ? { deliveries } : undefined
  },
})

const upkeepJob = (encryption: Encryption): Job => ({
  name: 'webhooks.upkeep',
  everySeconds: 30,
  async run(worker) {
    const done = { ended: 0, removed: 0, reencrypted: 0 }
    for (const mode of liveFirst) {
      await worker.pools[mode].use(async connection => {
        done.ended += await sweepEndpoints(connection)
        done.removed += await purgeDeliveries(connection, mode)
        done.reencrypted += await reencrypt(connection, mode, encryption)
      })
    }
    return Object.values(done).some(count => count > 0) ? done : undefined
  },
})
