// What the worker does beside the gateway: jobs, each of them found in the database, so that any
// number of workers may run every job at once and none is in charge.

import type { Mode } from '#contract/operation.ts'
import type { ModePools } from '../modes.ts'

/** In turn, what is owed to patients comes before what is rehearsed. */
export const liveFirst: readonly Mode[] = ['live', 'test']

export type Fields = Record<string, string | number | boolean | undefined>

/** What a job is given: the planes as the worker's roles see them, time, chance and the log. */
export type Worker = {
  /** For each plane, connections that see every stream in the tables that work is found in. */
  readonly pools: ModePools
  /** Milliseconds since 1970. What is due is judged by the database's clock, not by this one. */
  now(): number
  /** Sixteen random characters, for an id. */
  fresh(): string
  /** One line of the log. No bodies, no names, no secrets. */
  note(event: string, fields: Fields): void
  /** Has a job run now, or again as soon as it has ended; for one plane, if it is named. */
  wake(job: string, mode?: Mode): void
  /** Aborted when the worker is to end: take nothing new. */
  readonly stopping: AbortSignal
}

/** What was done, for one line of the log; nothing when there was nothing to do. */
export type Done = Fields | undefined | void

export type Job = {
  readonly name: string
  /** The longest it waits from the end of one run to the next. */
  readonly everySeconds: number
  /** Whether it also runs whenever a call has written something, in this house or another. */
  readonly onWrite?: boolean
  /** Never twice at once in one worker, but in several workers at a time: take work with `skip
   *  locked`, or guard it with an advisory lock. What it throws is logged, and it runs again.
   *  `rung` are the planes it was woken for; all of them at its interval. */
  run(worker: Worker, step: readonly Mode[]): Promise<Done>
  /** Waits for what it has begun behind its runs, before the connections are closed. */
  stop?(): Promise<void>
}
