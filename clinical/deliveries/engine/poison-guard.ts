// A delivery claimed again and again without a recorded attempt may have crashed each worker that
// claimed it, or it may only have been claimed together with the delivery that did. Each such
// delivery's last attempt runs in isolation, one delivery at a time, so a crash affects no other
// delivery.

import type { Mode } from '#contract/operation.ts'
import type { Worker } from '../../jobs/job.ts'
import { claimsMax } from './attempt.ts'
import { type ClaimedDelivery, release } from './claim.ts'

/** How long a last attempt blocks the next one. */
const isolationMilliseconds = 1000
/** The delay before a last attempt that had to wait is due again. */
const postponeMilliseconds = 100

export function createPoisonGuard() {
  let isolated: ClaimedDelivery | undefined
  const done = (one: ClaimedDelivery) => {
    if (isolated === one) isolated = undefined
  }
  return {
    /** Call this when an attempt is over. */
    done,
    mayStart(one: ClaimedDelivery): boolean {
      if (one.claims !== claimsMax) return true
      if (isolated !== undefined) return false
      isolated = one
      setTimeout(() => done(one), isolationMilliseconds).unref()
      return true
    },
  }
}

/** Releases deliveries that weren't started, and counts nothing against them. */
export async function postpone(
  worker: Worker,
  job: string,
  mode: Mode,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await worker.pools[mode].use(async connection => {
    for (const one of deliveries) await release(connection, one, postponeMilliseconds)
  })
  setTimeout(() => worker.wake(job, mode), postponeMilliseconds).unref()
}
