// How far online jobs are, for people and for metrics.
import type { Connection } from '../pool.ts'
import { sql } from '../sql.ts'

export type JobProgress = {
  readonly name: string
  readonly kind: 'index' | 'backfill'
  /** `stopped`: begun, and no process is at it at the moment. */
  readonly state: 'waiting' | 'running' | 'stopped' | 'failing' | 'done'
  /** For an index being built: what PostgreSQL is doing. */
  readonly phase: string | null
  /** From 0 to 1: the share of an index's phase, or of a backfill's rows. */
  readonly share: number | null
  readonly rows_done: number
  /** The SQLSTATE of the last attempt. */
  readonly failure: string | null
}

/** The owner may ask, and the roles of workers. */
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
