// A database with large tables, and a folder with online jobs for them.
import { afterAll, beforeAll } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { type ConnectionPool, openPool } from '../../pool.ts'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { type OnlineJob, readOnlineJobs } from '../jobs.ts'
import { keepOnlineJobs } from '../keep.ts'
import { progressOf } from '../progress.ts'

export const rows = 3000

/** Opens the database before a file's tests. The returned object's fields can be read once
 *  `beforeAll` hooks run. */
export function useOnlineFixtures() {
  let database: TestDatabase
  let owner: SQL
  let pool: ConnectionPool
  const folder = mkdtempSync(path.join(tmpdir(), 'online-'))
  beforeAll(async () => {
    database = await testDatabase()
    owner = new SQL(database.url, { max: 3 })
    pool = openPool({ url: database.url, size: 1, name: 'online test' })
  })
  afterAll(async () => {
    await pool.close()
    await owner.close()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  return {
    folder,
    url: () => database.url,
    owner: () => owner,
    /** Makes this file the folder's only job. */
    jobIn(file: string, text: string): OnlineJob {
      for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
      writeFileSync(path.join(folder, file), text)
      const [job] = readOnlineJobs(folder)
      if (job === undefined) throw new Error(`${file} is not a job`)
      return job
    },
    /** Runs the jobs as a worker does, and retries them after this time. */
    keep(jobs: readonly OnlineJob[], retryMilliseconds?: number) {
      const failures: unknown[] = []
      const onFailure = (one: unknown) => void failures.push(one)
      const again = retryMilliseconds === undefined ? {} : { retryMilliseconds }
      return { failures, ...keepOnlineJobs({ url: database.url, jobs, onFailure, ...again }) }
    },
    stateOf: async (job: OnlineJob) =>
      (await pool.use(connection => progressOf(connection))).find(({ name }) => name === job.name),
    isValid: async (index: string) =>
      (await owner`select indisvalid from pg_index where indexrelid = to_regclass(${index})`)[0]
        ?.indisvalid as boolean | undefined,
    table: (name: string, count = rows) =>
      owner.unsafe(`create table public.${name} (id int primary key, text text, filled int);
        insert into public.${name} select n, n::text from generate_series(1, ${count}) n;
        analyze public.${name}`),
    /** Opens a transaction and returns a function that ends it. An index build waits for older
     *  transactions, so it can't finish before that. */
    async olderTransaction(name: string) {
      const session = await owner.reserve()
      await session.unsafe(`begin; update public.${name} set text = 'changed' where id = 1`)
      return async () => {
        await session.unsafe('commit')
        await session.release()
      }
    },
  }
}

/** A job that counts, in each row, how often the row was filled. `batch` is the batch size. */
export const backfillText = (name: string, batch = 1000) => `-- Why.
-- of public.${name}
with batch as (
  select id from public.${name}
   where $1::text is null or id > $1::text::int order by id limit least($2, ${batch})
), changed as (
  update public.${name} n set filled = coalesce(n.filled, 0) + 1 from batch b where b.id = n.id
)
select max(id)::text as next, count(*)::int as rows from batch`
