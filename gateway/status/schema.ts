// Whether this gateway still runs on the schema of its database: a newer version may migrate beside
// it. The check is on /api/health and runs once a minute; a gateway that must not serve the schema
// is not ready.
import { knownMigrations } from '#database/check-schema.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { appliedMigrations, newestOf, numberOf, schemaFault } from '#database/schema-range.ts'
import type { Check } from '../server/health.ts'

export type SchemaWatch = { readonly check: Check; isAccepted(): boolean }

const outputs = {
  older: 'The schema of the database is older than this version needs.',
  newer: 'The schema of the database is newer than this version can use.',
} as const

export function watchSchema(
  pool: Pick<ConnectionPool, 'use'>,
  known = knownMigrations(),
): SchemaWatch {
  let isAccepted = true
  return {
    isAccepted: () => isAccepted,
    check: {
      name: 'database:schema',
      componentType: 'datastore',
      failed: 'The schema of the database cannot be read.',
      async run() {
        const applied = await pool.use(appliedMigrations)
        const fault = schemaFault(known, applied)
        isAccepted = fault === null
        const observedValue = numberOf(newestOf(applied.map(({ name }) => name)))
        if (fault === null) return { status: 'pass', observedValue }
        return { status: 'fail', observedValue, output: outputs[fault.cause] }
      },
    },
  }
}
