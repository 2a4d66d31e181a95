// Looks up who is calling. One query returns the credential and every organization that granted it
// access, and sets the connection to the call's tenant. So row-level security depends on the
// credential in the database, not on the program's own state. A cached credential isn't looked up:
// the call's first query revalidates it (guard.ts).

import type { Mode } from '#contract/operation.ts'
import {
  type Audience,
  intersect,
  type MemberRole,
  rolesWith,
  roleScopes,
  type Scope,
} from '#contract/scopes.ts'
import { type Connection, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { familyStands, hasAgreement, markUsed, rehash } from './guard.ts'
import { hashArray, hashesOf, type Peppers } from './pepper.ts'
import { hashToken } from './tokens.ts'
import type {
  CachedCredential,
  Credential,
  CredentialCache,
  CredentialKind,
  GrantedOrganization,
} from './credential-cache.ts'

export { modeOf } from './tokens.ts'
export {
  type CachedCredential,
  type Credential,
  type CredentialCache,
  createCredentialCache,
  type FoundCaller,
  type GrantedOrganization,
  noToken,
} from './credential-cache.ts'

/** A caller acting for one organization, with its effective scopes. */
export type Principal = Pick<Credential, 'kind' | 'client' | 'person' | 'family' | 'audience'> & {
  credential: string
  integration: string
  mode: Mode
  tenant: string
  organization: Omit<GrantedOrganization, 'scopes' | 'tenant'>
  scopes: readonly Scope[]
  /** The credential's own scopes, in any organization. */
  ownScopes: readonly string[]
}

type CredentialRow = Row & {
  id: string
  kind: CredentialKind
  integration: string
  scopes: string[]
  client: string | null
  person: string | null
  family: string | null
  audience: Audience[] | null
  /** The person's role in the integration. */
  role: MemberRole | null
  agreed: boolean
  stale: boolean
  /** Whether the credential is hashed under an older pepper than the newest. */
  outdated: boolean
  opened: string
  ahead: number
  revision: string
  organizations: GrantedOrganization[]
}

export type PresentedToken = {
  token: string
  mode: Mode
  organization: string | null
  /** The surface that receives the credential. A token for another surface is unknown there. */
  audience?: Audience
}

/** The presented credential, in the form that the database and the cache store. */
export type PresentedCredential = {
  /** One hash per pepper, newest first. */
  hashes: readonly [Uint8Array, ...Uint8Array[]]
  mode: Mode
  organization: string | null
  audience: Audience
  /** The cache key. */
  name: string
  /** The newest pepper. */
  newest: string
  /** The integration a person's session acts for. */
  integration?: string
  /** The clinic resource that a staff member names. Its tenant is set on the connection. */
  resource?: string | null
}

export function presentedCredential(
  peppers: Peppers,
  { token, mode, organization, audience = 'api' }: PresentedToken,
): PresentedCredential {
  const [newest] = peppers
  const hash = Buffer.from(hashToken(newest, token)).toString('latin1')
  return {
    // Computed only for lookups, because a cached credential is found by the newest pepper's hash.
    get hashes() {
      return hashesOf(peppers, token)
    },
    mode,
    organization,
    audience,
    name: `${hash} ${audience} ${organization ?? ''}`,
    newest,
  }
}

/** Looks up a key or token by its hash. Returns null if it's unknown, revoked, expired, suspended,
 *  or for another surface. */
export async function findCredential(
  connection: Connection,
  presented: PresentedCredential,
  credentialCache?: CredentialCache,
): Promise<CachedCredential | null> {
  const { hashes, mode, name, newest } = presented
  connection.tenant = undefined
  const found = await lookUp(connection, presented)
  if (!found?.id) {
    credentialCache?.delete(name)
    return null
  }
  if (found.stale) await markUsed(connection, found.id)
  if (found.outdated) await rehash(connection, found.id, hashes, newest)
  const {
    stale: _stale,
    outdated: _outdated,
    role,
    opened: tenant,
    revision,
    ahead,
    ...fields
  } = found
  const scopes = scopesOf(found.scopes, found.person, role)
  const cached = { credential: { ...fields, mode, scopes }, tenant, revision, ahead }
  // A credential without a tenant isn't cached, because the guard needs a tenant.
  if (tenant !== '') {
    connection.tenant = tenant
    credentialCache?.set(name, cached)
  }
  return cached
}

/** Limits a person's token to the scopes of their role in the integration. */
const scopesOf = (
  scopes: readonly string[],
  person: string | null,
  role: MemberRole | null,
): readonly string[] =>
  person === null ? scopes : role === null ? [] : intersect(scopes, roleScopes[role])

/** Keys and tokens that are neither revoked nor expired, whose family hasn't ended and whose
 *  integration isn't suspended. */
export const validCredentials: Statement = sql`
  from auth.credentials k join auth.integrations i on i.id = k.integration
       left join auth.token_families f on f.id = k.family
 where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
   and i.suspended_at is null and (k.family is null or ${familyStands})`

/** The organizations that granted scopes to each integration in `found`, or only the organization
 *  that its row names. */
export const grantedTo = (found: Statement, mode: Mode): Statement => sql`
  granted as materialized (
    select o.id, o.name, o.slug, o.kind, o.status, o.formulary, g.scopes, s.id::text as tenant
      from ${found} f
      join auth.grants g on g.integration = f.integration and g.status = 'active'
       and g.mode = ${mode} and (f.organization is null or f.organization = g.organization)
      join auth.organizations o on o.id = g.organization
      join tenants s on s.integration = g.integration and s.organization = g.organization
       and s.retired_at is null
  )`

/** Sets the tenant for the requested organization, or for the only granted organization. */
export const openedTenant = (organization: string | null): Statement => sql`
  opened as materialized (
    select set_config('app.tenant', coalesce((
      select min(tenant) from granted where ${organization}::text is null or id = ${organization}
      having count(*) = 1), ''), false) as tenant
  )`

/** How far the opened tenant's clock is ahead of real time, in milliseconds. */
export const aheadOfOpened: Statement = sql`
  coalesce((select s.ahead_ms from tenants s where s.id = nullif(opened.tenant, '')::bigint),
           0)::float8 as ahead`

async function lookUp(
  connection: Connection,
  { hashes, mode, organization, audience }: PresentedCredential,
): Promise<CredentialRow | undefined> {
  const [found] = await connection.run<CredentialRow>(sql`
    with found as materialized (
      select k.id, k.kind, k.integration, k.organization, k.scopes, k.client, k.person, k.family,
             k.audience, i.revision, k.hash <> ${hashes[0]} as outdated,
             k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
        ${validCredentials} and k.hash = any (${hashArray(hashes)}) and k.mode = ${mode}
         and (k.audience is null or ${audience} = any (k.audience))
    ), ${grantedTo(sql`found`, mode)}, ${openedTenant(organization)}
    select f.id, f.kind, f.integration, f.scopes, f.client, f.person, f.family, f.audience, f.stale,
           f.outdated, opened.tenant as opened, ${aheadOfOpened}, f.revision::text as revision,
           (select m.role from auth.members m where m.integration = f.integration
               and m.person = f.person and m.removed_at is null) as role,
           ${hasAgreement(sql`f.integration`)} as agreed,
           (select coalesce(json_agg(row_to_json(g) order by g.id), '[]') from granted g) as organizations
      from opened left join found f on true`)
  return found
}

/** The caller, acting for one of its organizations. Every call computes the effective scopes. */
export function actingFor(credential: Credential, granted: GrantedOrganization): Principal {
  const { scopes, tenant, ...organization } = granted
  const { kind, client, person, family, audience } = credential
  return {
    credential: credential.id,
    integration: credential.integration,
    mode: credential.mode,
    kind,
    client,
    person,
    family,
    audience,
    tenant,
    organization,
    scopes: intersect(credential.scopes, scopes),
    ownScopes: credential.scopes,
  }
}

/** An ID that outlives a single token: a key's own ID, or a token's family. A subscription opened
 *  with one access token continues with the next token. */
export const holderOf = ({ credential, family }: Pick<Principal, 'credential' | 'family'>) =>
  family ?? credential

/** `holder` is the ID of a key or token family. */
export type Authorization = { holder: string; organization: string }
export type TenantAuthorization = Authorization & { tenant: string }

/** The holders of `authorizations` that may still use a scope in their organization. */
export async function stillAuthorized(
  connection: Connection,
  mode: Mode,
  scope: Scope,
  authorizations: readonly Authorization[],
): Promise<TenantAuthorization[]> {
  return connection.run<TenantAuthorization & Row>(sql`
    with asked as materialized (
      select distinct holder, organization
        from json_to_recordset(${JSON.stringify(authorizations)}::text::json)
               as p (holder text, organization text)
    ), held as materialized (
      select a.holder, a.organization, k.integration
        from asked a join auth.credentials k on k.id = a.holder
       where k.kind = 'key' and k.mode = ${mode} and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > now()) and ${scope} = any (k.scopes)
         and (k.organization is null or k.organization = a.organization)
      union all
      select a.holder, a.organization, f.integration
        from asked a join auth.token_families f on f.id = a.holder
       where f.mode = ${mode} and ${familyStands} and ${scope} = any (f.scopes)
         and (f.organization is null or f.organization = a.organization)
         and (f.person is null or exists (
           select from auth.members m where m.integration = f.integration and m.person = f.person
              and m.removed_at is null and m.role = any (${rolesWith(scope)}::text[])))
    )
    select h.holder, h.organization, s.id::text as tenant
      from held h
      join auth.integrations i on i.id = h.integration and i.suspended_at is null
      join auth.grants g on g.integration = h.integration and g.organization = h.organization
       and g.mode = ${mode} and g.status = 'active' and ${scope} = any (g.scopes)
      join tenants s on s.integration = h.integration and s.organization = h.organization
       and s.retired_at is null
     where ${mode} = 'test' or ${hasAgreement(sql`h.integration`)}`)
}
