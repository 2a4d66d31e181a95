// What nobody asks for any more: reservations whose hour is over, bundles after their day, and the
// bytes of every row that is gone. A row goes first and its bytes after it, never the other way.

import { modes } from '#contract/operation.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Worker } from '../jobs/job.ts'
import type { Storage } from '../storage/storage.ts'

type WorkerContext = Pick<Worker, 'pools' | 'stopping'>

const batch = 500
/** An object is removed in far less; a worker that dies on it leaves it to the next. */
const claimMinutes = 5

const ends: readonly Statement[] = [
  sql`select sweep_files(${batch}::int)::int as rows`,
  sql`select sweep_exports(${batch}::int)::int as rows`,
]

/** How many rows ended. */
export async function endRows(worker: WorkerContext): Promise<number> {
  let count = 0
  for (const mode of modes) {
    for (const statement of ends) {
      for (let rows = batch; rows > 0 && !worker.stopping.aborted;) {
        const [done] = await worker.pools[mode].use(connection =>
          connection.run<{ rows: number }>(statement),
        )
        rows = done?.rows ?? 0
        count += rows
      }
    }
  }
  return count
}

type Discarded = { tenant: string; key: string }

/** Removes the bytes that no row names any more; answers how many objects it was. While storage is
 *  away they stay named, and are tried again. */
export async function removeDiscarded(worker: WorkerContext, storage: Storage): Promise<number> {
  let count = 0
  for (const mode of modes) {
    for (;;) {
      const some = worker.stopping.aborted ? [] : await worker.pools[mode].use(claim)
      if (some.length === 0) break
      for (const { key } of some) await storage.remove(key)
      await worker.pools[mode].use(connection => forget(connection, some))
      count += some.length
    }
  }
  return count
}

const claim = (connection: Connection) =>
  connection.run<Discarded>(sql`
    update discarded_objects set due_at = now() + ${claimMinutes}::int * interval '1 minute'
     where ctid = any (array(
       select ctid from discarded_objects where due_at <= now() order by due_at
        limit ${batch}::int for update skip locked))
    returning tenant::text as tenant, key`)

const forget = (connection: Connection, some: readonly Discarded[]) =>
  connection.run(sql`
    delete from discarded_objects d using json_to_recordset(${JSON.stringify(some)}::text::json)
                                       as x (tenant bigint, key text)
     where d.tenant = x.tenant and d.key = x.key`)

/** Uploads live as long as their reservation and bundles as long as their job: what is older was
 *  left by a process that died in between. */
const lives: readonly [kind: string, seconds: number][] = [
  ['u', 2 * limits.reservationSeconds],
  ['x', (limits.exportHours + 2) * 3_600],
]
const asideSeconds = 3_600

/** Removes what no row ever named. */
export async function removeOrphans(storage: Storage): Promise<number> {
  let count = await storage.sweep('aside', asideSeconds)
  for (const mode of modes) {
    for (const [kind, seconds] of lives) count += await storage.sweep(`${mode}/${kind}`, seconds)
  }
  return count
}
