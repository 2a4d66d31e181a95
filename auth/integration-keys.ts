// Lists an integration's keys for its members.
import type { Mode } from '#contract/operation.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type IntegrationKey = Row & {
  id: string
  name: string
  last4: string
  scopes: string[]
  /** The only organization the key can access; null means any that granted access. */
  organization: string | null
  organization_name: string | null
  created_at: string
  /** Null if the operator created the key. */
  created_by_name: string | null
  expires_at: string | null
  revoked_at: string | null
  /** Null if a member or the operator revoked the key. */
  revoked_reason: 'reported' | null
  last_used_at: string | null
  /** A rotated key's successor. */
  replaced_by: string | null
  /** A rotated key is retiring until it expires, then retired. */
  status: 'active' | 'retiring' | 'retired' | 'expired' | 'revoked'
}

const listMax = 1000

const keyColumns = sql`
  id, name, last4, scopes, organization, organization_name, iso(created_at) as created_at,
  created_by_name, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
  revoked_reason, iso(last_used_at) as last_used_at, replaced_by,
  case when revoked_at is not null then 'revoked'
       when expires_at <= now() then case when replaced_by is null then 'expired' else 'retired' end
       when replaced_by is not null then 'retiring' else 'active' end as status`

/** Newest first. */
export const listIntegrationKeys = (
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
): Promise<IntegrationKey[]> =>
  pool.use(connection =>
    connection.run<IntegrationKey>(sql`
      select ${keyColumns} from auth.keys_of(${integration}, ${mode})
       order by id desc
       limit ${listMax}`),
  )

export async function findIntegrationKey(
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
  id: string,
): Promise<IntegrationKey | null> {
  const [found] = await pool.use(connection =>
    connection.run<IntegrationKey>(sql`
      select ${keyColumns} from auth.keys_of(${integration}, ${mode}) where id = ${id}`),
  )
  return found ?? null
}
