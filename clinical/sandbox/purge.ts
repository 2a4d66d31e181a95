// Ends rows whose life is over: what a reset left behind, what is thirty days old, and records of
// finished writes that nobody may retry any more. All of it is out of sight already; this makes it
// gone.

import { sql } from '#database/sql.ts'
import type { Worker } from '../jobs/job.ts'

const batch = 1000
/** In one run. Whatever is left is found again in the next minute. */
const roundsMax = 200

/** How many rows went. */
export async function purge(worker: Pick<Worker, 'pools' | 'stopping'>): Promise<number> {
  let gone = 0
  for (const [pool, statement] of [
    [worker.pools.test, sql`select purge_sandbox(${batch}::int)::int as rows`],
    [worker.pools.live, sql`select purge_records(${batch}::int)::int as rows`],
  ] as const) {
    for (let round = 0; round < roundsMax && !worker.stopping.aborted; round++) {
      const [done] = await pool.use(connection => connection.run<{ rows: number }>(statement))
      if (!done || done.rows === 0) break
      gone += done.rows
    }
  }
  return gone
}
