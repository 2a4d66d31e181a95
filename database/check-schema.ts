// Checks, when a process starts, whether this version supports the database's schema. Connects as
// the owner.
import { LaunchError } from './launch-error.ts'
import { readMigrations } from './migrate.ts'
import { openPool } from './pool.ts'
import { retryWhileAway } from './retry.ts'
import { appliedMigrations, newestOf, numberOf, schemaFault } from './schema-range.ts'

export const knownMigrations = (): ReadonlySet<string> =>
  new Set(readMigrations().map(({ name }) => name))

/** The schema number that a process reports: the number of its newest migration. */
export const ownSchema = (): string => numberOf(newestOf(knownMigrations()))

/** Throws if this version doesn't support the schema. */
export async function checkSchema(url: string, known = knownMigrations()): Promise<void> {
  const pool = openPool({ url, size: 1, name: 'schema' })
  try {
    const fault = schemaFault(known, await retryWhileAway(() => pool.use(appliedMigrations)))
    if (fault !== null) throw new LaunchError(fault.text)
  } finally {
    await pool.close()
  }
}
