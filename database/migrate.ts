// Brings a database up to date, forward only. A migration is a .sql file whose name orders it, and
// each runs in one transaction. A file called *.plane.sql runs once in each plane's schema.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { SQL, type ReservedSQL } from 'bun'
import { LaunchError } from './launch-error.ts'
import { modes } from './modes.ts'

export type Migration = { name: string; text: string; sha256: string }
type Log = (line: string) => void

const folder = path.join(import.meta.dir, 'migrations')
const nameShape = /^\d{4}_[a-z0-9_]+(\.plane)?\.sql$/
/** Any number will do, as long as nothing else in the database locks the same one. */
const lockKey = 727_274

export function readMigrations(from = folder): Migration[] {
  const names = readdirSync(from)
    .filter(name => name.endsWith('.sql'))
    .sort()
  return names.map(name => {
    if (!nameShape.test(name)) {
      throw new LaunchError(
        `${name} is not a name for a migration: it must be like 0007_what_it_adds.sql or 0007_what_it_adds.plane.sql.`,
      )
    }
    const text = readFileSync(path.join(from, name), 'utf8')
    return { name, text, sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
  })
}

/** One hash of all migrations: databases with the same hash have the same schema. */
export function migrationsHash(migrations = readMigrations()): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const { name, sha256 } of migrations) hasher.update(`${name} ${sha256}\n`)
  return hasher.digest('hex')
}

/** Answers the names of those it applied. */
export async function migrate(
  sql: SQL,
  log: Log = () => {},
  migrations = readMigrations(),
): Promise<string[]> {
  const connection = await sql.reserve()
  try {
    await takeLock(connection, log)
    await connection.unsafe(
      `create table if not exists public.migrations (
         name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now())`,
    )
    const rows = await connection`select name, sha256 from public.migrations`
    const done = new Map<string, string>(
      rows.map((row: Migration): [string, string] => [row.name, row.sha256]),
    )
    const waiting = remaining(migrations, done)
    for (const migration of waiting) await apply(connection, migration)
    return waiting.map(({ name }) => name)
  } finally {
    await connection`select pg_advisory_unlock(${lockKey})`.catch(ignoreLostConnection)
    connection.release()
  }
}

/**
 * Asked again and again, not waited for: a waiter would hold a snapshot and could deadlock an index
 * build.
 */
async function takeLock(connection: ReservedSQL, log: Log): Promise<void> {
  for (let tries = 0; ; tries++) {
    const [row] = await connection`select pg_try_advisory_lock(${lockKey}) as taken`
    if (row.taken) return
    if (tries === 10) log('Waiting for another process that is migrating …')
    await Bun.sleep(100)
  }
}

/** The lock and the transaction belong to the connection, so a lost one has let go of both. */
function ignoreLostConnection(): void {}

/**
 * What is applied is history: it may be neither edited, nor removed, nor preceded by something new.
 */
function remaining(migrations: Migration[], done: Map<string, string>): Migration[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...done.keys()].find(name => !known.has(name))
  if (unknown !== undefined) {
    throw new LaunchError(
      `The database has the migration ${unknown}, which this version of the house does not. Run the newer version, or use another database.`,
    )
  }
  const latest = [...done.keys()].sort().at(-1) ?? ''
  return migrations.filter(({ name, sha256 }) => {
    const applied = done.get(name)
    if (applied === undefined && name < latest) {
      throw new LaunchError(
        `The migration ${name} comes before ${latest}, which is already applied. Give it a higher number.`,
      )
    }
    if (applied !== undefined && applied !== sha256) {
      throw new LaunchError(
        `The migration ${name} was edited after it was applied. Restore it, and put the change into a new migration.`,
      )
    }
    return applied === undefined
  })
}

async function apply(connection: ReservedSQL, { name, text, sha256 }: Migration): Promise<void> {
  await connection.unsafe('begin')
  try {
    // First, so that of two processes that got this far one waits on the key and then fails
    // harmlessly.
    await connection`insert into public.migrations (name, sha256) values (${name}, ${sha256})`
    if (name.endsWith('.plane.sql')) {
      for (const mode of modes) {
        await connection.unsafe(`set local search_path = ${mode}, public`)
        await connection.unsafe(text)
      }
    } else {
      await connection.unsafe(text)
    }
    await connection.unsafe('commit')
  } catch (error) {
    await connection.unsafe('rollback').catch(ignoreLostConnection)
    throw new LaunchError(`The migration ${name} failed${describe(error, text)}`, { cause: error })
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
