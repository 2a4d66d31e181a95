// Writes a token request's outcome: one statement consumes the code, refresh token or device code,
// and stores the new tokens. If another request has already consumed that value, nothing is stored.

import type { Connection, Row } from '#database/pool.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { insertAuditRow } from '../audit.ts'
import { familyStands } from '../../guard.ts'
import type { Consumed, IssuedAccess, IssuedRefresh, OAuthRequest } from '../request.ts'
import type { Secrets } from '../secrets.ts'

type Issue = { consumed: Consumed; access: IssuedAccess; refresh?: IssuedRefresh }

/** Returns whether the tokens were stored. */
export async function commitTokens(
  connection: Connection,
  secrets: Secrets,
  { call, organization = null }: OAuthRequest,
  { consumed, access, refresh }: Issue,
): Promise<boolean> {
  const parts = [
    sql`standing as materialized (
      select f.id, f.kind, f.client, f.person, f.integration, f.mode,
             coalesce(f.organization, ${organization}::text) as organization
        from auth.token_families f join consumed c on c.family = f.id
       where ${familyStands} for share of f
    )`,
    insertAccessToken(secrets, access),
    refresh === undefined || consumed.isRetry ? nothing : insertRefreshToken(secrets, refresh),
    sql`, used as (
      update auth.clients c set last_token_at = clock_timestamp() from standing s
       where c.id = s.client
         and (c.last_token_at is null or c.last_token_at < now() - interval '1 minute')
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.token', outcome: 'ok', status: 200, code: null },
        sql`select s.mode, s.integration, s.organization, s.client, s.person, t.id
              from standing s, token t`,
      )}
    )`,
    consumed.kind === 'code' || (consumed.isRetry && consumed.isConcurrent !== true)
      ? endWhenSecond(call, consumed)
      : nothing,
  ]
  const [row] = await connection.run<Row & { stands: boolean }>(sql`
    with consumed as materialized (${takeFirst(secrets, consumed, refresh)}),
    ${parts[0] ?? nothing} ${parts[1] ?? nothing} ${parts[2] ?? nothing} ${parts[3] ?? nothing}
    ${parts[4] ?? nothing}
    select exists (select from token) as stands`)
  return row?.stands ?? false
}

/** Selects the family if this request comes first. A retry gets the successor that the first
 *  request created, unless that successor was used, which means the response wasn't lost. A
 *  simultaneous request has had no response yet, regardless of other requests. */
const takeFirst = (
  secrets: Secrets,
  { hashes, isRetry, isConcurrent = false }: Consumed,
  refresh: IssuedRefresh | undefined,
): Statement =>
  isRetry && refresh !== undefined
    ? sql`select a.family from auth.artifacts a
           where a.hash = any (${secrets.hashes(refresh.value)})
             and (a.consumed_at is null or ${isConcurrent})`
    : sql`update auth.artifacts a set consumed_at = clock_timestamp()
           where a.hash = any (${hashes}) and a.consumed_at is null and a.expires_at > now()
          returning a.family`

const insertAccessToken = (secrets: Secrets, access: IssuedAccess): Statement => sql`
  , token as (
    insert into auth.credentials (id, kind, integration, organization, mode, name, scopes, hash,
                                  last4, expires_at, family, client, person, audience,
                                  pepper)
    select ${newId('token')}, s.kind, s.integration, s.organization, s.mode,
           'access token', ${access.scopes}::text[], ${secrets.hash(access.value)},
           ${access.value.slice(-4)}, clock_timestamp() + ${access.seconds}::int * interval '1 second',
           s.id, s.client, s.person, ${access.audience}::text[], ${secrets.pepper}
      from standing s
    returning id
  )`

const insertRefreshToken = (secrets: Secrets, refresh: IssuedRefresh): Statement => sql`
  , refreshed as (
    insert into auth.artifacts (hash, pepper, kind, family, client, person, payload, expires_at)
    select ${secrets.hash(refresh.value)}, ${secrets.pepper}, 'refresh', s.id, s.client, s.person,
           ${JSON.stringify(refresh.payload)}::text::jsonb,
           clock_timestamp() + ${refresh.seconds}::int * interval '1 second'
      from standing s
  )`

/** A code used twice may have been stolen, so the first use's tokens end (RFC 6749, 4.1.2). The
 *  same goes for a refresh token whose successor was already used (RFC 9700, 4.14.2). */
const endWhenSecond = (call: OAuthRequest['call'], { family }: Consumed): Statement => sql`
  , ended as (
    update auth.token_families f set revoked_at = clock_timestamp(), revoked_reason = 'reused'
     where f.id = ${family} and f.revoked_at is null and not exists (select from consumed)
    returning f.mode, f.integration, f.organization, f.client, f.person, f.id
  ), reported as (
    ${insertAuditRow(
      call,
      { action: 'oauth.revoke', outcome: 'ok', status: 200, code: 'reused' },
      sql`select mode, integration, organization, client, person, id from ended`,
    )}
  )`
