// The job that sends what is due. It claims for many endpoints at once and never waits for an
// answer or a record: while those are under way it claims again.

import { liveFirst } from '../../jobs/job.ts'
import type { Mode } from '#contract/operation.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { attempt, claimsMax, type Sender, type Under } from './attempt.ts'
import { claim, type Claimed, release } from './claim.ts'
import type { Begin } from './claim-new.ts'
import type { WebhookClock } from './clock.ts'
import type { Job, Worker } from '../../jobs/job.ts'
import { record } from './record.ts'
import { openRecorder, type Recorder } from './batch-recorder.ts'
import { openSecrets } from './secret-cache.ts'

/** What slow endpoints together may hold of the sockets: the rest stays for those that answer. */
const slowShare = 0.4
/** An attempt that has taken so much of its time hangs, whatever its endpoint was known for: it is
 *  counted among the slow ones, and what is beyond their share leaves its room to others. */
const hangingShare = 1 / 8
/** Attempts that wait for their record hold no socket. So many may, for each socket. */
const endingMax = 3
/** How long the last chance of one keeps off that of the next, and how soon that is due again. */
const aloneMilliseconds = 1000
const putOffMilliseconds = 100
/** The dispatcher goes on then, though nothing of what it makes can be sent. */
const momentMilliseconds = 50
/** How long attempts under way may go on when the worker is to end. */
const drainSeconds = 3

export const deliverJob = 'webhooks.deliver'

type Delivering = Pick<Sender, 'encryption' | 'receivers'> & { clock: WebhookClock }

/** Who is under way, and with what: a socket until the answer, nothing until it is on record. */
function stageOf(sockets: number, seconds: number) {
  const underWay = new Set<Promise<void>>()
  const sending = new Set<{ isSlow: boolean; since: number }>()
  const slowMax = Math.floor(sockets * slowShare)
  let asked = 0
  let waiting: (() => void)[] = []
  const free = () => {
    const hanging = performance.now() - seconds * 1000 * hangingShare
    let slow = 0
    for (const { isSlow, since } of sending) if (isSlow || since < hanging) slow++
    const quick = sending.size - slow
    const all = Math.min(
      sockets - quick - Math.min(slow, slowMax),
      (1 + endingMax) * sockets - underWay.size,
    )
    return { all: Math.max(0, all - asked), slow: slowMax - slow }
  }
  const isHalfFree = () => 2 * free().all >= sockets
  return {
    underWay,
    isHalfFree,
    /** All that is free, for whoever asks first, until it is given back. */
    ask() {
      const { all, slow } = free()
      asked += all
      return {
        free: { all, slow: Math.max(0, Math.min(all, slow)) },
        give: () => void (asked -= all),
      }
    },
    /** Resolves when half is free, or after a moment. */
    async halfFree(): Promise<void> {
      if (isHalfFree()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      const timer = setTimeout(resolve, momentMilliseconds)
      await promise
      clearTimeout(timer)
    },
    look(): void {
      if (waiting.length === 0 || !isHalfFree()) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    /** Takes a socket; what it returns gives it back. */
    take(isSlow: boolean): () => void {
      const held = { isSlow, since: performance.now() }
      sending.add(held)
      return () => void sending.delete(held)
    },
  }
}

/** Hears that there is room, and of a plane that it has more due. */
type More = (worker: Worker, mode?: Mode) => void

/** One for each plane; `more` hears of it when an endpoint has something else due. */
function recordersOf(clock: WebhookClock, more: More) {
  const recorders = new Map<Mode, Recorder>()
  return (worker: Worker, mode: Mode): Recorder => {
    const opened =
      recorders.get(mode) ??
      openRecorder(worker.pools[mode], (connection, ended) =>
        record(connection, clock, ended, () => more(worker, mode)),
      )
    recorders.set(mode, opened)
    return opened
  }
}

type Stage = ReturnType<typeof stageOf>

/** What starts an attempt. `ended` is called when its socket is free, and again when it is over. */
function starterOf(parts: Delivering, stage: Stage, cut: AbortSignal, more: More) {
  const open = openSecrets(parts.encryption)
  const recorderOf = recordersOf(parts.clock, more)
  return (worker: Worker, mode: Mode, claimed: Claimed) => {
    const give = stage.take(claimed.slow)
    if (claimed.claims > 1) noteExpired(worker, mode, claimed)
    const answered = () => {
      give()
      // What waits for the share of slow endpoints has nobody else to call it.
      more(worker, claimed.slow ? mode : undefined)
    }
    const sender = { ...parts, open, record: recorderOf(worker, mode), note: worker.note }
    const under = { cut, answered }
    const work = sendOrRelease(sender, worker.pools[mode], mode, claimed, under).finally(() => {
      stage.underWay.delete(work)
      answered()
    })
    stage.underWay.add(work)
    return work
  }
}

/** What was claimed again and again without a record has killed whoever took it, or was beside what
 *  did. Its last chance it takes alone, so that nothing else pays: of several, one is begun. */
function lastChances() {
  let alone: Claimed | undefined
  const over = (one: Claimed) => {
    if (alone === one) alone = undefined
  }
  return {
    over,
    isNow(one: Claimed): boolean {
      if (one.claims !== claimsMax) return true
      if (alone !== undefined) return false
      alone = one
      setTimeout(() => over(one), aloneMilliseconds).unref()
      return true
    },
  }
}

/** They were not begun, so nothing is counted against them. */
async function putOff(worker: Worker, mode: Mode, later: readonly Claimed[]): Promise<void> {
  if (later.length === 0) return
  await worker.pools[mode].use(async connection => {
    for (const one of later) await release(connection, one, putOffMilliseconds)
  })
  setTimeout(() => worker.wake(deliverJob, mode), putOffMilliseconds).unref()
}

/** Whoever held it gave it neither back nor a record: it died, or its database did not answer. */
const noteExpired = (worker: Worker, mode: Mode, { id, webhook_endpoint, claims }: Claimed) =>
  worker.note('webhook.lease_expired', {
    mode,
    delivery: id,
    endpoint: webhook_endpoint,
    claims: claims - 1,
  })

/** Claims what can be started at once and starts it. While more is due, it claims again as soon as
 *  half of what it may send at once is free: a claim costs as much for one as for many. */
export function openDelivering(parts: Delivering, sockets: number) {
  const stage = stageOf(sockets, parts.receivers.seconds)
  const cut = new AbortController()
  /** The planes in which more is due than was claimed. */
  const left = new Set<Mode>()
  const more: More = (worker, mode) => {
    if (mode !== undefined) left.add(mode)
    stage.look()
    if (left.size === 0 || !stage.isHalfFree()) return
    for (const one of left) worker.wake(deliverJob, one)
  }
  const start = starterOf(parts, stage, cut.signal, more)
  const chances = lastChances()

  /** Sends what `work` has put under a claim, of what is free. */
  async function withFree<T extends { begun: Claimed[] }>(
    worker: Worker,
    mode: Mode,
    work: (begin: Begin) => Promise<T>,
  ): Promise<T> {
    const { free, give } = stage.ask()
    try {
      const done = await work({ mode, free, name: worker.fresh() })
      const { now = [], later = [] } = Object.groupBy(done.begun, one =>
        chances.isNow(one) ? 'now' : 'later',
      )
      // What cannot be given back comes back by itself when its lease is over.
      await putOff(worker, mode, later).catch(() => undefined)
      for (const one of now) void start(worker, mode, one).finally(() => chances.over(one))
      return done
    } finally {
      give()
      more(worker)
    }
  }
  const take = (worker: Worker, mode: Mode) =>
    withFree(worker, mode, async ({ free, name }) => {
      left.add(mode)
      if (worker.stopping.aborted || free.all === 0) return { begun: [] }
      const { clock } = parts
      const begun = await worker.pools[mode].use(connection =>
        claim(connection, mode, clock, free, name),
      )
      if (2 * begun.length < free.all) left.delete(mode)
      return { begun }
    })
  const job: Job = {
    name: deliverJob,
    everySeconds: 1,
    async run(worker, step) {
      for (const mode of liveFirst) if (step.includes(mode)) await take(worker, mode)
    },
    async stop() {
      const drained = Promise.all(stage.underWay)
      await Promise.race([drained, Bun.sleep(drainSeconds * 1000)])
      cut.abort()
      await drained
    },
  }
  return { job, withFree, halfFree: stage.halfFree }
}

/** An attempt that was cut off by our own end, or that we failed to make, is no attempt. */
async function sendOrRelease(
  sender: Sender,
  pool: ConnectionPool,
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
    if (cut.aborted)
      await pool.use(connection => release(connection, claimed)).catch(() => undefined)
  }
  await attempt(sender, pool, mode, claimed, under).catch(giveBack)
}
