// The keys of an integration, as its members see them.
import type { Mode } from '#contract/operation.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

export type IntegrationKey = Row & {
  id: string
  name: string
  last4: string
  scopes: string[]
  /** The organization that it is limited to; null: any that granted access. */
  organization: string | null
  organization_name: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  status: 'active' | 'expired' | 'revoked'
}

const listMax = 200

/** The newest first; those that have ended last. */
export const listIntegrationKeys = (
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
): Promise<IntegrationKey[]> =>
  pool.use(connection =>
    connection.run<IntegrationKey>(sql`
      select id, name, last4, scopes, organization, organization_name,
             iso(created_at) as created_at, iso(expires_at) as expires_at,
             iso(revoked_at) as revoked_at, iso(last_used_at) as last_used_at,
             case when revoked_at is not null then 'revoked'
                  when expires_at <= now() then 'expired' else 'active' end as status
        from auth.keys_of(${integration}, ${mode})
       order by revoked_at is not null or coalesce(expires_at <= now(), false), id desc
       limit ${listMax}`),
  )
