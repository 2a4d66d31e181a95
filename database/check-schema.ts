// Whether this version runs on the schema of a database: asked when a process starts, by the owner.
import { LaunchError } from './launch-error.ts'
import { readMigrations } from './migrate.ts'
import { openPool } from './pool.ts'
import { appliedMigrations, schemaFault } from './schema-range.ts'

export const knownMigrations = (): ReadonlySet<string> =>
  new Set(readMigrations().map(({ name }) => name))

/** Throws where it does not. */
export async function checkSchema(url: string, known = knownMigrations()): Promise<void> {
  const pool = openPool({ url, size: 1, name: 'schema' })
  try {
    const fault = schemaFault(known, await pool.use(appliedMigrations))
    if (fault !== null) throw new LaunchError(fault.text)
  } finally {
    await pool.close()
  }
}
