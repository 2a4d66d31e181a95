// A person's decision about an agent, for the consent page. The library keeps the agent's request
// as an interaction, which a signed cookie ties to the browser.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InteractionResults, Provider } from 'oidc-provider'
import { allScopes, type Audience, intersect, type Scope } from '#contract/scopes.ts'
import type { Connection, ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import type { AuditedCall } from '../audit.ts'
import type { Secrets } from '../secrets.ts'
import { audiencesOf, type Resources, scopesOf } from '../families.ts'
import {
  approveRequest,
  type Decision,
  denyRequest,
  type Requested,
  type Unfit,
} from './decisions.ts'

/** The parts of an agent's or device's request that the page shows. */
export type ConsentRequest = {
  readonly client: string
  /** The name the client registered, which isn't verified. */
  readonly clientName: string
  readonly registeredAt: string
  /** The host of the client's document, if it has one. Verified by reading the document. */
  readonly documentHost: string | null
  readonly scopes: readonly Scope[]
  readonly audience: readonly Audience[]
}

export type AgentRequest = ConsentRequest & {
  readonly redirectUri: string
  readonly redirectHost: string
}

type Parts = {
  pool: ConnectionPool
  provider(): Promise<Provider>
  secrets: Secrets
  resources: Resources
}

/** The only part of a request that the library reads here: the browser's cookies. The library would
 *  re-sign a cookie whose key is being replaced, but an interaction rarely lives long enough to
 *  need that. */
const exchangeOf = (cookie: string | null) =>
  [
    { headers: { cookie: cookie ?? '' }, url: '/', socket: {} },
    { getHeader: () => undefined, setHeader: () => {} },
  ] as unknown as [IncomingMessage, ServerResponse]

/** A browser's interaction, or null once it's over. */
const interactionOf = (provider: Provider, cookie: string | null): Promise<Interaction | null> =>
  provider.interactionDetails(...exchangeOf(cookie)).catch((failure: unknown) => {
    if (failure instanceof Error && failure.name === 'SessionNotFound') return null
    throw failure
  })

type Decided = { readonly returnTo: string }

const finish = async (
  provider: Provider,
  cookie: string | null,
  result: InteractionResults,
): Promise<Decided> => ({
  returnTo: await provider.interactionResult(...exchangeOf(cookie), result, {
    mergeWithLastSubmission: false,
  }),
})

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

async function describe(
  { pool, resources }: Parts,
  { params }: Interaction,
): Promise<AgentRequest | null> {
  const { client_id: id, redirect_uri: uri, scope, resource } = params
  const client = await pool.use(connection => describeClient(connection, String(id)))
  if (client === null) return null
  const redirectUri = String(uri)
  return {
    ...client,
    redirectUri,
    redirectHost: hostOf(redirectUri),
    scopes: intersect(scopesOf(String(scope ?? '')), allScopes),
    audience: audiencesOf(resources, resource),
  }
}

function requestOf({ secrets }: Parts, { uid }: Interaction): Requested {
  const hashes = secrets.hashes(`interaction ${uid}`)
  return { kind: 'agent', found: sql`a.kind = 'interaction' and a.hash = any (${hashes})` }
}

export function createConsents(parts: Parts) {
  const { pool } = parts
  const requestedBy = (interaction: Interaction) => requestOf(parts, interaction)

  return {
    /** `cookie` is the deciding browser's header. */
    async details(cookie: string | null): Promise<AgentRequest | null> {
      const interaction = await interactionOf(await parts.provider(), cookie)
      return interaction === null ? null : describe(parts, interaction)
    },
    /** Lets the agent act for the person in one integration; the browser then opens `returnTo`. */
    async approve(
      cookie: string | null,
      call: AuditedCall,
      decision: Decision,
    ): Promise<Decided | Unfit> {
      const provider = await parts.provider()
      const interaction = await interactionOf(provider, cookie)
      const asked = interaction === null ? null : await describe(parts, interaction)
      if (asked === null || interaction === null) return 'gone'
      const id = newId('token_family')
      const family = { id, ...asked, ...decision }
      const outcome = await pool.use(connection =>
        approveRequest(connection, call, requestedBy(interaction), family),
      )
      if (outcome !== 'approved') return outcome
      return finish(provider, cookie, {
        login: { accountId: decision.person, remember: false },
        consent: { grantId: id },
      })
    },
    async deny(
      cookie: string | null,
      call: AuditedCall,
      person: string,
    ): Promise<Decided | 'gone'> {
      const provider = await parts.provider()
      const interaction = await interactionOf(provider, cookie)
      if (interaction === null) return 'gone'
      const outcome = await pool.use(connection =>
        denyRequest(connection, call, requestedBy(interaction), person),
      )
      if (outcome !== 'denied') return outcome
      return finish(provider, cookie, {
        error: 'access_denied',
        error_description: 'the user denied the request',
      })
    },
  }
}

/** The part of the redirect target that a browser shows, or the scheme if it's private-use. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

type ClientRow = Row &
  Pick<ConsentRequest, 'client' | 'clientName' | 'registeredAt' | 'documentHost'>

async function describeClient(connection: Connection, id: string) {
  const [found] = await connection.run<ClientRow>(sql`
    select c.id as client, c.name as "clientName", iso(c.created_at) as "registeredAt",
           c.document_host as "documentHost"
      from auth.clients c where c.id = ${id} and c.kind = 'registered' and c.revoked_at is null`)
  return found ?? null
}
