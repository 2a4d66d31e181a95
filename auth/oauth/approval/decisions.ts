// A person's decision on an agent's or device's request. Each decision is one statement, so only
// the first of several simultaneous decisions counts.

import { limits } from '#contract/limits.ts'
import {
  type Audience,
  intersect,
  type MemberRole,
  roleScopes,
  type Scope,
} from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AuditAction, type AuditedCall, insertAuditRow } from '../audit.ts'

/** The person who decides, and the integration they decide for. */
export type Decision = { readonly person: string; readonly integration: string }

/** Why a decision is refused. */
export type Unfit =
  /** The request expired or was already decided. */
  | 'gone'
  | 'not_a_member'
  /** The person's role, or the sandbox's grant, lacks a scope, so the request can only be
   *  denied. */
  | 'scope_missing'

type Kind = 'agent' | 'device'

/** A request, and the condition that finds it among the rows `a` of `auth.artifacts`. */
export type Requested = { readonly kind: Kind; readonly found: Statement }

export type NewFamily = Decision & {
  id: string
  client: string
  /** The host an agent redirects to. */
  redirectHost?: string
  scopes: readonly Scope[]
  audience: readonly Audience[]
}

export const isUndecided = sql`
  a.family is null and a.denied_at is null and a.expires_at > now()`

const actions: Readonly<Record<Kind, AuditAction>> = {
  agent: 'oauth.consent',
  device: 'oauth.device',
}

/** The roles whose members may use every one of these scopes. */
const rolesFor = (scopes: readonly Scope[]): MemberRole[] =>
  (Object.keys(roleScopes) as MemberRole[]).filter(
    role => intersect(scopes, roleScopes[role]).length === scopes.length,
  )

/** The statement parts that create a family: `member` locks the person's membership, and `family`
 *  is empty if the request isn't open or the person may not approve the request. */
const familyParts = (
  kind: Kind,
  { id, client, person, integration, scopes, audience, redirectHost }: NewFamily,
): Statement => sql`
  member as materialized (
    select m.role from auth.lock_member(${person}, ${integration}) as m (role)
     where m.role is not null
  ), granted as materialized (
    select exists (
      select from auth.grants g where g.integration = ${integration} and g.mode = 'test'
         and g.status = 'active' and ${scopes}::text[] <@ g.scopes) as is_granted
  ), family as (
    insert into auth.token_families (id, kind, client, person, integration, mode, scopes, audience,
                                     redirect_host, ends_at)
    select ${id}, ${kind}, ${client}, ${person}, ${integration}, 'test', ${scopes}::text[],
           ${audience}::text[], ${redirectHost ?? null},
           clock_timestamp() + ${limits.refreshFamilyDays}::int * interval '1 day'
      from member m, granted g
     where g.is_granted and m.role = any (${rolesFor(scopes)}::text[])
       and exists (select from open)
    returning id, mode, integration, organization, client, person
  )`

type Approved = Row & { role: MemberRole | null; is_made: boolean; is_open: boolean }

/** Approves the whole request by creating a family for one integration. */
export async function approveRequest(
  connection: Connection,
  call: AuditedCall,
  { kind, found }: Requested,
  family: NewFamily,
): Promise<'approved' | Unfit> {
  const [row] = await connection.run<Approved>(sql`
    with open as materialized (
      select a.hash from auth.artifacts a where ${found} and ${isUndecided} for update
    ), ${familyParts(kind, family)},
    decided as (
      update auth.artifacts a set family = f.id from family f
       where a.hash = (select hash from open)
    ), audited as (
      ${insertAuditRow(
        call,
        { action: actions[kind], outcome: 'ok', status: 200, code: null },
        sql`select mode, integration, organization, client, person, id from family`,
      )}
    )
    select (select role from member) as role, exists (select from family) as is_made,
           exists (select from open) as is_open`)
  if (row?.is_open !== true) return 'gone'
  if (row.is_made) return 'approved'
  return row.role === null ? 'not_a_member' : 'scope_missing'
}

export async function denyRequest(
  connection: Connection,
  call: AuditedCall,
  { kind, found }: Requested,
  person: string,
): Promise<'denied' | 'gone'> {
  const [row] = await connection.run<Row & { is_denied: boolean }>(sql`
    with denied as (
      update auth.artifacts a set denied_at = clock_timestamp()
       where ${found} and ${isUndecided}
      returning a.client
    ), audited as (
      ${insertAuditRow(
        call,
        { action: actions[kind], outcome: 'refused', status: 403, code: 'access_denied' },
        sql`select null::text, null::text, null::text, client, ${person}::text, null::text from denied`,
      )}
    )
    select exists (select from denied) as is_denied`)
  return row?.is_denied === true ? 'denied' : 'gone'
}
