// Migrates a database, forward only. A migration is a .sql file in migrations/. A migration's
// number gives its position, and each migration runs in one transaction.
//
// A file named *.mode.sql runs once in each mode's schema, test and live. In its text, `{mode}` is
// replaced by the mode. A line that ends in `-- only test` or `-- only live` is omitted in the
// other mode, and so are the lines from `-- begin only live` to `-- end only live`.
//
// An applied migration is immutable: a change is a new file with the next number. Slow work on a
// large table isn't a migration but an online job (online/jobs.ts), which a worker runs afterward.
// A migration that requires a finished job names it in a line such as `-- after 0022`. Decided in
// docs/decisions/0067-squash-migrations-into-a-baseline.md.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SQL, type ReservedSQL } from 'bun'
import { LaunchError } from './launch-error.ts'
import { sqlState } from './failures.ts'
import { modes, textIn } from './modes.ts'
import { isOnlineJob, type OnlineJob, readOnlineJobs } from './online/jobs.ts'
import { finishOnlineJobs } from './online/run.ts'
import type { Connection } from './pool.ts'
import {
  type AppliedMigration,
  compatibilityOf,
  newerFault,
  newestOf,
  numberOf,
} from './schema-range.ts'

export type Migration = { name: string; text: string; sha256: string }
type Log = (line: string) => void

const folder = path.join(import.meta.dir, 'migrations')
const nameShape = /^\d{4}_[a-z0-9_]+(\.mode)?\.sql$/
/** An arbitrary number. Nothing else in the database may lock the same number. */
const lockKey = 727_274

export function readMigrations(from = folder): Migration[] {
  const names = readdirSync(from)
    .filter(name => name.endsWith('.sql') && !isOnlineJob(name))
    .sort()
  return names.map(name => {
    if (!nameShape.test(name)) {
      throw new LaunchError(
        `A migration's name must look like 0007_what_it_adds.sql or 0007_what_it_adds.mode.sql. Rename ${name}.`,
      )
    }
    const text = readFileSync(path.join(from, name), 'utf8')
    return { name, text, sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
  })
}

export const onlineJobs = (): OnlineJob[] => readOnlineJobs(folder)

/** Returns the names of the migrations it applied. */
export async function migrate(
  sql: SQL,
  log: Log = () => {},
  migrations = readMigrations(),
  jobs = onlineJobs(),
): Promise<string[]> {
  const connection = await sql.reserve()
  try {
    await takeLock(connection, log)
    await connection.unsafe(
      `create table if not exists public.migrations (
         name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now(),
         compatible_with text)`,
    )
    const rows: Applied[] =
      await connection`select name, sha256, compatible_with from public.migrations`
    const waiting = remaining(migrations, rows)
    for (const migration of waiting) {
      await finishBefore(connection, migration, jobs, log)
      await applyBesideTraffic(connection, migration, log)
    }
    return waiting.map(({ name }) => name)
  } finally {
    await connection`select pg_advisory_unlock(${lockKey})`.catch(ignoreLostConnection)
    await connection.release()
  }
}

export type Applied = AppliedMigration & { readonly sha256: string }

/** Polls, because a session that waits for the lock holds a snapshot, and could deadlock with an
 *  index build. */
async function takeLock(connection: ReservedSQL, log: Log): Promise<void> {
  for (let tries = 0; ; tries++) {
    const [row] = await connection`select pg_try_advisory_lock(${lockKey}) as taken`
    if (row.taken) return
    if (tries === 10) log('Waiting for another process that is migrating the database …')
    await Bun.sleep(100)
  }
}

/** Losing the connection releases the lock and rolls back the transaction. */
function ignoreLostConnection(): void {}

/** An applied migration must not be edited, removed, or preceded by a new one. */
export function remaining(migrations: Migration[], rows: readonly Applied[]): Migration[] {
  const fault = newerFault(new Set(migrations.map(({ name }) => name)), rows)
  if (fault !== null) throw new LaunchError(fault.text)
  const done = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const latest = newestOf(done.keys())
  return migrations.filter(({ name, sha256 }) => {
    const applied = done.get(name)
    if (applied === undefined && name < latest) {
      throw new LaunchError(
        `The migration ${name} comes before ${latest}, which is already applied. Give it a higher number.`,
      )
    }
    if (applied !== undefined && applied !== sha256) {
      throw new LaunchError(
        `The migration ${name} was edited after it was applied. Restore it, and put the change in a new migration.`,
      )
    }
    return applied === undefined
  })
}

export function jobsBefore(text: string, jobs: readonly OnlineJob[]): OnlineJob[] {
  const numbers = new Set([...text.matchAll(/^-- after (\d{4})$/gm)].map(([, one]) => one))
  return jobs.filter(({ name }) => numbers.has(numberOf(name)))
}

/** Runs the jobs here if no worker has run them, because the database is new or the release was
 *  early. */
async function finishBefore(
  connection: ReservedSQL,
  { name, text }: Migration,
  jobs: readonly OnlineJob[],
  log: Log,
): Promise<void> {
  const needed = jobsBefore(text, jobs)
  if (needed.length === 0) return
  log(`${name} is waiting for ${needed.map(job => job.name).join(', ')} …`)
  const run: Connection['run'] = ({ prepared }) =>
    connection.unsafe(prepared.text, prepared.values) as never
  await finishOnlineJobs({ run }, needed)
}

const lockAttemptsMax = 30

/** A statement that waits for a table's lock makes every later statement on that table wait behind
 *  it. So the migration's statement soon gives up, traffic continues, and the migration starts
 *  again. */
async function applyBesideTraffic(
  connection: ReservedSQL,
  migration: Migration,
  log: Log,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(connection, migration)
    } catch (error) {
      const isLocked = error instanceof LaunchError && sqlState(error.cause) === '55P03'
      if (!isLocked || attempt === lockAttemptsMax) throw error
      if (attempt === 1) log(`${migration.name} is waiting for a lock held by another session …`)
      await Bun.sleep(1000)
    }
  }
}

async function apply(connection: ReservedSQL, { name, text, sha256 }: Migration): Promise<void> {
  await connection.unsafe(`begin; set local lock_timeout = '2s'`)
  let sent = text
  try {
    // This insert comes first: if two processes get this far, one waits for the other's row and
    // then fails harmlessly.
    await connection`
      insert into public.migrations (name, sha256, compatible_with)
      values (${name}, ${sha256}, ${compatibilityOf(text)})`
    if (name.endsWith('.mode.sql')) {
      for (const mode of modes) {
        await connection.unsafe(`set local search_path = ${mode}, public`)
        sent = textIn(text, mode)
        await connection.unsafe(sent)
      }
    } else {
      await connection.unsafe(text)
    }
    await connection.unsafe('commit')
  } catch (error) {
    await connection.unsafe('rollback').catch(ignoreLostConnection)
    throw new LaunchError(`The migration ${name} failed${describe(error, sent)}`, { cause: error })
  }
}

function describe(error: unknown, text: string): string {
  if (!(error instanceof SQL.PostgresError)) return `: ${String(error)}`
  const { position } = error
  const line = position === undefined ? 0 : text.slice(0, Number(position)).split('\n').length
  const place = line > 0 ? ` at line ${line}` : ''
  const detail = [error.detail, error.hint, error.where].filter(Boolean).join('; ')
  return `${place}: ${error.message} (${error.errno})${detail === '' ? '' : `; ${detail}`}`
}
