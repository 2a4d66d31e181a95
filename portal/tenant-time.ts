// The clock that dates deliveries and events: the sandbox's, which may be ahead.
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { MemberCall } from './context.ts'

export const tenantTime = ({ aheadMs }: Pick<MemberCall, 'aheadMs'>, now: number): number =>
  now + aheadMs

/** How far an integration's sandbox is ahead of real time, in milliseconds. */
export async function sandboxAheadMs(pool: ConnectionPool, integration: string): Promise<number> {
  const [row] = await pool.use(connection =>
    connection.run<{ ahead: string }>(
      sql`select auth.sandbox_ahead_ms(${integration})::text as ahead`,
    ),
  )
  return Number(row?.ahead ?? 0)
}
