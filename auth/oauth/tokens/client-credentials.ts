// The tokens of confidential clients. The library's path was tried: it looks the client up, builds
// its model, and saves a token, which are two round trips and milliseconds of its own. Here one
// statement authenticates the client, stores the token, drops the oldest and writes the audit row.

import { idFrom, isId } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { allScopes, type Audience } from '#contract/scopes.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { isClientSecret } from '../../tokens.ts'
import { type AuditedCall, insertAuditRow } from '../audit.ts'
import type { PresentedClient } from '../clients/client-authentication.ts'
import { familyStands, ignoreFull } from '../../guard.ts'
import { audienceOf, type Resources, scopesOf } from './families.ts'
import { clientRefused, OAuthRefusal } from '../refuse.ts'
import { mayBePinned, organizationRefused, requestedOrganization } from './organizations.ts'
import type { Secrets } from '../secrets.ts'

type Parts = { pool: ConnectionPool; secrets: Secrets; resources: Resources }

export type ClientToken = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

export async function issueClientToken(
  { pool, secrets, resources }: Parts,
  call: AuditedCall,
  client: PresentedClient,
  form: URLSearchParams,
): Promise<ClientToken> {
  const audience = requestedAudience(resources, form.getAll('resource'))
  const asked = scopesOf(form.get('scope') ?? '')
  const organization = requestedOrganization(form)
  if (!isId('cli', client.id)) throw clientRefused(client.usedBasic)
  // A secret that is mistyped cannot be one, and is looked up like any other that is wrong.
  const secret = client.secret !== null && isClientSecret(client.secret) ? client.secret : ''
  // The token names the mode of the client, which only the statement knows, so it gets both.
  const random = randomBytes(32)
  const values = {
    test: secrets.accessToken('test', random),
    live: secrets.accessToken('live', random),
  }
  const request: MintRequest = {
    client: client.id,
    secret: secrets.hashes(secret),
    newest: secrets.hash(secret),
    pepper: secrets.pepper,
    hashes: { test: secrets.hash(values.test), live: secrets.hash(values.live) },
    last4: { test: values.test.slice(-4), live: values.live.slice(-4) },
    asked: asked.length === 0 ? null : asked,
    audience,
    organization,
  }
  const minted = await pool.use(async connection => {
    const found = await mint(connection, call, request)
    if (found?.outdated_secret != null) await rehash(connection, found.outdated_secret, request)
    return found
  })
  if (!minted?.is_issued) throw refusalOf(minted, client, asked)
  return {
    access_token: values[minted.mode],
    token_type: 'Bearer',
    expires_in: limits.accessTokenSeconds,
    scope: allScopes.filter(scope => (request.asked ?? minted.scopes).includes(scope)).join(' '),
  }
}

/** Absent: usable at every resource. */
function requestedAudience(resources: Resources, given: readonly string[]): Audience[] | null {
  if (given.length === 0) return null
  const names = given.map(url => audienceOf(resources, url))
  const known = [...new Set(names)].filter(name => name !== null)
  if (known.length === 0 || names.includes(null)) {
    const urls = Object.values(resources).join(' or ')
    throw new OAuthRefusal('invalid_target', `resource must be ${urls}`)
  }
  return known
}

type MintRequest = {
  client: string
  secret: Statement
  /** Of the secret, under the newest pepper. */
  newest: Uint8Array
  pepper: string
  hashes: Readonly<Record<Mode, Uint8Array>>
  last4: Readonly<Record<Mode, string>>
  asked: readonly string[] | null
  audience: readonly Audience[] | null
  /** Null: every one that granted scopes, or that of the client. */
  organization: string | null
}

type Minted = Row & {
  kind: 'confidential' | 'registered'
  mode: Mode
  scopes: string[]
  is_authenticated: boolean
  is_permitted: boolean
  may_be_pinned: boolean
  is_issued: boolean
  /** Of the secret that was presented, if an older pepper hashed it. */
  outdated_secret: string | null
}

/** Two requests at one moment do not see each other's token, so a client may have a few more than
 *  its share until the next one. */
async function mint(connection: Connection, call: AuditedCall, request: MintRequest) {
  const { client, secret, newest, pepper, hashes, last4, asked, audience, organization } = request
  const [minted] = await connection.run<Minted>(sql`
    with client as materialized (
      select c.id, c.kind, c.integration, c.mode, c.scopes,
             coalesce(c.organization, ${organization}::text) as organization,
             ${mayBePinned(sql`c`, sql`c.organization`, organization)} as may_be_pinned,
             s.id is not null as is_authenticated,
             case when s.hash <> ${newest} then s.id end as outdated_secret,
             c.mode = 'test' or (
               exists (select from auth.agreements a
                        where a.integration = c.integration and a.terminated_at is null
                          and (a.ends_at is null or a.ends_at > now()))
               and exists (select from auth.grants g
                            where g.integration = c.integration and g.mode = c.mode
                              and g.status = 'active'
                              and (c.organization is null or c.organization = g.organization))
             ) as is_permitted
        from auth.clients c left join auth.integrations i on i.id = c.integration
             left join auth.client_secrets s on s.client = c.id and s.hash = any (${secret})
              and s.revoked_at is null and (s.expires_at is null or s.expires_at > now())
       where c.id = ${client} and c.revoked_at is null and i.suspended_at is null
    ), standing as materialized (
      select f.id from auth.token_families f join client c on c.id = f.client and f.kind = 'client'
       where c.is_authenticated and c.is_permitted and c.may_be_pinned and ${familyStands}
         and (${asked}::text[] is null or ${asked}::text[] <@ c.scopes)
         for share of f
    ), token as (
      insert into auth.credentials (id, kind, integration, organization, mode, name, scopes, hash,
                                    last4, expires_at, family, client, audience, pepper)
      select ${idFrom('token', now(), randomBytes(16))}, 'client', c.integration, c.organization,
             c.mode, 'access token', coalesce(${asked}::text[], c.scopes),
             case c.mode when 'live' then ${hashes.live}::bytea else ${hashes.test}::bytea end,
             case c.mode when 'live' then ${last4.live} else ${last4.test} end,
             clock_timestamp() + ${limits.accessTokenSeconds}::int * interval '1 second',
             s.id, c.id, ${audience}::text[], ${pepper}
        from standing s, client c
      returning id
    ), dropped as (
      delete from auth.credentials where id = any (array(
        select k.id from auth.credentials k join standing s on s.id = k.family
         order by k.created_at desc, k.id desc offset ${limits.clientTokensMax - 1}::int))
    ), used as (
      update auth.clients c set last_token_at = clock_timestamp() from standing s
       where c.id = ${client}
         and (c.last_token_at is null or c.last_token_at < now() - interval '1 minute')
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.token', outcome: 'ok', status: 200, code: null },
        sql`select c.mode, c.integration, c.organization, c.id, null::text, t.id
              from client c, token t`,
      )}
    )
    select kind, mode, scopes, is_authenticated, is_permitted, may_be_pinned, outdated_secret,
           exists (select from token) as is_issued
      from client`)
  return minted
}

/** Under the newest pepper, so that the older can be dropped. */
async function rehash(
  connection: Connection,
  id: string,
  { secret, newest, pepper }: MintRequest,
): Promise<void> {
  const rehashed = connection.run(sql`
    select auth.rehash_client_secret(${id}, ${secret}, ${newest}, ${pepper})`)
  await rehashed.catch(ignoreFull)
}

function refusalOf(
  minted: Minted | undefined,
  { id, secret, usedBasic }: PresentedClient,
  asked: readonly string[],
): OAuthRefusal {
  const client = { client: id }
  if (minted?.kind === 'registered' && secret === null) {
    const detail =
      'client_credentials is for confidential clients that were made for an integration'
    return new OAuthRefusal('unauthorized_client', detail, client)
  }
  if (!minted?.is_authenticated) return clientRefused(usedBasic)
  if (!minted.is_permitted) {
    const detail = 'live tokens need an agreement in force and an active grant'
    return new OAuthRefusal('unauthorized_client', detail, client)
  }
  if (!minted.may_be_pinned) return organizationRefused(id)
  if (!asked.every(scope => minted.scopes.includes(scope))) {
    return new OAuthRefusal(
      'invalid_scope',
      'scope must be a subset of the scopes of the client',
      client,
    )
  }
  return clientRefused(usedBasic)
}
