// Whether this version runs on the schema of a database: asked when a process starts, by the owner.
import { isTransient } from './failures.ts'
import { LaunchError } from './launch-error.ts'
import { readMigrations } from './migrate.ts'
import { type ConnectionPool, openPool } from './pool.ts'
import { appliedMigrations, newestOf, numberOf, schemaFault } from './schema-range.ts'

export const knownMigrations = (): ReadonlySet<string> =>
  new Set(readMigrations().map(({ name }) => name))

/** The number that a process states as its schema. */
export const ownSchema = (): string => numberOf(newestOf(knownMigrations()))

/** A database that is starting, or whose primary changes, gets this long. */
const waitSecondsMax = 30
const pauseSeconds = 0.25

/** Throws where it does not. */
export async function checkSchema(url: string, known = knownMigrations()): Promise<void> {
  const pool = openPool({ url, size: 1, name: 'schema' })
  try {
    const fault = schemaFault(known, await readApplied(pool))
    if (fault !== null) throw new LaunchError(fault.text)
  } finally {
    await pool.close()
  }
}

async function readApplied(pool: ConnectionPool) {
  for (let waited = 0; ; waited += pauseSeconds) {
    try {
      return await pool.use(appliedMigrations)
    } catch (failure) {
      if (!isTransient(failure) || waited >= waitSecondsMax) throw failure
      await Bun.sleep(pauseSeconds * 1000)
    }
  }
}
