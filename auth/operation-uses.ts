// The operations a credential has called. They are counted as the request log is written, so they
// lag by a second (migrations/0002_credentials.sql).
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type OperationUse = Row & {
  operation: string
  calls: number
  first_at: string
  last_at: string
}

/** Lists the most frequent operations first. `holders` are keys and token families. */
export const listOperationUses = (
  pool: ConnectionPool,
  holders: readonly string[],
): Promise<OperationUse[]> =>
  pool.use(connection =>
    connection.run<OperationUse>(sql`
      select operation, sum(calls)::int as calls, iso(min(first_at)) as first_at,
             iso(max(last_at)) as last_at
        from auth.operation_uses where holder = any (${holders}::text[])
       group by operation order by sum(calls) desc, operation`),
  )
