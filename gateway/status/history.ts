// Check results in the database: how many of a part's checks passed, warned and failed in an hour.
// Gateways add to the same rows, so the number of gateways doesn't matter.
import { dayMilliseconds } from '#contract/moments.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'

/** Older rows are deleted. */
export const historyDays = 90

type Counts = { readonly passed: number; readonly warned: number; readonly failed: number }
export type HourCounts = Counts & { readonly part: string; readonly hour: string }
export type DayCounts = Counts & { readonly part: string; readonly date: string }

export type History = {
  /** Adds counts to their hours. */
  add(counts: readonly HourCounts[], now: number): Promise<void>
  /** Returns counts by part and day, oldest first. */
  read(now: number): Promise<readonly DayCounts[]>
}

const startOf = (now: number) => new Date(now - historyDays * dayMilliseconds).toISOString()

export const openHistory = (pool: ConnectionPool): History => ({
  async add(counts, now) {
    await pool.use(connection => connection.run(added(JSON.stringify(counts), startOf(now))))
  },
  read: now => pool.use(connection => connection.run<DayCounts & Row>(byDay(startOf(now)))),
})

const added = (counts: string, start: string): Statement => sql`
  with expired as (delete from site.probes where hour < ${start}::timestamptz)
  insert into site.probes as p (part, hour, passed, warned, failed)
  select part, hour, passed, warned, failed
    from jsonb_to_recordset(${counts}::text::jsonb)
      as counted (part text, hour timestamptz, passed int, warned int, failed int)
   order by part, hour
  on conflict (part, hour) do update
     set passed = p.passed + excluded.passed, warned = p.warned + excluded.warned,
         failed = p.failed + excluded.failed`

const byDay = (start: string): Statement => sql`
  select part, to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as date, sum(passed)::int as passed,
         sum(warned)::int as warned, sum(failed)::int as failed
    from site.probes where hour >= ${start}::timestamptz
   group by 1, 2 order by 1, 2`
