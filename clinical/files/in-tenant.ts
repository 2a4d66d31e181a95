// Sets the connection to an encrypted link's tenant, as a credential does for /v1. Row-level
// security then limits every statement to that tenant.

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
