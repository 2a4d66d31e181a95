// An agent starts with only the tool server's URL and uses the protocol's libraries over HTTP, from
// a 401 to a tool call. The only manual step is a person's consent in the browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as FormerUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { codeAt } from '#auth/accounts/totp.ts'
import { toolClientMemory } from '#auth/oauth/testing/tool-client-memory.ts'
import { openBrowser, type TestBrowser } from '#auth/testing/browser.ts'
import { modeOf } from '#auth/tokens.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { rivera } from '#contract/examples.ts'
import { now } from '#database/clock.ts'
import { type ConnectionPool, openPool, type Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { type Installation, openInstallation } from './testing/installation.ts'

const callback = 'http://127.0.0.1:8976/callback'
let installation: Installation
let owner: ConnectionPool
let folder = ''
let host: Receiver
let browser: TestBrowser

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agents-'))
  const ca = path.join(folder, 'hosts.pem')
  writeFileSync(ca, authority.cert)
  host = openReceiver(
    ({ path: at }) =>
      Response.json({
        client_id: host.url(at, '127.0.0.1'),
        client_name: 'An editor',
        redirect_uris: [callback],
      }),
    authority.sign('127.0.0.1'),
  )
  installation = await openInstallation({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_CA: ca })
  owner = openPool({ url: installation.databaseUrl, size: 1, name: 'owner' })
  browser = openBrowser(installation.serving.urls.auth)
}, 60_000)
afterAll(async () => {
  await Promise.all([owner.close(), host.stop(), rm(folder, { recursive: true })])
  await installation.close()
}, 60_000)

/** Acts as the person: opens the agent's link, signs in if asked, and allows access. Returns the
 *  browser's last URL, which is the agent's own. */
async function allow(link: URL | undefined): Promise<URL> {
  const { email = '', password = '', totp_secret: secret = '' } = installation.sandbox?.owner ?? {}
  await browser.get(String(link))
  if (browser.page.url.startsWith('/sign-in')) {
    await browser.submit('/sign-in', { email, password })
    await browser.submit('/sign-in/code', { code: codeAt(secret, now()) })
  }
  expect(browser.page.text).toContain('act for you?')
  const { url } = await browser.submit(browser.page.url, { decide: 'approve' })
  return new URL(url)
}

const ways = {
  '@modelcontextprotocol/client': {
    Client,
    Transport: StreamableHTTPClientTransport,
    Unauthorized: UnauthorizedError,
  },
  '@modelcontextprotocol/sdk': {
    Client: FormerClient,
    Transport: FormerTransport,
    Unauthorized: FormerUnauthorized,
  },
} as unknown as Record<
  string,
  {
    Client: typeof Client
    Transport: typeof StreamableHTTPClientTransport
    Unauthorized: typeof UnauthorizedError
  }
>

const isFormer = (way: string) => way.endsWith('/sdk')

/** A client that got its token through its own library. */
async function connected(way: string, document?: string) {
  const { Client: OneClient, Transport, Unauthorized } = ways[way] ?? {}
  if (!OneClient || !Transport || !Unauthorized) throw new Error(`there is no library ${way}`)
  const kept = toolClientMemory(callback, document)
  const url = new URL(installation.serving.urls.mcp)
  const open = () => new Transport(url, { authProvider: kept as never })
  const first = open()
  const refused = await new OneClient({ name: 'an agent', version: '1' })
    .connect(first)
    .catch((failure: unknown) => failure)
  expect(refused).toBeInstanceOf(Unauthorized)
  const returned = await allow(kept.kept.sentTo)
  const { searchParams } = returned
  await first.finishAuth((isFormer(way) ? searchParams.get('code') : searchParams) as never)
  const client = new OneClient({ name: 'an agent', version: '1' })
  await client.connect(open())
  return { client, kept: kept.kept }
}

const rowsOf = <R extends Row>(statement: ReturnType<typeof sql>) =>
  owner.use(connection => connection.run<R>(statement))

describe.each(Object.keys(ways))('%s', way => {
  test('registers, gets a token, lists its scopes’ tools and calls one', async () => {
    const { client, kept } = await connected(way)
    expect(kept.client?.client_id).toStartWith('cli_')
    const token = kept.tokens?.access_token ?? ''
    expect(modeOf(token)).toBe('test')
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(46)
    const made = (await client.callTool({
      name: 'create_patient',
      arguments: { ...rivera, idempotency_key: crypto.randomUUID() },
    })) as { isError?: boolean; structuredContent?: { id?: string } }
    expect([made.isError ?? false, made.structuredContent?.id]).toEqual([
      false,
      expect.stringMatching(/^pat_/),
    ])
    // The token is for the tool server only.
    const rest = await fetch(`${installation.serving.base}/v1/patients`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(rest.status).toBe(401)
    await until(async () => (await rowsOf(callsOf(kept.client?.client_id))).length > 0)
    expect(await rowsOf(callsOf(kept.client?.client_id))).toEqual([
      { surface: 'mcp', action: 'createPatient', outcome: 'ok', is_for_person: true },
    ])
    await client.close()
  })

  test('is identified by its document, which is read once, and registers nothing', async () => {
    const document = host.url(`/${encodeURIComponent(way)}.json`, '127.0.0.1')
    const before = host.received.length
    const { client, kept } = await connected(way, document)
    expect(kept.client?.client_id).toBe(document)
    expect(host.received.length - before).toBe(1)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(46)
    // A person revokes the agent's access, which is listed under its document's host.
    await browser.get('/')
    expect(browser.page.text).toContain(new URL(document).host)
    const [row] = await rowsOf<{ id: string; integration: string }>(sql`
      select c.id, f.integration from auth.clients c join auth.token_families f on f.client = c.id
       where c.document_url = ${document}`)
    await browser.submit('/access/end', {
      client: row?.id ?? '',
      integration: row?.integration ?? '',
      kind: 'agent',
    })
    const ended = await client.listTools().catch((failure: unknown) => failure)
    expect(ended).toBeInstanceOf(Error)
    await client.close()
  })
})

const callsOf = (client: string | undefined) => sql`
  select surface, action, outcome, person is not null as is_for_person from audit.entries
   where client = ${client ?? ''} and action = 'createPatient'`
