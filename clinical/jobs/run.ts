// Runs each job in its own loop until the worker stops. A failed job is logged and runs again; the
// others aren't affected.

import { SQL } from 'bun'
import { randomHalf } from '#contract/ids.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { driverAddress } from '#database/roles.ts'
import { keyed } from '#database/pool.ts'
import { now, randomBytes } from '#database/clock.ts'
import { namedIn, wakeUpChannelOf } from './wake-up.ts'
import type { Fields, Job, Worker, WokenFor } from './job.ts'
import { openModePools } from '#database/modes.ts'
import type { ModePools } from '../modes.ts'

type WorkerOptions = {
  /** Connects as app_worker_test and app_worker_live. */
  urls: Readonly<Record<Mode, string>>
  poolSize: number
  jobs: readonly Job[]
  note(event: string, fields: Fields): void
  /** Describes a failure without the values that were being processed. */
  describe(failure: unknown): Record<string, string>
  /** The longest wait before a failed job runs again, however long its interval is. */
  retrySeconds?: number
}

export type RunningWorker = {
  wake: Worker['wake']
  /** Waits for every run that has begun, and closes the connections. */
  stop(): Promise<void>
}

/** Work is found by key. A queue may be empty now and long a second later, and a plan made for an
 *  empty queue would scan a long queue entirely. */
const queueSettings = { ...keyed, enable_material: 'off' }
/** Opens one pool per mode, under the workers' roles. */
export const openWorkerPools = (urls: WorkerOptions['urls'], size: number): ModePools =>
  openModePools({ urls, size, name: 'worker', settings: queueSettings })

/** A failed job waits at least this long before it runs again, however often it's woken. */
const failurePauseSeconds = 1

/** Also how an hourly job that keeps failing is noticed: the alert JobsFailing counts failures in
 *  five minutes. */
const retrySecondsMax = 60

export async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const stopping = new AbortController()
  const timers = new Map(options.jobs.map(job => [job.name, createTimer(stopping.signal)]))
  const worker: Worker = {
    pools: openWorkerPools(options.urls, options.poolSize),
    now,
    fresh: () => randomHalf(randomBytes(16)),
    note: options.note,
    wake: (job, mode, tenants) => timers.get(job)?.wake(mode, tenants),
    stopping: stopping.signal,
  }
  const listeners = await Promise.all(
    modes.map(mode =>
      listen(options.urls[mode], mode, tenants => {
        for (const job of options.jobs)
          if (job.onWrite === true) worker.wake(job.name, mode, tenants)
      }),
    ),
  )
  const loops = options.jobs.map(job => repeat(job, worker, timers.get(job.name), options))
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

type Timer = ReturnType<typeof createTimer>
type WakeTimer = (mode?: Mode, tenants?: readonly string[]) => void

/** A run's scope: its modes, and each mode's tenants. */
type Woken = { readonly modes: readonly Mode[]; readonly wokenFor: WokenFor }

const everything: Woken = { modes, wokenFor: () => null }

/** Waits for a time or a wake-up; an earlier wake-up also counts. */
function createTimer(stopping: AbortSignal) {
  /** The tenants named by wake-ups, by mode. Null if a wake-up named none. */
  let woken = new Map<Mode, Set<string> | null>()
  let ranAllAt = performance.now()
  let resolveWait: (() => void) | undefined
  const wake: WakeTimer = (mode, tenants) => {
    for (const one of mode === undefined ? modes : [mode]) {
      const named = woken.get(one)
      if (tenants === undefined || named === null) woken.set(one, null)
      else if (named) for (const tenant of tenants) named.add(tenant)
      else woken.set(one, new Set(tenants))
    }
    resolveWait?.()
  }
  stopping.addEventListener('abort', () => wake())
  return {
    wake,
    /** Waits for a wake-up, or until `seconds` after the last run for all modes. Returns the run's
     *  scope. */
    async wait(seconds: number): Promise<Woken> {
      const left = () => ranAllAt + seconds * 1000 - performance.now()
      const first = left()
      if (woken.size === 0 && first > 0) await pause(first, resolve => (resolveWait = resolve))
      const named = woken
      woken = new Map()
      const isForAll = modes.every(mode => named.get(mode) === null)
      if (left() > 0 && !isForAll) return wokenBy(named)
      ranAllAt = performance.now()
      return everything
    },
  }
}

const wokenBy = (named: ReadonlyMap<Mode, ReadonlySet<string> | null>): Woken => ({
  modes: [...named.keys()],
  wokenFor: mode => {
    const tenants = named.get(mode)
    return tenants ? [...tenants] : null
  },
})

async function pause(milliseconds: number, wakeable: (wake: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  wakeable(resolve)
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}

/** Leaves no listener behind, because a database may be down for days. */
async function pauseOfFailure(stopping: AbortSignal): Promise<void> {
  const listening = new AbortController()
  const { signal } = listening
  await pause(failurePauseSeconds * 1000, wake =>
    stopping.addEventListener('abort', wake, { signal }),
  )
  listening.abort()
}

async function repeat(
  job: Job,
  worker: Worker,
  timer: Timer | undefined,
  { note, describe, retrySeconds = retrySecondsMax }: WorkerOptions,
): Promise<void> {
  let due = everything
  while (!worker.stopping.aborted) {
    const started = performance.now()
    let wait = job.everySeconds
    try {
      const done = await job.run(worker, due.modes, due.wokenFor)
      const ms = Math.round(performance.now() - started)
      if (done) note('job.ran', { job: job.name, ms, ...done })
    } catch (failure) {
      note('job.failed', { job: job.name, ...describe(failure) })
      await pauseOfFailure(worker.stopping)
      wait = Math.min(wait, retrySeconds)
    }
    due = (await timer?.wait(wait)) ?? everything
  }
}

/** Listens for a mode's wake-ups. After a lost connection, it listens again and wakes once for the
 *  missed notifications. */
async function listen(
  url: string,
  mode: Mode,
  onWakeUp: (tenants?: readonly string[]) => void,
): Promise<SQL> {
  const listener = new SQL({
    ...driverAddress(url),
    max: 1,
    connection: { application_name: `worker listener ${mode}` },
  })
  await listener.listen(
    wakeUpChannelOf(mode),
    payload => onWakeUp(namedIn(payload) ?? undefined),
    () => onWakeUp(),
  )
  return listener
}
