// Removes expired reservations and bundles, and deleted rows' bytes. A row's reference is always
// removed before its bytes, so no row refers to missing bytes.

import { type Mode, modes } from '#contract/operation.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { recordWork } from '../audit/record-work.ts'
import { countOf, inRounds } from '../jobs/in-rounds.ts'
import type { Worker } from '../jobs/job.ts'
import type { Storage } from '../storage/storage.ts'

type WorkerContext = Pick<Worker, 'pools' | 'stopping'>

const batch = 500
const atOnce = 10
/** How long a worker may take for its batch before another worker claims it. */
const claimMinutes = 5

const expiryStatements: readonly Statement[] = [
  sql`select sweep_files(${batch}::int)::int as count`,
  sql`select sweep_exports(${batch}::int)::int as count`,
]

/** Ends expired reservations and exports, and returns how many. */
export async function deleteExpiredRows(worker: WorkerContext): Promise<number> {
  let count = 0
  for (const mode of modes) {
    for (const statement of expiryStatements) {
      const sweep = (connection: Connection) => countOf(connection, statement)
      count += await inRounds(worker, () => worker.pools[mode].use(sweep))
    }
  }
  return count
}

type Discarded = { tenant: string; key: string }

/** Removes deleted rows' bytes, and returns how many objects it removed. An object that can't be
 *  removed stays queued and is retried; its error is thrown after the rest of the batch. */
export async function removeDiscarded(worker: WorkerContext, storage: Storage): Promise<number> {
  let count = 0
  for (const mode of modes) {
    for (;;) {
      const some = worker.stopping.aborted ? [] : await worker.pools[mode].use(claim)
      if (some.length === 0) break
      const { removed, failures } = await removeFrom(storage, some)
      await worker.pools[mode].use(connection => deleteDiscarded(connection, mode, removed))
      count += removed.length
      if (failures.length > 0) throw failures[0]
    }
  }
  return count
}

/** Removes a few objects at a time until a whole group fails, which means storage is down. */
async function removeFrom(storage: Storage, some: readonly Discarded[]) {
  const [removed, failures]: [Discarded[], unknown[]] = [[], []]
  for (let at = 0; at < some.length; at += atOnce) {
    const few = some.slice(at, at + atOnce)
    const ends = await Promise.allSettled(few.map(({ key }) => storage.remove(key)))
    removed.push(...few.filter((_, n) => ends[n]?.status === 'fulfilled'))
    const failed = ends.filter(end => end.status === 'rejected').map(end => end.reason)
    failures.push(...failed)
    if (failed.length === few.length) break
  }
  return { removed, failures }
}

const claim = (connection: Connection) =>
  connection.run<Discarded>(sql`
    update discarded_objects set due_at = now() + ${claimMinutes}::int * interval '1 minute'
     where ctid = any (array(
       select ctid from discarded_objects where due_at <= now() order by due_at
        limit ${batch}::int for update skip locked))
    returning tenant::text as tenant, key`)

const deleteDiscarded = (connection: Connection, mode: Mode, some: readonly Discarded[]) =>
  connection.run(sql`
    with gone as (
      delete from discarded_objects d using json_to_recordset(${JSON.stringify(some)}::text::json)
                                         as x (tenant bigint, key text)
       where d.tenant = x.tenant and d.key = x.key
      returning d.tenant, d.key
    )
    select 1 as one from gone g ${recordWork(mode, 'deleteObject', sql`g.tenant, g.key`)}`)

/** The age at which an object without a row is an orphan. An upload lives as long as its
 *  reservation, and a bundle as long as its export; anything older was left by a process that died.
 */
const orphanAges: readonly [kind: string, seconds: number][] = [
  ['u', 2 * limits.reservationSeconds],
  ['x', (limits.exportHours + 2) * 3_600],
]
const asideSeconds = 3_600

/** Removes objects without a row. */
export async function removeOrphans(storage: Storage): Promise<number> {
  let count = await storage.removeOlderThan('aside', asideSeconds)
  for (const mode of modes) {
    for (const [kind, seconds] of orphanAges)
      count += await storage.removeOlderThan(`${mode}/${kind}`, seconds)
  }
  return count
}
