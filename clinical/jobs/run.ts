// Runs jobs: each by itself, again and again, until it is told to stop. A job that fails is logged
// and runs again; the others do not notice.

import { SQL } from 'bun'
import { randomHalf } from '#contract/ids.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { keyed } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { channelOf } from '../events/wake-up.ts'
import type { Fields, Job, Worker } from './job.ts'
import { openPlanes } from '#database/modes.ts'
import type { Planes } from '../modes.ts'

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
export const openWorkerPlanes = (urls: WorkerOptions['urls'], size: number): Planes =>
  openPlanes({ urls, size, name: 'worker', settings: ofQueues })

/** How long a job that failed is left alone at least, however often it is woken. */
const afterFailureSeconds = 1

export async function runWorker(options: WorkerOptions): Promise<Running> {
  const stopping = new AbortController()
  const alarms = new Map(options.jobs.map(job => [job.name, alarmOf(stopping.signal)]))
  const worker: Worker = {
    planes: openWorkerPlanes(options.urls, options.poolSize),
    now,
    fresh: () => randomHalf(randomBytes(16)),
    note: options.note,
    wake: (job, mode) => alarms.get(job)?.ring(mode),
    stopping: stopping.signal,
  }
  const ears = await Promise.all(
    modes.map(mode =>
      listen(options.urls[mode], mode, () => {
        for (const job of options.jobs) if (job.onWrite === true) worker.wake(job.name, mode)
      }),
    ),
  )
  const loops = options.jobs.map(job => repeat(job, worker, alarms.get(job.name), options))
  return {
    wake: worker.wake,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(options.jobs.map(job => job.stop?.()))
      await Promise.all(ears.map(ear => ear.close({ timeout: 1 })))
      await Promise.all(modes.map(mode => worker.planes[mode].close()))
    },
  }
}

type Alarm = ReturnType<typeof alarmOf>

/** Something to wait on that can also be rung before anybody waits. */
function alarmOf(stopping: AbortSignal) {
  const rung = new Set<Mode>()
  let lookedAt = performance.now()
  let wake: (() => void) | undefined
  const ring = (mode?: Mode) => {
    for (const one of mode === undefined ? modes : [mode]) rung.add(one)
    wake?.()
  }
  stopping.addEventListener('abort', () => ring())
  return {
    ring,
    /** Until it is rung, or the time is over since all planes were looked at. Says which to look
     *  at. */
    async wait(seconds: number): Promise<readonly Mode[]> {
      const left = () => lookedAt + seconds * 1000 - performance.now()
      if (rung.size === 0 && left() > 0) await pause(left(), resolve => (wake = resolve))
      const found = left() > 0 ? [...rung] : modes
      if (found.length === modes.length) lookedAt = performance.now()
      rung.clear()
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
  alarm: Alarm | undefined,
  { note, describe }: WorkerOptions,
): Promise<void> {
  let rung: readonly Mode[] = modes
  while (!worker.stopping.aborted) {
    const started = performance.now()
    try {
      const done = await job.run(worker, rung)
      const ms = Math.round(performance.now() - started)
      if (done) note('job.ran', { job: job.name, ms, ...done })
    } catch (failure) {
      note('job.failed', { job: job.name, ...describe(failure) })
      await pause(afterFailureSeconds * 1000, wake =>
        worker.stopping.addEventListener('abort', wake, { once: true }),
      )
    }
    rung = (await alarm?.wait(job.everySeconds)) ?? modes
  }
}

/** Hears the doorbell of a plane. After a lost connection it is heard again, and what was rung
 *  meanwhile is made up for. */
async function listen(url: string, mode: Mode, heard: () => void): Promise<SQL> {
  const ear = new SQL({ url, max: 1, connection: { application_name: `worker ear ${mode}` } })
  await ear.listen(channelOf(mode), heard, heard)
  return ear
}
