// Access tokens, which are rows in the table of all credentials.

import type { Audience } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AuditedCall, insertAuditRow } from '../audit.ts'
import { familyStands } from '../../guard.ts'
import { familyAsJson, type FamilyRow } from '../families.ts'
import { timesOf } from './times.ts'

export type TokenRow = {
  client: string
  person: string | null
  integration: string
  scopes: string[]
  audience: Audience[] | null
  iat: number
  exp: number
  family: FamilyRow | null
}

/** Finds a token that is currently valid. */
export async function findToken(
  connection: Connection,
  hashes: Statement,
  kinds: readonly string[],
): Promise<TokenRow | undefined> {
  const [found] = await connection.run<TokenRow & Row>(sql`
    select k.client, k.person, k.integration, k.scopes, k.audience,
           ${timesOf(sql`k`)}, ${familyAsJson} as family
      from auth.credentials k
      join auth.token_families f on f.id = k.family and ${familyStands}
      join auth.integrations i on i.id = k.integration and i.suspended_at is null
     where k.hash = any (${hashes}) and k.kind = any (${kinds}::text[]) and k.revoked_at is null
       and k.expires_at > now()`)
  return found
}

/** Revokes one of a confidential client's tokens. */
export const endClientToken = (
  connection: Connection,
  call: AuditedCall,
  hashes: Statement,
): Promise<Row[]> =>
  connection.run(sql`
    with ended as (
      update auth.credentials set revoked_at = clock_timestamp(), revoked_reason = 'revoked'
       where hash = any (${hashes}) and kind = 'client' and revoked_at is null
      returning mode, integration, organization, client, person, id
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.revoke', outcome: 'ok', status: 200, code: 'revoked' },
        sql`select mode, integration, organization, client, person, id from ended`,
      )}
    )
    select from ended`)

/** Whether an access or refresh token belongs to a confidential client's integration, in the
 *  client's mode. */
export async function isOfIntegration(
  connection: Connection,
  client: string,
  hashes: Statement,
): Promise<boolean> {
  const rows = await connection.run(sql`
    select from auth.clients c
     where c.id = ${client} and c.kind = 'confidential' and (
       exists (select from auth.credentials k
                where k.hash = any (${hashes}) and k.integration = c.integration
                  and k.mode = c.mode)
       or exists (select from auth.artifacts a join auth.token_families f on f.id = a.family
                   where a.hash = any (${hashes}) and f.integration = c.integration
                     and f.mode = c.mode))`)
  return rows.length > 0
}
