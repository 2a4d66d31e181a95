// The jobs that send webhooks. Three, so that none waits for another: one turns events into
// deliveries, one sends them, one mends what was left half done.

import type { Mode } from '#contract/operation.ts'
import type { Lanes } from '#database/lanes.ts'
import type { Seal } from '#database/seal.ts'
import type { Realtime } from '../realtime/realtime.ts'
import { attempt, type Sender } from './attempt.ts'
import { claim, type Claimed, release } from './claim.ts'
import { clockOf, type WebhookClock } from './clock.ts'
import { dispatch, isFull } from './dispatch.ts'
import { sweepEndpoints } from './disable.ts'
import type { Job, Worker } from './job.ts'
import type { Receivers } from './post.ts'
import { record } from './record.ts'
import { openRecorder, type Recorder } from './recorder.ts'
import { purgeDeliveries, reseal } from './upkeep.ts'

export type WebhookParts = {
  seal: Seal
  /** Whom the dispatcher hands events to besides. */
  realtime: Realtime
  receivers: Receivers
  /** Attempts at once in this worker. */
  sockets: number
  /** By how many seconds the house is ahead of the database's clock: other than 0 in tests only. */
  ahead?: () => number
}

const modes = ['live', 'test'] as const
/** What slow endpoints together may hold of the sockets: the rest stays for those that answer. */
const slowShare = 0.4
/** How long attempts under way may go on when the worker is to end. */
const drainSeconds = 3

export const deliverJob = 'webhooks.deliver'

export function webhookJobs(parts: WebhookParts): readonly Job[] {
  const { seal, realtime, receivers, sockets, ahead } = parts
  const clock = clockOf(ahead)
  const dispatching: Job = {
    name: 'webhooks.dispatch',
    everySeconds: 1,
    onWrite: true,
    async run(worker) {
      let deliveries = 0
      for (const mode of modes) {
        for (let more = true; more && !worker.stopping.aborted;) {
          const done = await worker.planes[mode].use(lane =>
            dispatch(lane, clock, realtime.announce(mode)),
          )
          deliveries += done.made
          more = isFull(done)
          if (done.made > 0) worker.wake(deliverJob)
          if (done.taken > 0) for (const job of realtime.jobs) worker.wake(job.name)
        }
      }
      return deliveries > 0 ? { deliveries } : undefined
    },
  }
  const upkeep: Job = {
    name: 'webhooks.upkeep',
    everySeconds: 30,
    async run(worker) {
      const done = { ended: 0, removed: 0, resealed: 0 }
      for (const mode of modes) {
        await worker.planes[mode].use(async lane => {
          done.ended += await sweepEndpoints(lane)
          done.removed += await purgeDeliveries(lane)
          done.resealed += await reseal(lane, mode, seal)
        })
      }
      return Object.values(done).some(count => count > 0) ? done : undefined
    },
  }
  return [dispatching, delivering({ seal, clock, receivers }, sockets), upkeep]
}

type Delivering = Pick<Sender, 'seal' | 'receivers'> & { clock: WebhookClock }

/** Claims what can be started at once and starts it; each attempt that ends makes room for more. */
function delivering(parts: Delivering, sockets: number): Job {
  const recorders = new Map<Lanes, Recorder>()
  const underWay = new Map<Promise<void>, boolean>()
  const cut = new AbortController()
  const slowMax = Math.floor(sockets * slowShare)
  const held = () => ({
    all: sockets - underWay.size,
    slow: Math.max(0, slowMax - [...underWay.values()].filter(Boolean).length),
  })
  const start = (worker: Worker, mode: Mode, claimed: Claimed) => {
    const lanes = worker.planes[mode]
    const recorder =
      recorders.get(lanes) ?? openRecorder(lanes, (lane, ended) => record(lane, parts.clock, ended))
    recorders.set(lanes, recorder)
    const sender = { ...parts, record: recorder, note: worker.note }
    const work = sendOrRelease(sender, lanes, mode, claimed, cut.signal).finally(() => {
      underWay.delete(work)
      worker.wake(deliverJob)
    })
    underWay.set(work, claimed.slow)
  }
  return {
    name: deliverJob,
    everySeconds: 1,
    onWrite: true,
    async run(worker) {
      for (const mode of modes) {
        const free = held()
        if (free.all <= 0 || worker.stopping.aborted) return
        const claimed = await worker.planes[mode].use(lane =>
          claim(lane, mode, parts.clock, free, worker.fresh()),
        )
        for (const one of claimed) start(worker, mode, one)
      }
    },
    async stop() {
      const drained = Promise.all(underWay.keys())
      await Promise.race([drained, Bun.sleep(drainSeconds * 1000)])
      cut.abort()
      await drained
    },
  }
}

/** An attempt that was cut off by our own end, or that we failed to make, is no attempt. */
async function sendOrRelease(
  sender: Sender,
  lanes: Lanes,
  mode: Mode,
  claimed: Claimed,
  cut: AbortSignal,
): Promise<void> {
  const giveBack = async (failure: unknown) => {
    sender.note('webhook.interrupted', {
      mode,
      delivery: claimed.id,
      endpoint: claimed.webhook_endpoint,
      // Never its message: one of the database's may repeat what it was given.
      reason: cut.aborted ? 'the worker ends' : failure instanceof Error ? failure.name : 'unknown',
    })
    // What cannot be given back comes back by itself when the lease is over.
    if (cut.aborted) await lanes.use(lane => release(lane, claimed)).catch(() => undefined)
  }
  await attempt(sender, lanes, mode, claimed, cut).catch(giveBack)
}
