// The door of a tenant. Whoever came before is not looked up again: the first statement of its call
// asks, in the snapshot in which it does its work, whether the key is still good, nothing has
// changed that says what it may do, and the connection stands in a tenant of its own. Where one of
// these is not so, that statement finds nothing, changes nothing and answers nothing.

import { isFull } from '#database/failures.ts'
import type { Connection, Row } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { CachedCredential } from './credential-cache.ts'

/** One row when the door is open, else none: `stale` is whether the key's use is to be noted. */
function guardOf({ hash, credential, tenant, revision }: CachedCredential): Statement {
  const { mode, integration, agreed } = credential
  // An agreement may end by the clock alone, and in live nothing is done without one.
  const agreement =
    mode === 'live' && agreed
      ? sql`and exists (select from auth.agreements a where a.integration = k.integration
            and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))`
      : nothing
  return sql`
    select k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
      from auth.keys k
      join auth.integrations i on i.id = k.integration
      join tenants s on s.id = ${tenant}::bigint and s.integration = k.integration
     where current_setting('app.tenant', true) = ${tenant}
       and k.hash = ${hash} and k.mode = ${mode} and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())
       and i.id = ${integration} and i.revision = ${revision}::bigint
       and i.suspended_at is null and s.retired_at is null ${agreement}`
}

/** The same for the later statements of a call: whether the connection still stands there. */
const sameTenant = (tenant: string): Statement =>
  sql`select false as stale where current_setting('app.tenant', true) = ${tenant}`

/** The door was shut: something changed since the caller was found, or the connection was lost. */
export class StaleCredential extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_ADRIFT'
}

/** How a call gets at its tenant: every statement of it stands behind a door. */
export type GuardedConnection = {
  /** Whether a statement of this call has passed the whole door. */
  readonly isVerified: boolean
  /** Sends a statement that answers at least one row, with `stale` of the door, where it is open;
   *  throws `Adrift` where it is shut. */
  query<R extends Row>(build: (guard: Statement) => Statement): Promise<[R, ...R[]]>
}

export function guardConnection(
  connection: Connection,
  known: CachedCredential,
): GuardedConnection {
  let isVerified = false
  return {
    get isVerified() {
      return isVerified
    },
    async query<R extends Row>(build: (guard: Statement) => Statement) {
      if (!isVerified) openTenant(connection, known)
      const guard = isVerified ? sameTenant(known.tenant) : guardOf(known)
      const [first, ...others] = await connection.run<R & { stale: boolean }>(build(guard))
      if (!first) {
        connection.tenant = undefined
        throw new StaleCredential('the statement found its door shut')
      }
      isVerified = true
      if (first.stale) await markUsed(connection, known.credential.id)
      return [first, ...others]
    },
  }
}

/**
 * Has the connection stand in the caller's tenant. The database opens it for a key whose
 * integration it belongs to, and closes it for every other; nobody waits for it, because the
 * statement with the door goes out with it and finds out.
 */
function openTenant(connection: Connection, { hash, tenant }: CachedCredential): void {
  if (connection.tenant === tenant) return
  connection.tenant = tenant
  const opened = connection.run(sql`
    select set_config('app.tenant', coalesce((
      select s.id::text from auth.keys k join tenants s on s.integration = k.integration
       where k.hash = ${hash} and s.id = ${tenant}::bigint), ''), false) as opened`)
  void opened.catch(() => {
    connection.tenant = undefined
  })
}

/**
 * Notes, at most once a minute, that a key is in use, so that its owner sees what may be retired.
 * A database without room for the note still knows the key.
 */
export async function markUsed(connection: Connection, key: string): Promise<void> {
  const used = connection.run(sql`
    update auth.keys set last_used_at = now()
     where id = ${key} and (last_used_at is null or last_used_at < now() - interval '1 minute')`)
  await used.catch((failure: unknown) => {
    if (!isFull(failure)) throw failure
  })
}
