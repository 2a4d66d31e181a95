// Token families, from which tokens are issued. The library uses a family as its Grant. The
// statement that ends a family also ends everything in it. Decided in
// docs/decisions/0091-derive-the-successor-of-a-refresh-token.md.

import { allScopes, type Audience } from '#contract/scopes.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Mode } from '#contract/operation.ts'
import { familyStands } from '../guard.ts'
import { type AuditedCall, insertAuditRow } from './audit.ts'

export type FamilyRow = {
  id: string
  kind: 'client' | 'agent' | 'device'
  client: string
  person: string | null
  integration: string
  mode: Mode
  scopes: readonly string[]
  audience: readonly Audience[] | null
  iat: number
  exp: number | null
}

/** The family `f` as one JSON value. */
export const familyAsJson: Statement = sql`
  json_build_object('id', f.id, 'kind', f.kind, 'client', f.client, 'person', f.person,
    'integration', f.integration, 'mode', f.mode, 'scopes', f.scopes, 'audience', f.audience,
    'iat', floor(extract(epoch from f.created_at)), 'exp', floor(extract(epoch from f.ends_at)))`

export async function findFamily(connection: Connection, id: string): Promise<FamilyRow | null> {
  const [found] = await connection.run<Row & { family: FamilyRow }>(sql`
    select ${familyAsJson} as family from auth.token_families f
     where f.id = ${id} and ${familyStands}`)
  return found?.family ?? null
}

export type Resources = Readonly<Record<Audience, string>>

/** Converts a family to the library's Grant. */
export function grantOf(family: FamilyRow, resources: Resources) {
  const names = family.audience ?? (Object.keys(resources) as Audience[])
  return {
    jti: family.id,
    kind: 'Grant',
    clientId: family.client,
    accountId: family.person ?? undefined,
    resources: Object.fromEntries(names.map(name => [resources[name], family.scopes.join(' ')])),
    iat: family.iat,
    ...(family.exp === null ? {} : { exp: family.exp }),
  }
}

type EndReason = 'reused' | 'revoked'

/** Ends a family and everything in it. */
export const endFamily = (
  connection: Connection,
  call: AuditedCall,
  id: string,
  reason: EndReason,
): Promise<Row[]> =>
  connection.run(sql`
    with ended as (
      update auth.token_families f
         set revoked_at = clock_timestamp(), revoked_reason = ${reason}
       where f.id = ${id} and f.revoked_at is null
      returning f.mode, f.integration, f.organization, f.client, f.person, f.id
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.revoke', outcome: 'ok', status: 200, code: reason },
        sql`select mode, integration, organization, client, person, id from ended`,
      )}
    )
    select from ended`)

/** The resource a URL refers to; a trailing slash makes no difference. */
export function audienceOf(resources: Resources, url: string): Audience | null {
  const trimmed = (text: string) => text.replace(/\/$/, '')
  const names = Object.keys(resources) as Audience[]
  return names.find(name => trimmed(resources[name]) === trimmed(url)) ?? null
}

/** The audiences in `resource` parameters; without any, the tool server. */
export function audiencesOf(resources: Resources, given: unknown): Audience[] {
  const urls = (Array.isArray(given) ? given : [given]) as unknown[]
  const names = urls.map(url =>
    audienceOf(resources, typeof url === 'string' ? url : resources.mcp),
  )
  return [...new Set(names.filter(name => name !== null))]
}

export const scopesOf = (text: string | undefined): readonly string[] => [
  ...new Set((text ?? '').split(' ').filter(scope => scope !== '')),
]

export const isScope = (text: string): boolean => (allScopes as readonly string[]).includes(text)

/** Returns the scopes in a list that aren't among the twelve. */
export const unknownScopes = (scopes: readonly string[]) => scopes.filter(text => !isScope(text))
