// Runs jobs: each by itself, again and again, until it is told to stop. A job that fails is logged
// and runs again; the others do not notice.

import { SQL } from 'bun'
import { randomHalf } from '#contract/ids.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { keyed } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { channelOf } from '../events/wake-up.ts'
import type { Fields, Job, Worker } from './job.ts'
import { openModePools } from '#database/modes.ts'
import type { ModePools } from '../modes.ts'

export type WorkerOptions = {
  /** Of the roles svc_worker_test and svc_worker_live. */
  urls: Readonly<Record<Mode, string>>
  poolSize: number
  jobs: readonly Job[]
  note(event: string, fields: Fields): void
  /** What a failure was, without the values that it had in hand. */
  describe(failure: unknown): Record<string, string>
}

export type Running = {
  wake(job: string, mode?: Mode): void
  /** Lets every run that has begun end, and closes the connections. */
  stop(): Promise<void>
}

/** Work is found by key. A queue is empty at one moment and long at the next, and a plan that was
 *  made for the one would read the other from end to end. */
const ofQueues = { ...keyed, enable_material: 'off' }
/** What a worker sees of the house. */
export const openWorkerPools = (urls: WorkerOptions['urls'], size: number): ModePools =>
  openModePools({ urls, size, name: 'worker', settings: ofQueues })

/** How long a job that failed is left alone at least, however often it is woken. */
const afterFailureSeconds = 1

export async function runWorker(options: WorkerOptions): Promise<Running> {
  const stopping = new AbortController()
  const errors = new Map(options.jobs.map(job => [job.name, errorHandlerOf(stopping.signal)]))
  const worker: Worker = {
    pools: openWorkerPools(options.urls, options.poolSize),
    now,
    fresh: () => randomHalf(randomBytes(16)),
    note: options.note,
    wake: (job, mode) => errors.get(job)?.notify(mode),
    stopping: stopping.signal,
  }
  const listeners = await Promise.all(
    modes.map(mode =>
      listen(options.urls[mode], mode, () => {
        for (const job of options.jobs) if (job.onWrite === true) worker.wake(job.name, mode)
      }),
    ),
  )
  const loops = options.jobs.map(job => repeat(job, worker, errors.get(job.name), options))
  return {
    wake: worker.wake,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(options.jobs.map(job => job.stop?.()))
      await Promise.all(listeners.map(listener => listener.close({ timeout: 1 })))
      await Promise.all(modes.map(mode => worker.pools[mode].close()))
    },
  }
}

type OnError = ReturnType<typeof errorHandlerOf>

/** Something to wait on that can also be rung before anybody waits. */
function errorHandlerOf(stopping: AbortSignal) {
  const step = new Set<Mode>()
  let lookedAt = performance.now()
  let wake: (() => void) | undefined
  const notify = (mode?: Mode) => {
    for (const one of mode === undefined ? modes : [mode]) step.add(one)
    wake?.()
  }
  stopping.addEventListener('abort', () => notify())
  return {
    notify,
    /** Until it is rung, or the time is over since all planes were looked at. Says which to look
     *  at. */
    async wait(seconds: number): Promise<readonly Mode[]> {
      const left = () => lookedAt + seconds * 1000 - performance.now()
      if (step.size === 0 && left() > 0) await pause(left(), resolve => (wake = resolve))
      const found = left() > 0 ? [...step] : modes
      if (found.length === modes.length) lookedAt = performance.now()
      step.clear()
      return found
    },
  }
}

async function pause(milliseconds: number, wakeable: (wake: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  wakeable(resolve)
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}

async function repeat(
  job: Job,
  worker: Worker,
  onError: OnError | undefined,
  { note, describe }: WorkerOptions,
): Promise<void> {
  let step: readonly Mode[] = modes
  while (!worker.stopping.aborted) {
    const started = performance.now()
    try {
      const done = await job.run(worker, step)
      const ms = Math.round(performance.now() - started)
      if (done) note('job.ran', { job: job.name, ms, ...done })
    } catch (failure) {
      note('job.failed', { job: job.name, ...describe(failure) })
      await pause(afterFailureSeconds * 1000, wake =>
        worker.stopping.addEventListener('abort', wake, { once: true }),
      )
    }
    step = (await onError?.wait(job.everySeconds)) ?? modes
  }
}

/** Hears the doorbell of a plane. After a lost connection it is heard again, and what was rung
 *  meanwhile is made up for. */
async function listen(url: string, mode: Mode, heard: () => void): Promise<SQL> {
  const listener = new SQL({
    url,
    max: 1,
    connection: { application_name: `worker listener ${mode}` },
  })
  await listener.listen(channelOf(mode), heard, heard)
  return listener
}
