// The credential guard. A cached credential isn't looked up again: a call's first query revalidates
// it in the same snapshot as its work. The guard requires that the key or token is still valid,
// that its permissions haven't changed, that the connection is set to one of its integration's
// tenants, and that this tenant's clock wasn't advanced. Otherwise the query reads and writes
// nothing. Decided in docs/decisions/0002-open-row-level-security-with-the-credential.md.

import { isFull } from '#database/failures.ts'
import type { Connection, Row } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { CachedCredential, FoundCaller } from './credential-cache.ts'
import { hashArray, pepperName } from './pepper.ts'

/** True for a family that is neither revoked nor ended. A family's tokens are valid only while this
 *  condition is true. */
export const familyStands = sql`f.revoked_at is null and (f.ends_at is null or f.ends_at > now())`

/** True for a family that has or had a token. A consent whose token was never issued, because a
 *  server stopped first, gives no access. */
export const familyHasTokens = sql`(
  exists (select from auth.credentials k where k.family = f.id)
  or exists (select from auth.artifacts a where a.family = f.id)
  or exists (select from auth.operation_uses u where u.holder = f.id))`

/** Whether an integration has a business associate agreement in effect. */
export const hasAgreement = (integration: Statement): Statement => sql`
  exists (select from auth.agreements a where a.integration = ${integration}
             and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))`

const ofKey = sql`k.integration`

/** True if tenant `s`'s clock hasn't changed since the credential was looked up, because calls use
 *  that clock's time for decisions. In live mode, the clock never changes. */
export const sameClock = ({ credential, ahead }: CachedCredential): Statement =>
  credential.mode === 'test' ? sql`and s.ahead_ms = ${ahead}::bigint` : nothing

/** Returns one row if the credential is valid. `stale` is true if the credential's use should be
 *  recorded. */
function guardOf(cached: CachedCredential): Statement {
  const { credential, tenant, revision } = cached
  const { id, mode, integration, family, agreed } = credential
  // An agreement may expire, which doesn't change the revision.
  const agreement = mode === 'live' && agreed ? sql`and ${hasAgreement(ofKey)}` : nothing
  const standing =
    family === null
      ? nothing
      : sql`and exists (select from auth.token_families f where f.id = k.family
            and ${familyStands})`
  return sql`
    select k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
      from auth.credentials k
      join auth.integrations i on i.id = k.integration
      join tenants s on s.id = ${tenant}::bigint and s.integration = k.integration
     where current_setting('app.tenant', true) = ${tenant}
       and k.id = ${id} and k.mode = ${mode} and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now())
       and i.id = ${integration} and i.revision = ${revision}::bigint
       and i.suspended_at is null and s.retired_at is null ${sameClock(cached)} ${agreement} ${standing}`
}

/** The guard for a call's later queries: whether the connection is still set to the tenant. */
const sameTenant = (tenant: string): Statement =>
  sql`select false as stale where current_setting('app.tenant', true) = ${tenant}`

/** The guard failed: the credential changed since it was cached, or the connection was replaced. */
export class StaleCredential extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_STALE'
}

/** A call's connection, where every query contains a guard. */
export type GuardedConnection = {
  /** Whether one of this call's queries has passed the full guard. */
  readonly isVerified: boolean
  /** Selects one row with `stale` if the next query may run, otherwise none. Every query contains
   *  this statement. */
  readonly guard: Statement
  /** If the guard passes, runs a query that returns at least one row, with the guard's `stale`.
   *  Otherwise, throws `StaleCredential`. */
  query<R extends Row>(statement: Statement): Promise<[R, ...R[]]>
}

type Checks<F extends FoundCaller> = {
  /** Selects one row with `stale` if the credential is valid, otherwise none. */
  standing(cached: F): Statement
  /** Sets the connection to the caller's tenant, or to no tenant if the caller has none. */
  opening(cached: F): Statement
  /** Whether a stale credential's use is recorded here. */
  marksUse: boolean
}

export const guardBy =
  <F extends FoundCaller>({ standing, opening, marksUse }: Checks<F>) =>
  (connection: Connection, cached: F): GuardedConnection => {
    let isVerified = false
    return {
      get isVerified() {
        return isVerified
      },
      get guard() {
        return isVerified ? sameTenant(cached.tenant) : standing(cached)
      },
      async query<R extends Row>(statement: Statement) {
        if (!isVerified) openTenant(connection, cached.tenant, opening(cached))
        const [first, ...others] = await connection.run<R & { stale: boolean }>(statement)
        if (!first) {
          connection.tenant = undefined
          throw new StaleCredential('the credential changed, or the connection was replaced')
        }
        isVerified = true
        if (marksUse && first.stale) await markUsed(connection, cached.credential.id)
        return [first, ...others]
      },
    }
  }

const openingOf = ({ credential, tenant }: CachedCredential): Statement => sql`
  select set_config('app.tenant', coalesce((
    select s.id::text from auth.credentials k join tenants s on s.integration = k.integration
     where k.id = ${credential.id} and s.id = ${tenant}::bigint), ''), false) as opened`

/** The guard for keys and tokens. */
export const guardConnection = guardBy({ standing: guardOf, opening: openingOf, marksUse: true })

/**
 * Sets the connection to the caller's tenant. The database sets it only for a credential of the
 * tenant's integration, and clears it for any other. The result isn't awaited: the guarded query
 * follows immediately and checks the setting.
 */
function openTenant(connection: Connection, tenant: string, opening: Statement): void {
  if (connection.tenant === tenant) return
  connection.tenant = tenant
  const opened = connection.run(opening)
  void opened.catch(() => {
    connection.tenant = undefined
  })
}

/**
 * Records a credential's use, at most once a minute, so its owner can find unused credentials. A
 * full disk must not make the call fail.
 */
export async function markUsed(connection: Connection, credential: string): Promise<void> {
  const used = connection.run(sql`
    update auth.credentials set last_used_at = now()
     where id = ${credential} and (last_used_at is null or last_used_at < now() - interval '1 minute')`)
  await used.catch(ignoreFull)
}

/**
 * Replaces an older pepper's hash with the newest pepper's, so the older pepper can eventually be
 * dropped. `hashes` are the presented token's hashes, starting with the newest pepper's.
 */
export async function rehash(
  connection: Connection,
  credential: string,
  [newest, ...older]: readonly [Uint8Array, ...Uint8Array[]],
  pepper: string,
): Promise<void> {
  const rehashed = connection.run(sql`
    select auth.rehash_credential(${credential}, ${hashArray(older)}, ${newest},
                                  ${pepperName(pepper)})`)
  await rehashed.catch(ignoreFull)
}

/** Bookkeeping must not make a call fail when the disk is full. */
export function ignoreFull(failure: unknown): void {
  if (!isFull(failure)) throw failure
}
