// The job that sends what is due. It claims for many endpoints at once and never waits for an
// answer or a record: while those are under way it claims again.

import type { Mode } from '#contract/operation.ts'
import type { Lanes } from '#database/lanes.ts'
import { attempt, type Sender, type Under } from './attempt.ts'
import { claim, type Claimed, release } from './claim.ts'
import type { WebhookClock } from './clock.ts'
import type { Job, Worker } from './job.ts'
import { record } from './record.ts'
import { openRecorder, type Recorder } from './recorder.ts'
import { openSecrets } from './secrets.ts'

const modes = ['live', 'test'] as const
/** What slow endpoints together may hold of the sockets: the rest stays for those that answer. */
const slowShare = 0.4
/** An attempt that has taken so much of its time hangs, whatever its endpoint was known for: it is
 *  counted among the slow ones, and what is beyond their share leaves its room to others. */
const hangingShare = 1 / 8
/** Attempts that wait for their record hold no socket. So many may, for each socket. */
const endingMax = 3
/** How long attempts under way may go on when the worker is to end. */
const drainSeconds = 3

export const deliverJob = 'webhooks.deliver'

type Delivering = Pick<Sender, 'seal' | 'receivers'> & { clock: WebhookClock }

/** Who is under way, and with what: a socket until the answer, nothing until it is on record. */
function stageOf(sockets: number, seconds: number) {
  const underWay = new Set<Promise<void>>()
  const sending = new Set<{ isSlow: boolean; since: number }>()
  const slowMax = Math.floor(sockets * slowShare)
  return {
    underWay,
    free() {
      const hanging = performance.now() - seconds * 1000 * hangingShare
      let slow = 0
      for (const { isSlow, since } of sending) if (isSlow || since < hanging) slow++
      const quick = sending.size - slow
      return {
        all: Math.min(
          sockets - quick - Math.min(slow, slowMax),
          (1 + endingMax) * sockets - underWay.size,
        ),
        slow: slowMax - slow,
      }
    },
    /** Takes a socket; what it returns gives it back. */
    take(isSlow: boolean): () => void {
      const held = { isSlow, since: performance.now() }
      sending.add(held)
      return () => void sending.delete(held)
    },
  }
}

/** One for each plane; `more` hears of it when an endpoint has something else due. */
function recordersOf(clock: WebhookClock, more: (worker: Worker, mode: Mode) => void) {
  const recorders = new Map<Mode, Recorder>()
  return (worker: Worker, mode: Mode): Recorder => {
    const opened =
      recorders.get(mode) ??
      openRecorder(worker.planes[mode], (lane, ended) =>
        record(lane, clock, ended, () => more(worker, mode)),
      )
    recorders.set(mode, opened)
    return opened
  }
}

/** Claims what can be started at once and starts it. While more is due, it claims again as soon as
 *  half of what it may send at once is free: a claim costs as much for one as for many. */
export function delivering(parts: Delivering, sockets: number): Job {
  const stage = stageOf(sockets, parts.receivers.seconds)
  const cut = new AbortController()
  const open = openSecrets(parts.seal)
  /** The planes in which more is due than was claimed. */
  const more = new Set<Mode>()
  const again = (worker: Worker) => {
    if (2 * stage.free().all < sockets) return
    for (const mode of more) worker.wake(deliverJob, mode)
  }
  const recorderOf = recordersOf(parts.clock, (worker, mode) => {
    more.add(mode)
    again(worker)
  })
  const start = (worker: Worker, mode: Mode, claimed: Claimed) => {
    const give = stage.take(claimed.slow)
    const answered = () => {
      give()
      // What waits for the share of slow endpoints has nobody else to call it.
      if (claimed.slow) more.add(mode)
      again(worker)
    }
    const sender = { ...parts, open, record: recorderOf(worker, mode), note: worker.note }
    const under = { cut: cut.signal, answered }
    const work = sendOrRelease(sender, worker.planes[mode], mode, claimed, under).finally(() => {
      stage.underWay.delete(work)
      answered()
    })
    stage.underWay.add(work)
  }
  const take = async (worker: Worker, mode: Mode) => {
    const { all, slow } = stage.free()
    more.add(mode)
    if (all <= 0 || worker.stopping.aborted) return
    const free = { all, slow: Math.max(0, Math.min(all, slow)) }
    const claimed = await worker.planes[mode].use(lane =>
      claim(lane, mode, parts.clock, free, worker.fresh()),
    )
    if (2 * claimed.length < all) more.delete(mode)
    for (const one of claimed) start(worker, mode, one)
  }
  return {
    name: deliverJob,
    everySeconds: 1,
    async run(worker, rung) {
      for (const mode of modes) if (rung.includes(mode)) await take(worker, mode)
      again(worker)
    },
    async stop() {
      const drained = Promise.all(stage.underWay)
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
  under: Under,
): Promise<void> {
  const { cut } = under
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
  await attempt(sender, lanes, mode, claimed, under).catch(giveBack)
}
