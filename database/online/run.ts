// Runs the jobs from database/online/jobs.ts one at a time, in one process at a time. The process
// may be killed at any point: an unfinished index is built again, and a backfill continues after
// its last batch. If a build's process is killed, the build continues in PostgreSQL and holds its
// session's lock, so another process waits for it.
import { isTransient, sqlState } from '../failures.ts'
import type { Connection } from '../pool.ts'
import { sql, Statement } from '../sql.ts'
import type { BackfillJob, IndexJob, OnlineJob } from './jobs.ts'

/** online_progress() uses the same number. Nothing else in the database may lock this number. */
const lockKey = 727_275
const batchRows = 5000
/** Pauses after each batch for as long as the batch took, but at least this long. */
const pauseMillisecondsMin = 20
const lockedMilliseconds = 1000

export type OnlineOptions = {
  readonly stopping?: AbortSignal
}

/** Resolves once all jobs are done, or when stopped. */
export async function finishOnlineJobs(
  connection: Connection,
  jobs: readonly OnlineJob[],
  options: OnlineOptions = {},
): Promise<void> {
  if (jobs.length === 0) return
  await noteJobs(connection, jobs)
  while (options.stopping?.aborted !== true && (await pendingOf(connection, jobs)).length > 0) {
    if (await tryLock(connection)) {
      try {
        // Checks again, because another process may have finished the jobs in the meantime.
        for (const job of await pendingOf(connection, jobs)) await runJob(connection, job, options)
      } finally {
        await connection.run(sql`select pg_advisory_unlock(${lockKey})`).catch(() => undefined)
      }
    } else await Bun.sleep(lockedMilliseconds)
  }
}

async function noteJobs(connection: Connection, jobs: readonly OnlineJob[]): Promise<void> {
  for (const { name, kind, table } of jobs)
    await connection.run(sql`
      insert into public.online_jobs (name, kind, of_table) values (${name}, ${kind}, ${table})
      on conflict do nothing`)
}

async function pendingOf(connection: Connection, jobs: readonly OnlineJob[]): Promise<OnlineJob[]> {
  const rows = await connection.run<{ name: string }>(
    sql`select name from public.online_jobs where ended_at is null`,
  )
  const pending = new Set(rows.map(({ name }) => name))
  return jobs.filter(({ name }) => pending.has(name))
}

/** Never waits: a waiting session holds a snapshot, and an index build would wait for it. */
async function tryLock(connection: Connection): Promise<boolean> {
  const [row] = await connection.run<{ taken: boolean }>(
    sql`select pg_try_advisory_lock(${lockKey}) as taken`,
  )
  return row?.taken === true
}

async function runJob(
  connection: Connection,
  job: OnlineJob,
  options: OnlineOptions,
): Promise<void> {
  if (options.stopping?.aborted === true) return
  await connection.run(sql`
    update public.online_jobs set started_at = coalesce(started_at, now()), failure = null
     where name = ${job.name}`)
  const work =
    job.kind === 'index' ? buildIndex(connection, job) : backfill(connection, job, options)
  const isDone = await work.catch(async (failure: unknown) => {
    await connection
      .run(
        sql`update public.online_jobs set failure = ${sqlState(failure) ?? 'unknown'}
             where name = ${job.name}`,
      )
      .catch(() => undefined)
    throw failure
  })
  if (isDone)
    await connection.run(
      sql`update public.online_jobs set ended_at = now() where name = ${job.name}`,
    )
}

/** Unfinished builds leave an invalid index, which statements don't use. */
async function buildIndex(connection: Connection, job: IndexJob): Promise<boolean> {
  const [found] = await connection.run<{ is_valid: boolean; drop: string }>(sql`
    select indisvalid as is_valid,
           format('drop index concurrently %s', indexrelid::regclass) as drop
      from pg_index where indexrelid = to_regclass(${job.index})`)
  if (found?.is_valid === true) return true
  if (found) await connection.run(new Statement([found.drop], []))
  await connection.run(job.statement)
  return true
}

async function backfill(
  connection: Connection,
  job: BackfillJob,
  options: OnlineOptions,
): Promise<boolean> {
  while (options.stopping?.aborted !== true) {
    const started = performance.now()
    const done = await batch(connection, job).catch((failure: unknown) => {
      // Retries rows that were locked. A lost connection is handled elsewhere.
      if (isTransient(failure) && sqlState(failure) !== null) return null
      throw failure
    })
    if (done === 'last') return true
    await Bun.sleep(Math.max(performance.now() - started, pauseMillisecondsMin))
  }
  return false
}

type Batch = { next: string | null; rows: number }

/** The rows and the position after them are committed together. */
async function batch(connection: Connection, job: BackfillJob): Promise<'more' | 'last'> {
  await connection.run(sql`begin`)
  try {
    await connection.run(sql`select set_config('lock_timeout', '2s', true)`)
    const [at] = await connection.run<{ position: string | null }>(
      sql`select position from public.online_jobs where name = ${job.name}`,
    )
    const [done] = await connection.run<Batch>(job.batch(at?.position ?? null, batchRows))
    if (done && done.rows > 0)
      await connection.run(sql`
        update public.online_jobs
           set position = ${done.next}, rows_done = rows_done + ${done.rows}
         where name = ${job.name}`)
    await connection.run(sql`commit`)
    return done && done.rows > 0 && done.next !== null ? 'more' : 'last'
  } catch (failure) {
    await connection.run(sql`rollback`).catch(() => undefined)
    throw failure
  }
}
