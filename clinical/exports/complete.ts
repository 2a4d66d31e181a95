// Completes pending exports one after another: each is claimed for a limited time, assembled, and
// completed unless the claim has expired. If a worker dies, its claim expires.

import { type Mode, modes } from '#contract/operation.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { bundleKey } from '../storage/storage.ts'
import type { Job, Worker } from '../jobs/job.ts'
import { openTurns, type Turns } from '../jobs/turns.ts'
import { assemble, type Bundle } from './bundle.ts'
import type { Files } from '../services.ts'
import { startNightly } from './schedule.ts'
import { writeTables } from './write-tables.ts'

const claimSeconds = 30
const attemptsMax = 3

type Claim = {
  tenant: string
  organization: string
  id: string
  /** Null means all tables. */
  patient: string | null
  include_identity: boolean | null
  attempts: number
}

export type CompleteOptions = { files: Files; base: string }
type WorkerContext = Pick<Worker, 'pools' | 'fresh' | 'stopping'>

export const exportsJobName = 'exports'

export const exportsJob = (parts: CompleteOptions): Job => ({
  name: exportsJobName,
  everySeconds: 2,
  onWrite: true,
  async run(worker) {
    await startNightly(worker)
    const completed = await completeExports(worker, parts)
    return completed > 0 ? { completed } : undefined
  },
})

/** Completes pending exports; returns how many it processed. */
export async function completeExports(
  worker: WorkerContext,
  parts: CompleteOptions,
): Promise<number> {
  // Runs both modes concurrently, so an export of a large clinic's tables doesn't make sandboxes
  // wait.
  const counts = await Promise.all(modes.map(mode => completeMode(mode, worker, parts)))
  return counts.reduce((all, one) => all + one, 0)
}

export async function completeMode(mode: Mode, worker: WorkerContext, parts: CompleteOptions) {
  const turns = openTurns()
  const completeOne = () =>
    worker.pools[mode].use(connection => completeNext(connection, mode, worker, parts, turns))
  let count = 0
  while (!worker.stopping.aborted && (await completeOne())) count++
  return count
}

/** Completes one export; returns false when none was pending. */
async function completeNext(
  connection: Connection,
  mode: Mode,
  worker: WorkerContext,
  { files, base }: CompleteOptions,
  turns: Turns,
): Promise<boolean> {
  const claim = await claimNext(connection, turns)
  if (!claim) return false
  turns.took(claim.tenant)
  const { tenant, organization, patient, include_identity } = claim
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
  const object = worker.fresh() + worker.fresh()
  const bundle =
    patient === null
      ? await writeTables(
          { connection, files, object, includesIdentity: include_identity === true },
          { mode, tenant },
          () => renew(worker, mode, claim),
        )
      : await assemble({ connection, files, base, object }, { mode, tenant, organization, patient })
  if (bundle && !(await complete(connection, claim, bundle))) {
    await files.storage.remove(bundleKey(mode, object))
  }
  return true
}

/** Claims the next export; exports claimed too many times fail. */
async function claimNext(connection: Connection, turns: Turns): Promise<Claim | null> {
  await connection.run(sql`
    update exports set status = 'failed'
     where status = 'pending' and due_at <= now() and attempts >= ${attemptsMax}::int`)
  const [claim] = await connection.run<Claim>(sql`
    update exports e
       set attempts = e.attempts + 1, due_at = now() + ${claimSeconds}::int * interval '1 s'
      from tenants s
     where s.id = e.tenant and (e.tenant, e.id) = (
       select tenant, id from exports where status = 'pending' and due_at <= now()
        order by ${turns.by(sql`tenant::text`)}, due_at limit 1 for update skip locked)
    returning e.tenant::text as tenant, s.organization, e.id, e.patient, e.include_identity,
              e.attempts`)
  return claim ?? null
}

/** Extends the claim on another connection, because the export's own connection is reading in a
 *  snapshot. Returns false if the worker is stopping, so another worker starts over. */
async function renew(worker: WorkerContext, mode: Mode, claim: Claim): Promise<boolean> {
  await worker.pools[mode].use(connection =>
    connection.run(sql`
      update exports set due_at = now() + ${claimSeconds}::int * interval '1 s'
       where tenant = ${claim.tenant}::bigint and id = ${claim.id} and status = 'pending'
         and attempts = ${claim.attempts}::int`),
  )
  return !worker.stopping.aborted
}

async function complete(connection: Connection, claim: Claim, bundle: Bundle): Promise<boolean> {
  const rows = await connection.run(sql`
    update exports set status = 'completed', object = ${bundle.object}, sha256 = ${bundle.sha256},
           size_bytes = ${bundle.size}::bigint,
           tables = ${bundle.tables ? JSON.stringify(bundle.tables) : null}::text::json,
           as_of = case when patient is null then ${bundle.at}::timestamptz end,
           expires_at = ${bundle.at}::timestamptz + ${limits.exportHours}::int * interval '1 hour'
     where tenant = ${claim.tenant}::bigint and id = ${claim.id} and status = 'pending'
       and attempts = ${claim.attempts}::int
    returning id`)
  return rows.length > 0
}
