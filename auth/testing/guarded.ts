// Helpers for calls guarded by a credential.
import type { Connection, ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type GuardedConnection, StaleCredential } from '../guard.ts'
import { verify } from './verify.ts'

/** Sets a connection to a tenant, as an earlier call would have left it. */
export async function setTenant(connection: Connection, tenant: string): Promise<void> {
  connection.tenant = tenant
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
}

/** Whether a call passes the guard on a connection set to a tenant. */
export const passesGuard = (
  pool: ConnectionPool,
  tenant: string,
  guard: (connection: Connection) => GuardedConnection,
): Promise<boolean> =>
  pool.use(async connection => {
    await setTenant(connection, tenant)
    return verify(guard(connection)).then(
      () => true,
      (failure: unknown) => {
        if (failure instanceof StaleCredential) return false
        throw failure
      },
    )
  })
