// The decision of a person about an agent, for the page that asks. The library keeps the request of
// the agent as an interaction, which belongs to the browser by a signed cookie.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { idFrom } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import {
  type Audience,
  intersect,
  type MemberRole,
  roleScopes,
  type Scope,
} from '#contract/scopes.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type AuditAction, type AuditedCall, insertAuditRow } from '../audit.ts'
import type { Secrets } from '../secrets.ts'
import { audienceOf, type Resources, scopesOf } from '../tokens/families.ts'

/** What an agent or a device asks for, as the page shows it. */
export type ConsentRequest = {
  readonly client: string
  /** As the client registered itself; not verified. */
  readonly clientName: string
  readonly registeredAt: string
  readonly scopes: readonly Scope[]
  readonly audience: readonly Audience[]
}

export type AgentRequest = ConsentRequest & {
  readonly redirectUri: string
  readonly redirectHost: string
}

/** Who decides, and for which of their integrations. */
export type Decision = { readonly person: string; readonly integration: string }

/** Why a decision cannot be what the person wants. */
export type Unfit =
  /** It expired, or was decided. */
  | 'gone'
  | 'not_a_member'
  /** The person's role, or the grant of the sandbox, lacks a scope: it can only be denied. */
  | 'scope_missing'

type Parts = { pool: ConnectionPool; provider: Provider; secrets: Secrets; resources: Resources }

/** The interaction of this browser; null once it is over. */
const interactionOf = (provider: Provider, request: IncomingMessage, response: ServerResponse) =>
  provider.interactionDetails(request, response).then(
    found => found,
    (failure: unknown) => {
      if (failure instanceof Error && failure.name === 'SessionNotFound') return null
      throw failure
    },
  )

/** A request is decided once: of simultaneous answers the first one counts. */
const isUndecided = sql`a.kind = 'interaction' and a.family is null and a.denied_at is null
  and a.expires_at > now()`

async function detailsOf(
  { pool, provider, resources }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<AgentRequest | null> {
  const interaction = await interactionOf(provider, request, response)
  if (interaction === null) return null
  const params = interaction.params as Record<string, string | string[] | undefined>
  const client = await pool.use(connection =>
    describeClient(connection, String(params['client_id'])),
  )
  if (client === null) return null
  return {
    ...client,
    redirectUri: String(params['redirect_uri']),
    redirectHost: hostOf(String(params['redirect_uri'])),
    scopes: intersect(
      scopesOf(String(params['scope'] ?? '')),
      scopesOf(String(params['scope'] ?? '')),
    ),
    audience: audiencesOf(resources, params['resource']),
  }
}

export function createConsents(parts: Parts) {
  const { pool, provider, secrets } = parts
  const hashesOf = (interaction: { uid: string }) =>
    secrets.hashes(`interaction ${interaction.uid}`)
  const details = (request: IncomingMessage, response: ServerResponse) =>
    detailsOf(parts, request, response)

  return {
    details,
    /** Lets the agent act for the person in one integration, and sends the browser back to it. */
    async approve(
      request: IncomingMessage,
      response: ServerResponse,
      call: AuditedCall,
      decision: Decision,
    ): Promise<'approved' | Unfit> {
      const interaction = await interactionOf(provider, request, response)
      const asked = await details(request, response)
      if (asked === null || interaction === null) return 'gone'
      const family = idFrom('token_family', now(), randomBytes(16))
      const made = await pool.use(connection =>
        makeAgentFamily(connection, call, hashesOf(interaction), {
          id: family,
          ...asked,
          ...decision,
        }),
      )
      if (made !== 'approved') return made
      await provider.interactionFinished(
        request,
        response,
        { login: { accountId: decision.person, remember: false }, consent: { grantId: family } },
        { mergeWithLastSubmission: false },
      )
      return 'approved'
    },
    async deny(
      request: IncomingMessage,
      response: ServerResponse,
      call: AuditedCall,
      person: string,
    ): Promise<'denied' | 'gone'> {
      const interaction = await interactionOf(provider, request, response)
      if (interaction === null) return 'gone'
      const isDenied = await pool.use(connection =>
        denyAgent(connection, call, hashesOf(interaction), person),
      )
      if (!isDenied) return 'gone'
      await provider.interactionFinished(
        request,
        response,
        { error: 'access_denied', error_description: 'the person denied the request' },
        { mergeWithLastSubmission: false },
      )
      return 'denied'
    },
  }
}

/** What a browser shows of where it is sent; of a private-use scheme, the scheme. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

export const audiencesOf = (resources: Resources, given: unknown): Audience[] => {
  const urls = (Array.isArray(given) ? given : [given]) as unknown[]
  const names = urls.map(url =>
    audienceOf(resources, typeof url === 'string' ? url : resources.mcp),
  )
  return [...new Set(names.filter(name => name !== null))]
}

type ClientRow = Row & { client: string; clientName: string; registeredAt: string }

async function describeClient(connection: Connection, id: string) {
  const [found] = await connection.run<ClientRow>(sql`
    select c.id as client, c.name as "clientName", iso(c.created_at) as "registeredAt"
      from auth.clients c where c.id = ${id} and c.kind = 'registered' and c.revoked_at is null`)
  return found ?? null
}

type NewFamily = Decision & {
  id: string
  client: string
  /** Of an agent. */
  redirectHost?: string
  scopes: readonly Scope[]
  audience: readonly Audience[]
}

type Member = Row & { role: MemberRole | null; granted: boolean; made: boolean }

/** The roles whose members may use every one of these scopes. */
const rolesFor = (scopes: readonly Scope[]): MemberRole[] =>
  (Object.keys(roleScopes) as MemberRole[]).filter(
    role => intersect(scopes, roleScopes[role]).length === scopes.length,
  )

/** The parts of a statement that make a family: `member` locks the person's membership, `family` is
 *  empty where the person may not. `admitted` is one more condition. */
export const familyParts = (
  kind: 'agent' | 'device',
  { id, client, person, integration, scopes, audience, redirectHost }: NewFamily,
  admitted: Statement,
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
     where g.is_granted and m.role = any (${rolesFor(scopes)}::text[]) and ${admitted}
    returning id, mode, integration, organization, client, person
  )`

export const auditedFamily = (call: AuditedCall, action: AuditAction): Statement => sql`
  audited as (
    ${insertAuditRow(
      call,
      { action, outcome: 'ok', status: 200, code: null },
      sql`select mode, integration, organization, client, person, id from family`,
    )}
  )`

async function makeAgentFamily(
  connection: Connection,
  call: AuditedCall,
  hashes: Statement,
  family: NewFamily,
): Promise<'approved' | Unfit> {
  const [row] = await connection.run<Member & { is_open: boolean }>(sql`
    with open as materialized (
      select a.hash from auth.artifacts a
       where a.hash = any (${hashes}) and ${isUndecided} for update
    ), ${familyParts('agent', family, sql`exists (select from open)`)},
    decided as (
      update auth.artifacts a set family = f.id from family f
       where a.hash = (select hash from open)
    ), ${auditedFamily(call, 'oauth.consent')}
    select (select role from member) as role, (select is_granted from granted) as granted,
           exists (select from family) as made, exists (select from open) as is_open`)
  return row?.is_open === true ? outcomeOf(row) : 'gone'
}

async function denyAgent(
  connection: Connection,
  call: AuditedCall,
  hashes: Statement,
  person: string,
): Promise<boolean> {
  const [row] = await connection.run<Row & { is_denied: boolean }>(sql`
    with denied as (
      update auth.artifacts a set denied_at = clock_timestamp()
       where a.hash = any (${hashes}) and ${isUndecided}
      returning a.client
    ), audited as (
      ${insertAuditRow(
        call,
        { action: 'oauth.consent', outcome: 'refused', status: 403, code: 'access_denied' },
        sql`select null::text, null::text, null::text, client, ${person}::text, null::text from denied`,
      )}
    )
    select exists (select from denied) as is_denied`)
  return row?.is_denied ?? false
}

export function outcomeOf(row: Pick<Member, 'role' | 'made'> | undefined): 'approved' | Unfit {
  if (row?.made) return 'approved'
  return row?.role == null ? 'not_a_member' : 'scope_missing'
}
