// Deletes expired rows: those of reset sandboxes, sandbox rows older than thirty days, and expired
// idempotency records. Callers cannot see any of them; this job frees their space.

import { sql } from '#database/sql.ts'
import type { Worker } from '../jobs/job.ts'

const batch = 1000
/** The limit of one run; the next run continues a minute later. */
const roundsMax = 200

/** Returns how many rows it deleted. */
export async function purge(worker: Pick<Worker, 'pools' | 'stopping'>): Promise<number> {
  let count = 0
  for (const [pool, statement] of [
    [worker.pools.test, sql`select purge_sandbox(${batch}::int)::int as rows`],
    [worker.pools.live, sql`select purge_records(${batch}::int)::int as rows`],
  ] as const) {
    for (let round = 0; round < roundsMax && !worker.stopping.aborted; round++) {
      const [done] = await pool.use(connection => connection.run<{ rows: number }>(statement))
      if (!done || done.rows === 0) break
      count += done.rows
    }
  }
  return count
}
