// A client of the running gateway starts with only the API's URL and gets from a 401 to the
// authorization server, to a token, and back.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as modern from '@modelcontextprotocol/client'
import * as extensions from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createClient } from '#auth/administration.ts'
import { actOfOperator } from '#auth/operator.ts'
import { hashToken, mintAccessToken } from '#auth/tokens.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Serving } from '#gateway/server/context.ts'
import { type Installation, openInstallation } from './testing/installation.ts'

let installation: Installation
let owner: ConnectionPool
let serving: Serving
let client = { id: '', secret: '' }

beforeAll(async () => {
  installation = await openInstallation()
  serving = installation.serving
  owner = openPool({ url: installation.databaseUrl, size: 1, name: 'owner' })
  const { pepper, sandbox } = installation
  const asked = { integration: sandbox?.integration ?? '', mode: 'test', name: 'A server' } as const
  const made = await owner.use(connection =>
    createClient(connection, pepper, asked, actOfOperator()),
  )
  if (made.refusal !== null) throw new Error(made.refusal)
  client = { id: made.id, secret: made.secret }
}, 60_000)
afterAll(async () => {
  await owner.close()
  await installation.close()
}, 60_000)

const json = async (url: string, init?: RequestInit) =>
  (await fetch(url, init)).json() as Promise<Record<string, never>>

/** The endpoints, discovered through RFC 9728 and RFC 8414. */
async function discover(): Promise<Record<string, string>> {
  const refused = await fetch(`${serving.base}/v1/organization`)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const resource = await json(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '')
  const [issuer] = resource['authorization_servers'] ?? []
  return json(`${String(issuer)}/.well-known/oauth-authorization-server`)
}

const post = (url: string | undefined, form: Record<string, string>) =>
  fetch(url ?? '', {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
  })

async function newToken(form: Record<string, string> = {}): Promise<string> {
  const { token_endpoint } = await discover()
  const answer = await post(token_endpoint, { grant_type: 'client_credentials', ...form })
  return String(((await answer.json()) as Record<string, unknown>)['access_token'])
}

const statusWith = async (token: string) =>
  (
    await fetch(`${serving.base}/v1/organization`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status

test('a 401 leads to a token, which works where a key does', async () => {
  const { issuer } = await discover()
  expect(issuer).toBe(serving.urls.auth)
  expect(await statusWith(await newToken())).toBe(200)
  expect(await statusWith(await newToken({ resource: serving.base }))).toBe(200)
})

test('a token stops working after an hour, or when it is revoked', async () => {
  const { revocation_endpoint } = await discover()
  const [old, revoked] = [await newToken(), await newToken()]
  const aged = (seconds: number) =>
    owner.use(connection =>
      connection.run(sql`
        update auth.credentials
           set expires_at = created_at + interval '1 hour' - ${seconds}::int * interval '1 second'
         where hash = ${hashToken(installation.pepper, old)}`),
    )
  await aged(3590)
  expect(await statusWith(old)).toBe(200)
  await aged(3601)
  expect(await statusWith(old)).toBe(401)
  expect(await statusWith(revoked)).toBe(200)
  expect((await post(revocation_endpoint, { token: revoked })).status).toBe(200)
  expect(await statusWith(revoked)).toBe(401)
})

test('a SMART client gets from its configuration to a token that can read patients', async () => {
  const smart = await json(`${serving.base}/preview/fhir/.well-known/smart-configuration`)
  expect(smart['grant_types_supported']).toEqual(['client_credentials'] as never)
  const tokenWith = async (scope: string) => {
    const form = { grant_type: 'client_credentials', scope }
    const answer = await post(smart['token_endpoint'], form)
    return (await answer.json()) as Record<string, string>
  }
  const read = async (type: string, token = '') =>
    (
      await fetch(`${serving.base}/preview/fhir/${type}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  const narrow = await tokenWith('system/Patient.rs')
  expect(narrow['scope']).toBe('patients:read')
  expect(await read('Patient', narrow['access_token'])).toBe(200)
  expect(await read('Encounter', narrow['access_token'])).toBe(403)
  const wide = await tokenWith('system/*.read')
  expect(wide['scope']).toBe('patients:read cases:read visits:read')
  expect(await read('Encounter', wide['access_token'])).toBe(200)
  expect((await tokenWith('system/Observation.read'))['error']).toBe('invalid_scope')
})

const resourceMetadata = (headers: Headers) =>
  /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]

test('tokens for other resources or from other issuers get a 401 that points to the authorization server', async () => {
  const mint = () => mintAccessToken('test', crypto.getRandomValues(new Uint8Array(32)))
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const claims = { iss: 'https://other.example.com', aud: serving.base, exp: 4_000_000_000 }
  const foreign = {
    'for the tool server': await newToken({ resource: serving.urls.mcp }),
    'of another installation': mint(),
    'of another issuer': `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}.c2lnbmF0dXJl`,
    unsigned: `${part({ alg: 'none' })}.${part(claims)}.`,
  }
  for (const [name, token] of Object.entries(foreign)) {
    const authorization = `Bearer ${token}`
    const { status, headers } = await fetch(`${serving.base}/v1/organization`, {
      headers: { authorization },
    })
    expect([name, status]).toEqual([name, 401])
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
    const document = await json(resourceMetadata(headers) ?? '')
    expect(document).toMatchObject({
      resource: serving.base,
      authorization_servers: [serving.urls.auth],
    })
  }
})

/** The tool server's response to `tools/list`. */
const listTools = (token: string | null) =>
  fetch(serving.urls.mcp, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  })

test('a token for the tool server works there, one for the API does not', async () => {
  const answer = await listTools(await newToken({ resource: serving.urls.mcp }))
  expect(answer.status).toBe(200)
  expect((await answer.json()).result.tools).toHaveLength(46)
  const other = await listTools(await newToken({ resource: serving.base }))
  expect(other.status).toBe(401)
  expect(other.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

test.each([
  ['@modelcontextprotocol/client', modern, modern],
  ['@modelcontextprotocol/sdk', { Client, StreamableHTTPClientTransport }, extensions],
])('%s gets a token with a secret and calls tools, with no other settings', async (...given) => {
  const [, library, { ClientCredentialsProvider }] = given
  const authProvider = new ClientCredentialsProvider({
    clientId: client.id,
    clientSecret: client.secret,
    expectedIssuer: serving.urls.auth,
  })
  const url = new URL(serving.urls.mcp)
  const transport = new library.StreamableHTTPClientTransport(url, {
    authProvider: authProvider as never,
  })
  const caller = new library.Client({ name: 'tests', version: '1' })
  await caller.connect(transport as never)
  expect((await caller.listTools()).tools).toHaveLength(46)
  const answer = await caller.callTool({ name: 'get_organization', arguments: {} })
  expect(answer.isError).toBeUndefined()
  expect(answer.structuredContent).toMatchObject({ mode: 'test' })
  await caller.close()
})

test('the tool server’s 401 leads to its metadata, and to the same authorization server', async () => {
  const { status, headers } = await listTools(null)
  expect(status).toBe(401)
  const document = await json(resourceMetadata(headers) ?? '')
  expect(document).toMatchObject({
    resource: serving.urls.mcp,
    authorization_servers: [serving.urls.auth],
  })
})

test('the tool server names itself byte for byte, at its own path and at the root', async () => {
  const { mcp, auth } = serving.urls
  const { origin, pathname } = new URL(mcp)
  for (const at of ['', pathname]) {
    const document = await json(`${origin}/.well-known/oauth-protected-resource${at}`)
    expect(document).toMatchObject({ resource: mcp, authorization_servers: [auth] })
    const guide = String(document['resource_documentation'])
    expect(guide).toBe(`${serving.base}/docs/tool-server`)
    expect([guide, (await fetch(guide)).status]).toEqual([guide, 200])
  }
})
