// Access tokens for tests: a client, a member for agents and devices, the family, and the token
// itself, as the authorization server would write them.

import type { Mode } from '#contract/operation.ts'
import { allScopes, type Audience, type MemberRole, type Scope } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../ids.ts'
import type { CredentialKind } from '../credential-cache.ts'
import { pepperName } from '../pepper.ts'
import { hashToken, mintAccessToken } from '../tokens.ts'

export type TokenRequest = {
  integration: string
  kind?: Exclude<CredentialKind, 'key'>
  mode?: Mode
  scopes?: readonly Scope[]
  role?: MemberRole
  audience?: readonly Audience[]
  organization?: string
  /** The family's previous token. The new token follows it, as after a refresh. */
  of?: IssuedToken
}

export type IssuedToken = {
  token: string
  id: string
  client: string
  person: string | null
  family: string
}

export async function issueToken(
  connection: Connection,
  pepper: string,
  request: TokenRequest,
): Promise<IssuedToken> {
  const { integration, kind = 'client', mode = 'test', scopes = allScopes } = request
  const parent = request.of ?? (await openFamily(connection, { ...request, kind, mode, scopes }))
  const { client, person, family } = parent
  const [id, token] = [newId('token'), mintAccessToken(mode, randomBytes(32))]
  await connection.run(sql`
    insert into auth.credentials (id, kind, integration, organization, mode, name, scopes, hash,
                                  pepper, last4, client, person, family, audience, expires_at)
    values (${id}, ${kind}, ${integration}, ${request.organization ?? null}, ${mode}, 'a token',
            ${scopes}::text[], ${hashToken(pepper, token)}, ${pepperName(pepper)},
            ${token.slice(-4)}, ${client}, ${person}, ${family}, ${request.audience ?? null}::text[], now() + interval '1 hour')`)
  return { token, id, client, person, family }
}

type FamilyRequest = TokenRequest & Required<Pick<TokenRequest, 'kind' | 'mode' | 'scopes'>>

async function openFamily(connection: Connection, request: FamilyRequest) {
  const { integration, kind, mode, scopes, audience = null, organization = null } = request
  const client = newId('client')
  if (kind === 'client') {
    // Inserting the client also creates its family.
    await connection.run(sql`
      insert into auth.clients (id, kind, integration, organization, mode, scopes, name)
      values (${client}, 'confidential', ${integration}, ${organization}, ${mode},
              ${scopes}::text[], 'Backend')`)
    return { client, person: null, family: `fam${client.slice(3)}` }
  }
  await connection.run(sql`
    insert into auth.clients (id, kind, name) values (${client}, 'registered', 'An agent')`)
  const [person, family] = [await openMember(connection, request), newId('token_family')]
  await connection.run(sql`
    insert into auth.token_families (id, kind, client, person, integration, organization, mode,
                                     scopes, audience)
    values (${family}, ${kind}, ${client}, ${person}, ${integration}, ${organization}, ${mode},
            ${scopes}::text[], ${audience}::text[])`)
  return { client, person, family }
}

async function openMember(
  connection: Connection,
  { integration, role = 'owner' }: TokenRequest,
): Promise<string> {
  const person = newId('person')
  await connection.run(sql`
    insert into auth.persons (id, email, name) values (${person}, ${`${person}@example.com`}, 'Ada')`)
  await connection.run(sql`
    insert into auth.members (integration, person, role) values (${integration}, ${person}, ${role})`)
  return person
}
