// A fixture for authorization server tests: a database, the server on its own port, an integration
// with its members, and clients of every kind.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Mode } from '#contract/operation.ts'
import { allScopes, type MemberRole } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import { type ConnectionPool, openPool, type Row } from '#database/pool.ts'
import { newId } from '../../ids.ts'
import { authPoolSettings } from '../../pool-settings.ts'
import { sql, type Statement } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import { longWaits } from '#database/testing/long-waits.ts'
import { grant, openIntegration } from '../../integrations.ts'
import { acceptAgreement } from '../../testing/administration.ts'
import type { Peppers } from '../../pepper.ts'
import { mintClientSecret } from '../../tokens.ts'
import { createLimiters } from '../limiters.ts'
import { createAuthorizationServer, type AuthorizationServer } from '../server.ts'
import { createSecrets } from '../secrets.ts'
import { answerPage } from './pages.ts'

export const peppers = ['a pepper of the tests'] as const
export const redirectUri = 'https://agent.example.com/callback'

export type Fixture = Awaited<ReturnType<typeof openFixture>>

type Served = {
  issuer: string
  stop(): Promise<void>
  auth: AuthorizationServer
  failures: unknown[]
}

type ServeOptions = {
  url: string
  address?: string
  resources?: { api: string; mcp: string }
  ring?: Peppers
  outgoing?: Outgoing
  pool?: ConnectionPool
}

/** The server with pages that decide as the test specifies (pages.ts). */
export async function serve({
  url,
  address = '203.0.113.7',
  ring = peppers,
  ...given
}: ServeOptions): Promise<Served> {
  const {
    pool = openPool({ url, size: 8, name: 'authorization server', settings: authPoolSettings }),
  } = given
  const failures: unknown[] = []
  let auth: AuthorizationServer | undefined
  const server = createServer((request, response) => {
    const call = {
      requestId: newId('request'),
      address: (request.headers['test-address'] as string | undefined) ?? address,
    }
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (auth === undefined) return response.destroy()
    const answered =
      auth.serves(path) || path.startsWith('/.well-known/openid') || path.startsWith('/api')
        ? auth.answer(request, response, call)
        : answerPage(auth, request, response, call)
    return answered.catch((failure: unknown) => {
      failures.push(failure)
      response.statusCode = 500
      response.end(String(failure))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  auth = createAuthorizationServer({
    issuer,
    resources: given.resources ?? resourcesOf(issuer),
    pool,
    peppers: ring,
    documentation: 'https://docs.example.com/authentication',
    limiters: createLimiters(),
    outgoing: given.outgoing,
    consentPath: interaction => `/consent/${interaction}`,
    onError: failure => void failures.push(failure),
  })
  return {
    issuer,
    auth,
    failures,
    async stop() {
      server.closeAllConnections()
      server.close()
      await auth?.close()
      await pool.close()
    },
  }
}

const resourcesOf = (issuer: string) => ({ api: `${issuer}/v1`, mcp: `${issuer}/mcp` })

export async function openFixture(outgoing?: Outgoing) {
  const database = await testDatabase()
  const owner = openPool({ url: database.url, size: 4, name: 'owner', settings: longWaits })
  const run = async <R extends Row>(statement: Statement): Promise<R[]> => [
    ...(await owner.use(connection => connection.run<R>(statement))),
  ]
  const served = await serve({ url: database.urls.auth, ...(outgoing && { outgoing }) })
  const { integration, organization } = await owner.use(connection =>
    openIntegration(connection, 'Ada Health'),
  )
  const members = await Promise.all(
    (['owner', 'developer', 'billing', 'viewer'] as const).map(async role => [
      role,
      await addMember(run, integration, role),
    ]),
  )
  const { issuer } = served
  return {
    ...served,
    database,
    owner,
    run,
    integration,
    organization,
    resources: resourcesOf(issuer),
    people: Object.fromEntries(members) as Record<MemberRole, string>,
    secrets: createSecrets(peppers),
    addMember: (role: MemberRole) => addMember(run, integration, role),
    addClient: (options: ClientOptions = {}) => addClient(run, { integration, ...options }),
    goLive: () =>
      owner.use(async connection => {
        await acceptAgreement(connection, integration, '1')
        await grant(connection, { integration, organization, mode: 'live' })
      }),
    async close() {
      await served.stop()
      await owner.close()
      await database.close()
    },
  }
}

type Run = <R extends Row>(statement: Statement) => Promise<R[]>

async function addMember(run: Run, integration: string, role: MemberRole): Promise<string> {
  const id = newId('person')
  await run(sql`
    with made as (
      insert into auth.persons (id, email, name)
      values (${id}, ${`${id}@example.com`}, ${`A person who is ${role}`}) returning id)
    insert into auth.members (integration, person, role) select ${integration}, id, ${role} from made`)
  return id
}

type ClientOptions = { integration?: string; mode?: Mode; scopes?: readonly string[] }

/** Adds a confidential client, even with options that the real administration would refuse. */
async function addClient(
  run: Run,
  { integration, mode = 'test', scopes = allScopes }: ClientOptions,
) {
  const id = newId('client')
  const secrets = createSecrets(peppers)
  const secret = mintClientSecret(randomBytes(32))
  await run(sql`
    insert into auth.clients (id, kind, integration, mode, scopes, name)
    values (${id}, 'confidential', ${integration ?? ''}, ${mode}, ${scopes}::text[], 'A server')`)
  const family = await run<{ id: string }>(
    sql`select id from auth.token_families where client = ${id}`,
  )
  const addSecret = (value: string) =>
    run(sql`
      insert into auth.client_secrets (id, client, hash, pepper, last4)
      values (${newId('client_secret')}, ${id},
              ${secrets.hash(value)}, ${secrets.pepper}, ${value.slice(-4)})`)
  await addSecret(secret)
  return { id, secret, addSecret, family: family[0]?.id ?? '' }
}
