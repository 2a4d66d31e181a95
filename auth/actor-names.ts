// The names of callers: OAuth clients, and the people they act for.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** Names by ID. Deleted people have none. */
export async function namesOfActors(
  pool: ConnectionPool,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter(id => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await pool.use(connection =>
    connection.run<Row & { id: string; name: string }>(sql`
      select id, name from auth.clients where id = any (${wanted}::text[])
      union all
      select id, name from auth.persons where id = any (${wanted}::text[])`),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
