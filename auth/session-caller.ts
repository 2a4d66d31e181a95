// A person's session as a call's credential, for one integration in one mode, with the scopes of
// the member's role. The gateway's roles can't read sessions, so two database functions
// (migrations/0002_credentials.sql) find a session's member and check that the session is still
// valid.

import type { Mode } from '#contract/operation.ts'
import { type MemberRole, roleScopes } from '#contract/scopes.ts'
import { type Connection, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { CachedCredential, CredentialCache, GrantedOrganization } from './credential-cache.ts'
import { guardBy, sameClock } from './guard.ts'
import { hashArray, hashesOf, type Peppers } from './pepper.ts'
import { aheadOfOpened, grantedTo, openedTenant, type PresentedCredential } from './principal.ts'

/** A session, and the integration, mode and organization it acts for. */
export type PresentedSession = {
  readonly token: string
  readonly integration: string
  readonly mode: Mode
  readonly organization: string | null
}

const prefix = 'session'

export function presentSession(
  peppers: Peppers,
  { token, integration, mode, organization }: PresentedSession,
  actingFor = organization ?? '',
): PresentedCredential {
  const hashes = hashesOf(peppers, token)
  const [newest] = peppers
  const name = [prefix, hashes[0].toHex(), integration, mode, actingFor].join(' ')
  return { hashes, mode, organization, audience: 'api', name, newest, integration }
}

/** A session that acts for the integration itself. */
export const presentSessionOfIntegration = (
  peppers: Peppers,
  session: Omit<PresentedSession, 'organization'>,
): PresentedCredential =>
  presentSession(peppers, { ...session, organization: null }, 'the integration')

type SessionRow = Row & {
  id: string | null
  person: string
  role: MemberRole
  revision: string
  agreed: boolean
  opened: string
  ahead: number
  organizations: GrantedOrganization[]
}

/** A session's member, and the tenant that the connection was set to. Null if the session has ended
 *  or its person isn't a member. */
export const findSession = (
  connection: Connection,
  presented: PresentedCredential,
  cache?: CredentialCache,
): Promise<CachedCredential | null> => {
  const { integration = '', mode, organization } = presented
  const found = sql`(select ${integration}::text as integration, null::text as organization from found)`
  const opened = sql`${grantedTo(found, mode)}, ${openedTenant(organization)}`
  const organizations = sql`
    (select coalesce(json_agg(row_to_json(g) order by g.id), '[]') from granted g)`
  return findMember(connection, presented, { opened, organizations }, cache)
}

/** Like `findSession`, but sets the integration's own tenant, which stays after every clinic has
 *  revoked its access. */
export const findSessionOfIntegration = (
  connection: Connection,
  presented: PresentedCredential,
  cache?: CredentialCache,
): Promise<CachedCredential | null> => {
  const opened = sql`
    opened as materialized (
      select set_config('app.tenant', coalesce((
        select s.id::text from found, tenants s
         where s.integration = ${presented.integration ?? ''} and s.organization is null
           and s.retired_at is null), ''), false) as tenant
    )`
  return findMember(connection, presented, { opened, organizations: sql`'[]'::json` }, cache)
}

/** `opened` names the tenant to set. `organizations` selects the organizations that the session may
 *  act for. */
type Acting = { readonly opened: Statement; readonly organizations: Statement }

async function findMember(
  connection: Connection,
  { hashes, mode, name, integration = '' }: PresentedCredential,
  acting: Acting,
  cache: CredentialCache | undefined,
): Promise<CachedCredential | null> {
  connection.tenant = undefined
  const [found] = await connection.run<SessionRow>(sql`
    with found as materialized (
      select id, person, role, revision, agreed
        from auth.member_of_session(${hashArray(hashes)}, ${integration})
    ), ${acting.opened}
    select f.id, f.person, f.role, f.revision::text as revision, f.agreed, opened.tenant as opened,
           ${aheadOfOpened}, ${acting.organizations} as organizations
      from opened left join found f on true`)
  if (!found?.id) {
    cache?.delete(name)
    return null
  }
  const { id, person, role, revision, agreed, opened: tenant, ahead, organizations } = found
  const scopes = roleScopes[role]
  const of = { kind: 'session', client: null, family: null, audience: null } as const
  const credential = { id, ...of, person, integration, mode, scopes, agreed, organizations }
  const cached: CachedCredential = { credential, tenant, revision, ahead }
  if (tenant !== '') {
    connection.tenant = tenant
    cache?.set(name, cached)
  }
  return cached
}

/** Whether the session is valid in the call's snapshot. The portal records its use. */
const standing = (cached: CachedCredential) => {
  const { credential, tenant, revision } = cached
  return sql`
  select false as stale from tenants s
   where current_setting('app.tenant', true) = ${tenant} and s.id = ${tenant}::bigint
     and s.integration = ${credential.integration} and s.retired_at is null ${sameClock(cached)}
     and auth.session_stands(${credential.id}, ${credential.integration}, ${revision}::bigint,
                             ${credential.mode === 'live' && credential.agreed})`
}

/** Sets the connection to the tenant only if the tenant belongs to the integration. */
const opening = ({ credential, tenant }: CachedCredential) => sql`
  select set_config('app.tenant', coalesce((
    select s.id::text from tenants s
     where s.id = ${tenant}::bigint and s.integration = ${credential.integration}), ''), false) as opened`

export const guardSession = guardBy({ standing, opening, marksUse: false })
