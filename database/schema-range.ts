// The schemas that this version supports. This version requires all of its own migrations. A
// migration that this version doesn't have was applied by a newer version, and states which older
// versions can run alongside it in a line such as `-- compatible with 0021`: those whose newest
// migration is 0021 or later. Without that line, no older version can.
import type { Connection } from './pool.ts'
import { sql } from './sql.ts'

export type AppliedMigration = { readonly name: string; readonly compatible_with: string | null }

/** A fault for the operator. Callers branch on `cause`. */
export type SchemaFault = { readonly cause: 'older' | 'newer'; readonly text: string }

const line = /^-- compatible with (\d{4})$/m

export const compatibilityOf = (text: string): string | null => line.exec(text)?.[1] ?? null

export const numberOf = (name: string): string => name.slice(0, 4)

export const newestOf = (names: Iterable<string>): string => [...names].sort().at(-1) ?? ''

/** Why a version with these migrations must not run on a database with the applied migrations; null
 *  if the version may run. */
export function schemaFault(
  known: ReadonlySet<string>,
  applied: readonly AppliedMigration[],
): SchemaFault | null {
  const newer = newerFault(known, applied)
  if (newer !== null) return newer
  const names = new Set(applied.map(({ name }) => name))
  const missing = [...known].find(name => !names.has(name))
  if (missing === undefined) return null
  return {
    cause: 'older',
    text: `The database lacks the migration ${missing}. Run this version's \`npm run admin -- migrate\` first.`,
  }
}

/** The check that also applies before migrating: whether a newer version applied migrations that
 *  this version doesn't support. */
export function newerFault(
  known: ReadonlySet<string>,
  applied: readonly AppliedMigration[],
): SchemaFault | null {
  const own = numberOf(newestOf(known))
  const refused = applied.find(
    ({ name, compatible_with: from }) => !known.has(name) && (from === null || from > own),
  )
  if (refused === undefined) return null
  return {
    cause: 'newer',
    text: `The database has the migration ${refused.name}, which this version of the platform does not have or support. Run the newer version, or use another database.`,
  }
}

/** The oldest version that still runs on this schema, as its newest migration. */
export function oldestBeside(applied: readonly AppliedMigration[]): string {
  let [oldest, needed] = ['', '']
  for (const { name, compatible_with: from } of applied.toSorted(newestFirst)) {
    if (numberOf(name) < needed) break
    oldest = numberOf(name)
    if (from === null) break
    if (from > needed) needed = from
  }
  return oldest
}

const newestFirst = (a: AppliedMigration, b: AppliedMigration) => (a.name < b.name ? 1 : -1)

export const appliedMigrations = (connection: Connection) =>
  connection.run<AppliedMigration>(
    sql`select name, compatible_with from public.migrations order by name`,
  )
