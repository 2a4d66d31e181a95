// Lists the agents and devices that act for an integration's members.
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { familyHasTokens, familyStands } from './guard.ts'

/** A client's access for a member, from all consents and approvals. */
export type MemberAccess = Row & {
  client: string
  client_name: string
  /** The host of the client's document, if it has one. */
  client_host: string | null
  kind: 'agent' | 'device'
  person: string
  person_name: string
  person_email: string
  /** The hosts an agent redirects to. */
  hosts: string | null
  scopes: string[]
  families: string[]
  since: string
  /** Expired tokens are removed, but their calls still count here. */
  last_used_at: string | null
  calls: number
}

const listMax = 500

/** `person` limits the list to one member; null means any. Newest first. */
export const listMemberAccess = (
  pool: ConnectionPool,
  integration: string,
  person: string | null,
): Promise<MemberAccess[]> =>
  pool.use(connection =>
    connection.run<MemberAccess>(sql`
      select f.client, c.name as client_name, c.document_host as client_host, f.kind, f.person, p.name as person_name,
             p.email as person_email, string_agg(distinct f.redirect_host, ', ') as hosts,
             array_agg(distinct s.scope) as scopes, array_agg(distinct f.id) as families,
             iso(min(f.created_at)) as since, iso(max(used.at)) as last_used_at,
             coalesce((select sum(u.calls) from auth.operation_uses u
                        where u.holder = any (array_agg(distinct f.id))), 0)::int as calls
        from auth.token_families f
        join auth.clients c on c.id = f.client and c.revoked_at is null
        join auth.persons p on p.id = f.person
        cross join lateral unnest(f.scopes) as s (scope)
        cross join lateral (
          select greatest((select max(k.last_used_at) from auth.credentials k where k.family = f.id),
                          (select max(u.last_at) from auth.operation_uses u where u.holder = f.id))
                 as at) used
       where f.integration = ${integration} and f.kind in ('agent', 'device') and ${familyStands}
         and ${familyHasTokens} and (${person}::text is null or f.person = ${person})
       group by f.client, c.name, c.document_host, f.kind, f.person, p.name, p.email
       order by min(f.created_at) desc, min(f.id) desc
       limit ${listMax}`),
  )
