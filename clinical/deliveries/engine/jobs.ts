// The four webhook jobs create deliveries from events, send deliveries, clean up, and count each
// hour's deliveries. No job waits for another.

import type { Mode } from '#contract/operation.ts'
import { type Job, liveFirst, type Worker } from '../../jobs/job.ts'
import type { Encryption } from '#database/encryption.ts'
import { clockOf, type WebhookClock } from './clock.ts'
import { createDelivery, deliverJob } from './deliver.ts'
import { countHoursJob } from '../count-hours.ts'
import { sweepEndpoints } from './disable.ts'
import { dispatch, tenantsToRead } from './dispatch.ts'
import type { Receivers } from './post.ts'
import { purgeDeliveries, reencrypt } from './upkeep.ts'
import type { Realtime } from '../../services.ts'

export type WebhookParts = {
  encryption: Encryption
  /** Also receives every dispatched event. */
  realtime: Realtime
  receivers: Receivers
  /** How many attempts this worker makes concurrently. */
  sockets: number
  /** Seconds to run ahead of the database's clock; nonzero only in tests. */
  ahead?: () => number
}

export function webhookJobs({ ahead, sockets, ...parts }: WebhookParts): readonly Job[] {
  const clock = clockOf(ahead)
  const delivery = createDelivery({ ...parts, clock }, sockets)
  return [
    dispatchJob(parts.realtime, clock, delivery),
    delivery.job,
    upkeepJob(parts.encryption),
    countHoursJob,
  ]
}

type Delivery = Pick<ReturnType<typeof createDelivery>, 'halfFree' | 'withFree'>

/** Other jobs wake the dispatcher by this name after they write events. */
export const dispatchJobName = 'webhooks.dispatch'

const dispatchJob = (realtime: Realtime, clock: WebhookClock, delivery: Delivery): Job => ({
  name: dispatchJobName,
  everySeconds: 1,
  onWrite: true,
  async run(worker, modes, wokenFor) {
    let deliveries = 0
    for (const mode of modes) {
      const tenants = wokenFor(mode) ?? (await worker.pools[mode].use(tenantsToRead))
      deliveries += await dispatchAll({ realtime, clock, delivery }, worker, mode, tenants)
    }
    return deliveries > 0 ? { deliveries } : undefined
  },
})

type DispatchParts = { realtime: Realtime; clock: WebhookClock; delivery: Delivery }

/** Gives each tenant one turn. Unfinished tenants get the next turn together with tenants that have
 *  written since. */
async function dispatchAll(
  { realtime, clock, delivery }: DispatchParts,
  worker: Worker,
  mode: Mode,
  named: readonly string[],
): Promise<number> {
  const announced = realtime.announce(mode)
  const reading = { clock, announced, tenants: [...named] }
  const next: string[] = []
  let deliveries = 0
  while (reading.tenants.length > 0 && !worker.stopping.aborted) {
    await delivery.halfFree()
    const { made, read, ready, unfinished } = await delivery.withFree(worker, mode, newClaim =>
      worker.pools[mode].use(connection => dispatch(connection, reading, newClaim)),
    )
    deliveries += made
    next.push(...unfinished)
    if (ready) worker.wake(deliverJob, mode)
    if (read > 0) for (const job of realtime.jobs) worker.wake(job.name)
  }
  if (next.length > 0) worker.wake(dispatchJobName, mode, next)
  return deliveries
}

const upkeepJob = (encryption: Encryption): Job => ({
  name: 'webhooks.upkeep',
  everySeconds: 30,
  async run(worker) {
    const done = { ended: 0, removed: 0, reencrypted: 0 }
    for (const mode of liveFirst) {
      await worker.pools[mode].use(async connection => {
        done.ended += await sweepEndpoints(connection, mode)
        done.reencrypted += await reencrypt(connection, mode, encryption)
      })
    }
    for (const mode of liveFirst) done.removed += await purgeDeliveries(worker, mode)
    return Object.values(done).some(count => count > 0) ? done : undefined
  },
})
