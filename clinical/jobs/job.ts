// Background jobs. Work is found in the database, so any number of workers may run every job
// concurrently, without coordinating.

import type { Mode } from '#contract/operation.ts'
import type { ModePools } from '../modes.ts'

/** Patients' work comes before sandbox work. */
export const liveFirst: readonly Mode[] = ['live', 'test']

export type Fields = Record<string, string | number | boolean | undefined>

/** A job's context: pools under the worker's roles, clock, randomness and log. */
export type Worker = {
  /** Connections by mode. In tables of pending work, they see every tenant's rows. */
  readonly pools: ModePools
  /** Milliseconds since 1970. Due times use the database's clock instead. */
  now(): number
  /** Returns sixteen random characters for an ID. */
  fresh(): string
  /** Writes one log line, without bodies, names or secrets. */
  note(event: string, fields: Fields): void
  /** Runs a job now, or again as soon as it has finished. If `mode` or `tenants` are given, runs
   *  the job only for that mode or those tenants. */
  wake(job: string, mode?: Mode, tenants?: readonly string[]): void
  /** Aborted when the worker is stopping; don't claim anything after that. */
  readonly stopping: AbortSignal
}

/** A run's log line fields; undefined if there was nothing to do. */
export type JobResult = Fields | undefined | void

/** Returns the tenants in a mode that a run was woken for; null means all. */
export type WokenFor = (mode: Mode) => readonly string[] | null

export type Job = {
  readonly name: string
  /** The longest wait from the end of one run to the start of the next. */
  readonly everySeconds: number
  /** Whether the job also runs after a gateway writes an event that an endpoint or a realtime
   *  client may get. */
  readonly onWrite?: boolean
  /** Runs once at a time in one worker, but concurrently across workers: claim work with `skip
   *  locked`, or hold an advisory lock. A failure is logged, and the job runs again within a
   *  minute. `modes` lists the modes it was woken for; at its interval, it runs for all modes and
   *  tenants. */
  run(worker: Worker, modes: readonly Mode[], wokenFor: WokenFor): Promise<JobResult>
  /** Waits for the work its runs started, before connections close. */
  stop?(): Promise<void>
}
