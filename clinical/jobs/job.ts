// Background jobs. Work is found in the database, so any number of workers may run every job at
// once, and none of them coordinates the others.

import type { Mode } from '#contract/operation.ts'
import type { ModePools } from '../modes.ts'

/** Work for patients comes before work of the sandbox. */
export const liveFirst: readonly Mode[] = ['live', 'test']

export type Fields = Record<string, string | number | boolean | undefined>

/** The context of a job: the pools of the worker's roles, clock, randomness and log. */
export type Worker = {
  /** Connections by mode, which see every tenant in the tables that list work. */
  readonly pools: ModePools
  /** Milliseconds since 1970. Due times use the database's clock instead. */
  now(): number
  /** Sixteen random characters, for an id. */
  fresh(): string
  /** One line of the log. No bodies, no names, no secrets. */
  note(event: string, fields: Fields): void
  /** Runs a job now, or again as soon as it has ended; for one mode, if it is named, and for what
   *  these tenants of it wrote, if they are. */
  wake(job: string, mode?: Mode, tenants?: readonly string[]): void
  /** Aborted when the worker is to end: claim nothing new. */
  readonly stopping: AbortSignal
}

/** The fields of a log line about the run; undefined when there was nothing to do. */
export type JobResult = Fields | undefined | void

/** The tenants of a mode that a run was woken for; null for all of them. */
export type WokenFor = (mode: Mode) => readonly string[] | null

export type Job = {
  readonly name: string
  /** The longest wait from the end of one run to the next. */
  readonly everySeconds: number
  /** Whether it also runs when a call has written something that is followed, at any gateway. */
  readonly onWrite?: boolean
  /** Never twice at once in one worker, but in several workers at a time: claim work with `skip
   *  locked`, or hold an advisory lock. A failure is logged, and the job runs again. `modes` are
   *  those it was woken for; all of them, and all tenants, at its interval. */
  run(worker: Worker, modes: readonly Mode[], wokenFor: WokenFor): Promise<JobResult>
  /** Waits for what its runs have started, before the connections are closed. */
  stop?(): Promise<void>
}
