// Predicts the effect of this version's migrations on a database and the processes that use it.
// Changes nothing.
import { LaunchError } from './launch-error.ts'
import { type Applied, jobsBefore, onlineJobs, readMigrations, remaining } from './migrate.ts'
import type { Connection } from './pool.ts'
import { type PlatformProcess, runningProcesses } from './processes.ts'
import { compatibilityOf } from './schema-range.ts'
import { sql } from './sql.ts'

type PendingMigration = {
  readonly name: string
  /** The oldest version that can run alongside the migration; null means none. */
  readonly compatible_with: string | null
  /** Unfinished online jobs that the migration requires, and would run first. */
  readonly waits_for: readonly string[]
}

export type MigrationCheck = {
  readonly pending: readonly PendingMigration[]
  /** Migrations applied by a newer version that runs alongside this one. */
  readonly newer: readonly string[]
  readonly processes: readonly PlatformProcess[]
  /** Processes to stop first, because the pending migrations would break these processes. */
  readonly stop: readonly PlatformProcess[]
  /** Why this version can neither migrate this database nor run on it; null if it can. */
  readonly fault: string | null
}

export async function checkMigrations(
  connection: Connection,
  migrations = readMigrations(),
  jobs = onlineJobs(),
): Promise<MigrationCheck> {
  const applied = await appliedTo(connection)
  const processes = await runningProcesses(connection)
  const done = await doneJobs(connection)
  const unfinished = jobs.filter(job => !done.has(job.name))
  const known = new Set(migrations.map(({ name }) => name))
  const newer = applied.map(({ name }) => name).filter(name => !known.has(name))
  const empty = { pending: [], newer, processes, stop: [] }
  try {
    const pending = remaining(migrations, applied).map(({ name, text }) => ({
      name,
      compatible_with: compatibilityOf(text),
      waits_for: jobsBefore(text, unfinished).map(job => job.name),
    }))
    const stop = processes.filter(({ schema }) => pending.some(one => breaks(one, schema)))
    return { ...empty, pending, stop, fault: null }
  } catch (failure) {
    if (failure instanceof LaunchError) return { ...empty, fault: failure.message }
    throw failure
  }
}

/** A process at this version or a newer one already includes the migration. */
const breaks = ({ name, compatible_with: from }: PendingMigration, schema: string): boolean =>
  schema < name.slice(0, 4) && (from === null || schema < from)

async function doneJobs(connection: Connection): Promise<ReadonlySet<string>> {
  if (!(await hasTable(connection, 'public.online_jobs'))) return new Set()
  const rows = await connection.run<{ name: string }>(
    sql`select name from public.online_jobs where ended_at is not null`,
  )
  return new Set(rows.map(({ name }) => name))
}

async function appliedTo(connection: Connection): Promise<Applied[]> {
  if (!(await hasTable(connection, 'public.migrations'))) return []
  return connection.run<Applied>(sql`
    select name, sha256, compatible_with from public.migrations order by name`)
}

/** A database that was never migrated lacks the migrations table, for example. */
async function hasTable(connection: Connection, name: string): Promise<boolean> {
  const [row] = await connection.run<{ exists: boolean }>(
    sql`select to_regclass(${name}) is not null as exists`,
  )
  return row?.exists === true
}
