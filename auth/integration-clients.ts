// Lists an integration's confidential OAuth clients for its members, and counts their tokens.
import type { Mode } from '#contract/operation.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

type ClientSecret = {
  readonly id: string
  readonly last4: string
  readonly created_at: string
}

export type IntegrationClient = Row & {
  id: string
  name: string
  scopes: string[]
  /** The only organization the client can access; null means any that granted access. */
  organization: string | null
  organization_name: string | null
  created_at: string
  revoked_at: string | null
  /** When the client last got a token, to the minute. */
  last_token_at: string | null
  family: string
  /** The active secrets, at most two. */
  secrets: ClientSecret[]
}

const listMax = 1000

const select = sql`
  select c.id, c.name, c.scopes, c.organization, o.name as organization_name,
         iso(c.created_at) as created_at, iso(c.revoked_at) as revoked_at,
         iso(c.last_token_at) as last_token_at,
         (select f.id from auth.token_families f where f.client = c.id and f.kind = 'client') as family,
         (select coalesce(json_agg(row_to_json(s)), '[]') from (
            select s.id, s.last4, iso(s.created_at) as created_at from auth.client_secrets s
             where s.client = c.id and s.revoked_at is null
               and (s.expires_at is null or s.expires_at > now()) order by s.id) s) as secrets
    from auth.clients c left join auth.organizations o on o.id = c.organization
   where c.kind = 'confidential'`

/** Newest first. */
export const listIntegrationClients = (
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
): Promise<IntegrationClient[]> =>
  pool.use(connection =>
    connection.run<IntegrationClient>(sql`
      ${select} and c.integration = ${integration} and c.mode = ${mode}
       order by c.id desc limit ${listMax}`),
  )

export async function findIntegrationClient(
  pool: ConnectionPool,
  integration: string,
  mode: Mode,
  id: string,
): Promise<IntegrationClient | null> {
  const [found] = await pool.use(connection =>
    connection.run<IntegrationClient>(sql`
      ${select} and c.integration = ${integration} and c.mode = ${mode} and c.id = ${id}`),
  )
  return found ?? null
}

export type LiveTokens = Row & { count: number; last_used_at: string | null }

/** Counts a family's valid tokens. */
export async function countLiveTokens(pool: ConnectionPool, family: string): Promise<LiveTokens> {
  const [found] = await pool.use(connection =>
    connection.run<LiveTokens>(sql`
      select count(*) filter (where revoked_at is null and expires_at > now())::int as count,
             iso(max(last_used_at)) as last_used_at
        from auth.credentials where family = ${family}`),
  )
  return found ?? { count: 0, last_used_at: null }
}
