// What a credential does elsewhere, a sealed address does here: it sets the tenant that it names
// on the connection, and row level security holds every statement of the work to it.

import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { AppContext } from '../pipeline/perform.ts'

export const inTenant = <T>(
  { pools }: Pick<AppContext, 'pools'>,
  { mode, tenant }: { mode: Mode; tenant: string },
  work: (connection: Connection) => Promise<T>,
): Promise<T> =>
  pools[mode].use(async connection => {
    await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
    return work(connection)
  })
