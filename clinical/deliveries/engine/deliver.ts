// The job that sends due deliveries. One claim covers many endpoints, and no claim waits for a
// response or for an attempt to be recorded. The job claims again as soon as half of its capacity
// is free, because a claim costs as much for one delivery as for many.

import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { type Job, liveFirst, type Worker } from '../../jobs/job.ts'
import { batchesOf } from './batches.ts'
import { claim, type ClaimedDelivery, recallExpired } from './claim.ts'
import type { NewClaim } from './claim-new.ts'
import type { WebhookClock } from './clock.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { withoutHeld } from './hold.ts'
import { createPoisonGuard, postpone } from './poison-guard.ts'
import { attemptStarter, type DeliveryOptions, type OnFree } from './start-attempt.ts'

/** How long running attempts may continue after the worker is asked to stop. */
const drainSeconds = 3

/** Slightly less than the job's interval, so each scheduled run looks for expired leases. */
const recallMilliseconds = 900

export const deliverJob = 'webhooks.deliver'

/** Returns a function that claims, and that occasionally looks for expired leases in each mode. */
function claimer(clock: WebhookClock) {
  const recalledAt: Partial<Record<Mode, number>> = {}
  return async (
    connection: Connection,
    mode: Mode,
    { free, name }: Pick<NewClaim, 'free' | 'name'>,
  ) => {
    const now = performance.now()
    if (now - (recalledAt[mode] ?? -Infinity) >= recallMilliseconds) {
      recalledAt[mode] = now
      await recallExpired(connection, clock)
    }
    return claim(connection, mode, clock, free, name)
  }
}

/** Gives running attempts some time to finish, then aborts them. */
async function drain(underWay: Iterable<Promise<void>>, cut: AbortController): Promise<void> {
  const drained = Promise.all(underWay)
  await Promise.race([drained, Bun.sleep(drainSeconds * 1000)])
  cut.abort()
  await drained
}

export function createDelivery(options: DeliveryOptions, sockets: number) {
  const limit = createConcurrencyLimit(sockets, options.receivers.seconds)
  const guard = createPoisonGuard()
  const cut = new AbortController()
  /** Modes with due deliveries left to claim. */
  const unclaimed = new Set<Mode>()
  const onFree: OnFree = (worker, mode) => {
    if (mode !== undefined) unclaimed.add(mode)
    limit.notify()
    if (unclaimed.size === 0 || !limit.isHalfFree()) return
    for (const one of unclaimed) worker.wake(deliverJob, one)
  }
  const start = attemptStarter(options, limit, cut.signal, onFree)

  async function startAll(worker: Worker, mode: Mode, claimed: ClaimedDelivery[]): Promise<void> {
    // A claim that can't be held or released ends with its lease.
    const sendable = await withoutHeld(worker, mode, options.clock, claimed).catch(() => [])
    const { now = [], later = [] } = Object.groupBy(sendable, one =>
      guard.mayStart(one) ? 'now' : 'later',
    )
    await postpone(worker, deliverJob, mode, later).catch(() => undefined)
    for (const batch of batchesOf(now)) {
      void start(worker, mode, batch).finally(() => batch.forEach(guard.done))
    }
  }

  /** Reserves the free capacity for `work`, and sends the deliveries that `work` claimed. */
  async function withFree<T extends { claimed: ClaimedDelivery[] }>(
    worker: Worker,
    mode: Mode,
    work: (newClaim: NewClaim) => Promise<T>,
  ): Promise<T> {
    const { free, release } = limit.reserve()
    try {
      const done = await work({ mode, free, name: worker.fresh() })
      await startAll(worker, mode, done.claimed)
      return done
    } finally {
      release()
      onFree(worker)
    }
  }

  const claimOnce = claimer(options.clock)
  const claimDue = (worker: Worker, mode: Mode) =>
    withFree(worker, mode, async ({ free, name }) => {
      unclaimed.add(mode)
      if (worker.stopping.aborted || free.all === 0) return { claimed: [] }
      const claimed = await worker.pools[mode].use(connection =>
        claimOnce(connection, mode, { free, name }),
      )
      if (2 * claimed.length < free.all) unclaimed.delete(mode)
      return { claimed }
    })

  const job: Job = {
    name: deliverJob,
    everySeconds: 1,
    async run(worker, modes) {
      for (const mode of liveFirst) if (modes.includes(mode)) await claimDue(worker, mode)
    },
    stop: () => drain(limit.underWay, cut),
  }
  return { job, withFree, halfFree: limit.halfFree }
}
