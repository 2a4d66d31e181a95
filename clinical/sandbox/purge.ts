// Deletes expired rows: rows in reset sandboxes, sandbox rows older than thirty days, and expired
// idempotency records. Callers can't see any of these rows. This job frees their space.

import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { countOf, inRounds } from '../jobs/in-rounds.ts'
import type { Worker } from '../jobs/job.ts'
import { purgeResetDeliveries } from '../deliveries/engine/upkeep.ts'

const batch = 1000

/** A tenant counts as emptied when it has no rows left. Its deliveries belong to the integration's
 *  tenant, so they're deleted first. */
async function purgeSandbox(connection: Connection): Promise<number> {
  const { removed, areLeft } = await purgeResetDeliveries(connection)
  // The next run deletes rows that a claim has locked.
  if (removed > 0 || areLeft) return removed
  return countOf(connection, sql`select purge_sandbox(${batch}::int)::int as count`)
}

const purgeRecords = (connection: Connection): Promise<number> =>
  countOf(connection, sql`select purge_records(${batch}::int)::int as count`)

/** Returns how many rows it deleted. */
export async function purge(worker: Pick<Worker, 'pools' | 'stopping'>): Promise<number> {
  let count = 0
  for (const [pool, purgeOnce] of [
    [worker.pools.test, purgeSandbox],
    [worker.pools.live, purgeRecords],
  ] as const) {
    count += await inRounds(worker, () => pool.use(purgeOnce))
  }
  return count
}
