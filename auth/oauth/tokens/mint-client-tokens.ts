// Stores confidential clients' tokens. Requests that arrive while a statement runs share the next
// statement, which authenticates their clients, stores their tokens, drops their oldest tokens and
// writes the audit rows. This spreads the cost of a statement, its commit and its round trip over
// many tokens.

import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import type { Audience } from '#contract/scopes.ts'
import { createBatches } from '#database/batches.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { familyStands, hasAgreement, ignoreFull } from '../../guard.ts'
import { hexArray } from '../../pepper.ts'
import { type AuditedCall, insertAuditRows } from '../audit.ts'
import { mayBePinned } from './organizations.ts'

type MintRequest = {
  call: AuditedCall
  /** The new token's ID. */
  token: string
  client: string
  /** The possible stored forms of the secret, in hexadecimal, one per pepper, newest first. */
  secrets: readonly string[]
  /** A token contains the client's mode, which only the statement can look up, so the statement
   *  receives a value for each mode. */
  values: Readonly<Record<Mode, { hash: string; last4: string }>>
  pepper: string
  /** Null means all of the client's scopes. */
  scopes: readonly string[] | null
  audience: readonly Audience[] | null
  /** The client's organization. Null means every organization that granted scopes. */
  organization: string | null
}

export type ClientTokenRow = Row & {
  kind: 'confidential' | 'registered'
  mode: Mode
  scopes: string[]
  is_authenticated: boolean
  is_permitted: boolean
  may_be_pinned: boolean
  is_issued: boolean
  /** The presented secret's ID, if an older pepper hashed it. */
  outdated_secret: string | null
}

/** Returns undefined if the client doesn't exist. */
export type MintClientToken = (request: MintRequest) => Promise<ClientTokenRow | undefined>

/** The maximum number of tokens per statement, which limits how long each token waits. */
const batchMax = 32
/** While one statement waits for the disk, another statement runs, but only if enough tokens are
 *  waiting, because a small statement costs nearly 50% more per token. */
const statementsMax = 2
const besideMin = 16

export function createMinting(pool: ConnectionPool): MintClientToken {
  return createBatches<MintRequest, ClientTokenRow | undefined>(
    { batchMax, runningMax: statementsMax, besideMin },
    requests => pool.use(connection => mintAll(connection, requests)),
  )
}

async function mintAll(connection: Connection, requests: readonly MintRequest[]) {
  const minted = await connection.run<ClientTokenRow & { token: string }>(statementOf(requests))
  const byToken = new Map(minted.map(row => [row.token, row]))
  const found = requests.map(({ token }) => byToken.get(token))
  for (const [at, request] of requests.entries()) {
    const outdated = found[at]?.outdated_secret
    if (outdated != null) await rehash(connection, outdated, request)
  }
  return found
}

/** Rehashes under the newest pepper, so the older pepper can be dropped. */
async function rehash(
  connection: Connection,
  id: string,
  { secrets, pepper }: MintRequest,
): Promise<void> {
  const [newest = ''] = secrets
  const rehashed = connection.run(sql`
    select auth.rehash_client_secret(${id}, ${hexArray(secrets)}, decode(${newest}, 'hex'), ${pepper})`)
  await rehashed.catch(ignoreFull)
}

const rowOf = ({ call, values: { test, live }, ...request }: MintRequest) => ({
  ...request,
  test_hash: test.hash,
  test_last4: test.last4,
  live_hash: live.hash,
  live_last4: live.last4,
  request: call.requestId,
  address: call.address,
  agent: call.agent,
})

/** The requests with their valid clients and secrets. Rows are looked up one by one (`limit 1`): a
 *  plan made while a table was small would later scan the whole table. */
const clientsOf = (requests: readonly MintRequest[]) => sql`
  request as materialized (
    select * from json_to_recordset(${JSON.stringify(requests.map(rowOf))}::text::json)
      as (token text, client text, secrets text[], pepper text, test_hash text, test_last4 text,
          live_hash text, live_last4 text, scopes text[], audience text[],
          organization text, request text, address text, agent text)
  ), client as materialized (
    select r.token, c.id, c.kind, c.integration, c.mode, c.scopes,
           coalesce(c.organization, r.organization) as organization,
           ${mayBePinned(sql`c`, sql`c.organization`, sql`r.organization`)} as may_be_pinned,
           c.last_token_at is null or c.last_token_at < now() - interval '1 minute' as is_stale,
           s.id is not null as is_authenticated,
           case when s.hash <> r.secrets[1] then s.id end as outdated_secret,
           c.mode = 'test' or (
             ${hasAgreement(sql`c.integration`)}
             and exists (select from auth.grants g
                          where g.integration = c.integration and g.mode = c.mode
                            and g.status = 'active'
                            and (c.organization is null or c.organization = g.organization))
           ) as is_permitted
      from request r
           cross join lateral (select * from auth.clients c
                                where c.id = r.client and c.revoked_at is null limit 1) c
           left join lateral (select i.suspended_at from auth.integrations i
                               where i.id = c.integration limit 1) i on true
           left join lateral (select s.id, encode(s.hash, 'hex') as hash from auth.client_secrets s
                               where s.client = c.id and encode(s.hash, 'hex') = any (r.secrets)
                                 and s.revoked_at is null
                                 and (s.expires_at is null or s.expires_at > now())
                               limit 1) s on true
     where i.suspended_at is null
  )`

/** The rows to store. A family that is being revoked isn't locked: a token is valid only while its
 *  family is, so a token stored alongside the revocation is worthless. */
const standing = sql`
  standing as materialized (
    select f.id as family, c.id as client, c.integration, c.mode, c.organization, c.is_stale,
           coalesce(r.scopes, c.scopes) as scopes, r.audience, r.token, r.pepper,
           case c.mode when 'live' then r.live_hash else r.test_hash end as hash,
           case c.mode when 'live' then r.live_last4 else r.test_last4 end as last4,
           r.request, r.address, r.agent
      from client c join request r on r.token = c.token
           cross join lateral (select f.id from auth.token_families f
                                where f.client = c.id and f.kind = 'client' and ${familyStands}
                                limit 1) f
     where c.is_authenticated and c.is_permitted and c.may_be_pinned
       and (r.scopes is null or r.scopes <@ c.scopes)
  )`

const token = sql`
  token as (
    insert into auth.credentials (id, kind, integration, organization, mode, name, scopes, hash,
                                  last4, expires_at, family, client, audience, pepper)
    select s.token, 'client', s.integration, s.organization, s.mode, 'access token', s.scopes,
           decode(s.hash, 'hex'), s.last4,
           clock_timestamp() + ${limits.accessTokenSeconds}::int * interval '1 second',
           s.family, s.client, s.audience, s.pepper
      from standing s
  )`

/** Drops the oldest tokens. Rows locked by another statement are skipped, so no statement waits for
 *  another statement. Simultaneous requests don't see each other's tokens, so a client may briefly
 *  exceed its limit. */
const dropped = sql`
  dropped as (
    delete from auth.credentials where ctid = any (array(
      select o.ctid from auth.credentials o where o.ctid = any (array(
        select k.ctid from (select family, count(*) as added from standing group by family) s
               cross join lateral (
                 select o.ctid from auth.credentials o where o.family = s.family
                  order by o.created_at desc, o.id desc
                 offset greatest(0, ${limits.clientTokensMax}::int - s.added)) k))
         for update skip locked))
  )`

const used = sql`
  used as (
    update auth.clients set last_token_at = clock_timestamp() where id = any (array(
      select c.id from auth.clients c
       where c.id = any (array(select s.client from standing s where s.is_stale))
         for no key update skip locked))
  )`

const audited = sql`
  audited as (${insertAuditRows(
    { action: 'oauth.token', outcome: 'ok', status: 200, code: null },
    sql`select s.mode, s.integration, s.organization, s.client, null::text, s.token, s.request,
               s.address, s.agent
          from standing s`,
  )})`

const statementOf = (requests: readonly MintRequest[]) => sql`
  with ${clientsOf(requests)}, ${standing}, ${token}, ${dropped}, ${used}, ${audited}
  select c.token, c.kind, c.mode, c.scopes, c.is_authenticated, c.is_permitted, c.may_be_pinned,
         c.outdated_secret,
         exists (select from standing s where s.token = c.token) as is_issued
    from client c`
