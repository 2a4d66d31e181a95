// Agents and devices that act for a person: the token families the person consented to or approved.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { familyHasTokens } from '../guard.ts'

/** A client's token families for one integration, shown to the person as one entry. */
export type Access = Row & {
  client: string
  client_name: string
  /** The host of the client's document, if it has one. */
  client_host: string | null
  kind: 'agent' | 'device'
  integration: string
  integration_name: string
  /** The hosts an agent redirects to. */
  hosts: string | null
  scopes: string[]
  since: string
  last_used_at: string | null
}

const isLive = sql`
  f.revoked_at is null and (f.ends_at is null or f.ends_at > clock_timestamp())
  and f.kind in ('agent', 'device')`

const listMax = 200

export const listAccess = (pool: ConnectionPool, person: string): Promise<Access[]> =>
  pool.use(connection =>
    connection.run<Access>(sql`
      select f.client, c.name as client_name, c.document_host as client_host, f.kind, f.integration, i.name as integration_name,
             string_agg(distinct f.redirect_host, ', ') as hosts,
             array_agg(distinct s.scope) as scopes,
             iso(min(f.created_at)) as since, iso(max(used.at)) as last_used_at
        from auth.token_families f
        join auth.clients c on c.id = f.client and c.revoked_at is null
        join auth.integrations i on i.id = f.integration
        cross join lateral unnest(f.scopes) as s (scope)
        left join lateral (
          select max(k.last_used_at) as at from auth.credentials k where k.family = f.id) used on true
       where f.person = ${person} and ${isLive} and ${familyHasTokens}
       group by f.client, c.name, c.document_host, f.kind, f.integration, i.name
       order by min(f.created_at) desc, min(f.id) desc
       limit ${listMax}`),
  )

export type AccessName = Pick<Access, 'client' | 'integration' | 'kind'>

export type EarlierConsent = Row & { integration: string; integration_name: string; since: string }

/** A person's latest consent to a client at a host, if it's still valid. */
export async function findConsent(
  pool: ConnectionPool,
  person: string,
  { client, redirectHost }: { client: string; redirectHost: string },
): Promise<EarlierConsent | null> {
  const [found] = await pool.use(connection =>
    connection.run<EarlierConsent>(sql`
      select f.integration, i.name as integration_name, iso(f.created_at) as since
        from auth.token_families f join auth.integrations i on i.id = f.integration
       where f.person = ${person} and f.client = ${client} and f.redirect_host = ${redirectHost}
         and ${isLive}
       order by f.created_at desc, f.id desc limit 1`),
  )
  return found ?? null
}

/** Ends a client's families for an integration. `audited` inserts an audit row for each family. */
export async function endAccess(
  pool: ConnectionPool,
  person: string,
  { client, integration, kind }: AccessName,
  audited: (subjects: Statement) => Statement,
): Promise<boolean> {
  const rows = await pool.use(connection =>
    connection.run(sql`
      with ended as (
        update auth.token_families f
           set revoked_at = clock_timestamp(), revoked_reason = 'ended_by_person'
         where f.person = ${person} and f.client = ${client} and f.integration = ${integration}
           and f.kind = ${kind} and f.revoked_at is null
        returning f.id, f.mode, f.integration, f.organization, f.client, f.person
      ), audited as (${audited(
        sql`select mode, integration, organization, client, person, id from ended`,
      )})
      select id from ended`),
  )
  return rows.length > 0
}
