// Looks up who is calling. One query returns the credential and every organization with a grant to
// it, and sets the connection to the tenant that the call acts for. So row-level security depends
// on the credential in the database, and not on what the program believes. A cached credential is
// not looked up: the first query of the call revalidates it (guard.ts).

import type { Mode } from '#contract/operation.ts'
import { intersect, type Scope } from '#contract/scopes.ts'
import { type Connection, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { markUsed } from './guard.ts'
import { hashKey, modeOfKey } from './keys.ts'
import type {
  CachedCredential,
  Credential,
  CredentialCache,
  GrantedOrganization,
} from './credential-cache.ts'

export {
  type CachedCredential,
  type Credential,
  type CredentialCache,
  createCredentialCache,
  type GrantedOrganization,
} from './credential-cache.ts'

/** A caller acting for one organization, with its effective scopes. */
export type Principal = {
  credential: string
  integration: string
  mode: Mode
  tenant: string
  organization: Omit<GrantedOrganization, 'scopes' | 'tenant'>
  scopes: readonly Scope[]
}

type CredentialRow = Row & {
  id: string
  integration: string
  scopes: string[]
  agreed: boolean
  stale: boolean
  opened: string
  revision: string
  organizations: GrantedOrganization[]
}

/**
 * The mode that a token names, or null if it is malformed; no query is needed then.
 */
export const modeOf = (token: string | null): Mode | null =>
  token === null ? null : modeOfKey(token)

export type PresentedToken = { token: string; mode: Mode; organization: string | null }

/** What a caller presented, in the form in which the database and the cache store it. */
export type PresentedCredential = {
  hash: Uint8Array
  mode: Mode
  organization: string | null
  /** The key of the cache. */
  name: string
}

export function presentedCredential(
  pepper: string,
  { token, mode, organization }: PresentedToken,
): PresentedCredential {
  const hash = hashKey(pepper, token)
  return { hash, mode, organization, name: nameOf(hash, organization) }
}

const nameOf = (hash: Uint8Array, organization: string | null) =>
  `${Buffer.from(hash).toString('latin1')} ${organization ?? ''}`

/** Looks a key up by its hash; null when it is unknown, revoked, expired or suspended. */
export async function findCredential(
  connection: Connection,
  presented: PresentedCredential,
  credentialCache?: CredentialCache,
): Promise<CachedCredential | null> {
  const { hash, mode, name } = presented
  connection.tenant = undefined
  const found = await lookUp(connection, presented)
  if (!found?.id) {
    credentialCache?.delete(name)
    return null
  }
  if (found.stale) await markUsed(connection, found.id)
  const { id, integration, scopes, agreed, organizations, opened: tenant, revision } = found
  const credential = { id, integration, mode, scopes, agreed, organizations }
  const cached = { hash, credential, tenant, revision }
  // Not cached without a tenant, because the guard needs one.
  if (tenant !== '') {
    connection.tenant = tenant
    credentialCache?.set(name, cached)
  }
  return cached
}

/** The keys that are neither revoked nor expired, of integrations that are not suspended. */
export const validKeys: Statement = sql`
  from auth.credentials k join auth.integrations i on i.id = k.integration
 where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
   and i.suspended_at is null`

async function lookUp(
  connection: Connection,
  { hash, mode, organization }: PresentedCredential,
): Promise<CredentialRow | undefined> {
  const [found] = await connection.run<CredentialRow>(sql`
    with found as materialized (
      select k.id, k.integration, k.organization, k.scopes, i.revision,
             k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
        ${validKeys} and k.hash = ${hash} and k.mode = ${mode}
    ), granted as materialized (
      select o.id, o.name, o.slug, o.kind, o.status, g.scopes, s.id::text as tenant
        from found f
        join auth.grants g on g.integration = f.integration and g.status = 'active'
         and g.mode = ${mode} and (f.organization is null or f.organization = g.organization)
        join auth.organizations o on o.id = g.organization
        join tenants s on s.integration = g.integration and s.organization = g.organization
         and s.retired_at is null
    ), opened as materialized (
      select set_config('app.tenant', coalesce((
        select min(tenant) from granted where ${organization}::text is null or id = ${organization}
        having count(*) = 1), ''), false) as tenant
    )
    select f.id, f.integration, f.scopes, f.stale, opened.tenant as opened,
           f.revision::text as revision,
           exists (select from auth.agreements a where a.integration = f.integration
             and a.terminated_at is null and (a.ends_at is null or a.ends_at > now())) as agreed,
           (select coalesce(json_agg(row_to_json(g) order by g.id), '[]') from granted g) as organizations
      from opened left join found f on true`)
  return found
}

/** The caller acting for one of its organizations. Effective scopes are computed on every call. */
export function actingFor(credential: Credential, granted: GrantedOrganization): Principal {
  const { scopes, tenant, ...organization } = granted
  return {
    credential: credential.id,
    integration: credential.integration,
    mode: credential.mode,
    tenant,
    organization,
    scopes: intersect(credential.scopes, scopes),
  }
}

export type Authorization = { credential: string; organization: string }
export type TenantAuthorization = Authorization & { tenant: string }

/** The keys of `authorizations` that may still use a scope in their organization. */
export async function stillAuthorized(
  connection: Connection,
  mode: Mode,
  scope: Scope,
  authorizations: readonly Authorization[],
): Promise<TenantAuthorization[]> {
  return connection.run<TenantAuthorization & Row>(sql`
    select p.credential, p.organization, s.id::text as tenant
      from json_to_recordset(${JSON.stringify(authorizations)}::text::json)
             as p (credential text, organization text)
      join auth.credentials k on k.id = p.credential and k.mode = ${mode} and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > now()) and ${scope} = any (k.scopes)
       and (k.organization is null or k.organization = p.organization)
      join auth.integrations i on i.id = k.integration and i.suspended_at is null
      join auth.grants g on g.integration = k.integration and g.organization = p.organization
       and g.mode = ${mode} and g.status = 'active' and ${scope} = any (g.scopes)
      join tenants s on s.integration = k.integration and s.organization = p.organization
       and s.retired_at is null
     where ${mode} = 'test' or exists (
       select from auth.agreements a where a.integration = k.integration
          and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))`)
}
