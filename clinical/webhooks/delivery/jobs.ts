// The jobs that send webhooks. Three, so that none waits for another: one turns events into
// deliveries, one sends them, one mends what was left half done.

import { liveFirst } from '../../jobs/job.ts'
import type { Encryption } from '#database/encryption.ts'
import type { Realtime } from '../../realtime/realtime.ts'
import { clockOf } from './clock.ts'
import { dispatch } from './dispatch.ts'
import { sweepEndpoints } from './disable.ts'
import { deliverJob, openDelivering } from './deliver.ts'
import type { Job } from '../../jobs/job.ts'
import type { Receivers } from './post.ts'
import { purgeDeliveries, reencrypt } from './upkeep.ts'

export type WebhookParts = {
  encryption: Encryption
  /** Whom the dispatcher hands events to besides. */
  realtime: Realtime
  receivers: Receivers
  /** Attempts at once in this worker. */
  sockets: number
  /** By how many seconds the house is ahead of the database's clock: other than 0 in tests only. */
  ahead?: () => number
}

export function webhookJobs(parts: WebhookParts): readonly Job[] {
  const { encryption, realtime, receivers, sockets, ahead } = parts
  const clock = clockOf(ahead)
  const delivering = openDelivering({ encryption, clock, receivers }, sockets)
  const dispatching: Job = {
    name: 'webhooks.dispatch',
    everySeconds: 1,
    onWrite: true,
    async run(worker, step) {
      let deliveries = 0
      for (const mode of step) {
        for (let more = true; more && !worker.stopping.aborted;) {
          await delivering.halfFree()
          const { made, taken, ready, isFull } = await delivering.withFree(worker, mode, begin =>
            worker.pools[mode].use(connection =>
              dispatch(connection, clock, realtime.announce(mode), begin),
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
  }
  const upkeep: Job = {
    name: 'webhooks.upkeep',
    everySeconds: 30,
    async run(worker) {
      const done = { ended: 0, removed: 0, reencrypted: 0 }
      for (const mode of liveFirst) {
        await worker.pools[mode].use(async connection => {
          done.ended += await sweepEndpoints(connection)
          done.removed += await purgeDeliveries(connection)
          done.reencrypted += await reencrypt(connection, mode, encryption)
        })
      }
      return Object.values(done).some(count => count > 0) ? done : undefined
    },
  }
  return [dispatching, delivering.job, upkeep]
}
