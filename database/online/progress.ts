// The progress of online jobs, for people and for metrics.
import type { Connection } from '../pool.ts'
import { sql } from '../sql.ts'

export type JobProgress = {
  readonly name: string
  readonly kind: 'index' | 'backfill'
  /** `stopped`: started, but no process is currently working on it. */
  readonly state: 'waiting' | 'running' | 'stopped' | 'failing' | 'done'
  /** For an index being built: PostgreSQL's current phase. */
  readonly phase: string | null
  /** From 0 to 1: the finished share of an index's phase, or of a backfill's rows. */
  readonly share: number | null
  readonly rows_done: number
  /** The last attempt's SQLSTATE. */
  readonly failure: string | null
}

/** Callable by the owner and the workers' roles. */
export const progressOf = (connection: Connection): Promise<JobProgress[]> =>
  connection.run<JobProgress>(sql`
    select name, kind, state, phase, share, rows_done::float8, failure
      from public.online_progress()`)

export function progressLine({
  name,
  kind,
  state,
  phase,
  share,
  rows_done: rows,
  failure,
}: JobProgress) {
  const parts = [
    phase,
    share === null || state === 'done' ? null : `${Math.floor(share * 100)} %`,
    kind === 'backfill' ? `${rows} rows` : null,
    failure === null ? null : `SQLSTATE ${failure}`,
  ]
  return `${state.padEnd(8)} ${name}  ${parts.filter(part => part !== null).join(', ')}`.trimEnd()
}
