// Tests what an agent can request, what the person sees, and which grants count.

import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allScopes } from '#contract/scopes.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { newId } from '../../ids.ts'
import { grant, openIntegration } from '../../integrations.ts'
import { createLimiters } from '../limiters.ts'
import { createAuthorizationServer } from '../server.ts'
import {
  type AuthorizationOptions,
  authorize,
  authorizeUrl,
  newVerifier,
  openBrowser,
} from '../testing/agent.ts'
import { peppers } from '../testing/fixture.ts'
import { newAgent, post } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

/** Returns what the person sees, or what the agent receives instead. */
async function shown(
  client: string,
  params: AuthorizationOptions['params'] = {},
): Promise<Record<string, unknown> | null> {
  const browser = openBrowser(fixture)
  const started = await browser.get(authorizeUrl(client, newVerifier(), params))
  const page = started.headers.get('location') ?? ''
  if (!page.startsWith('/consent/')) return { status: started.status, page }
  return (await (await browser.get(page)).json()) as Record<string, unknown> | null
}

describe('an agent’s request', () => {
  test('without a scope requests all registered scopes, and can’t request others', async () => {
    const narrow = await newAgent(fixture, { scope: 'cases:read patients:read' })
    const scopes = async (client: string, scope?: string) =>
      (await shown(client, scope === undefined ? {} : { scope }))?.['scopes']
    expect(await scopes(narrow)).toEqual(['patients:read', 'cases:read'])
    expect(await scopes(narrow, '')).toEqual(['patients:read', 'cases:read'])
    expect(await scopes(narrow, 'cases:read')).toEqual(['cases:read'])
    expect(await scopes(await newAgent(fixture))).toEqual([...allScopes])
    const more = await shown(narrow, { scope: 'cases:read cases:write' })
    expect(String(more?.['page'])).toContain('error=invalid_scope')
  })

  test('may explicitly request consent and the query response mode, which are the defaults', async () => {
    const client = await newAgent(fixture)
    for (const params of [{ prompt: 'consent' }, { response_mode: 'query' }]) {
      expect(await shown(client, params)).toMatchObject({ client })
    }
  })

  test('must include a redirect URI, even if only one is registered', async () => {
    const answer = await shown(await newAgent(fixture), { redirect_uri: undefined })
    expect(answer).toEqual({ status: 400, page: '' })
  })

  test.each([
    ['https://agent.example.com:8443/cb', 'agent.example.com:8443'],
    ['http://127.0.0.1:33418/callback', '127.0.0.1:33418'],
    ['com.example.app:/oauth', 'com.example.app'],
  ])('to %s shows that the browser goes to %s', async (redirect_uri, redirectHost) => {
    const registered = { redirect_uris: [redirect_uri], application_type: 'native' }
    const client = await newAgent(fixture, registered)
    expect(await shown(client, { redirect_uri })).toMatchObject({
      client,
      clientName: 'An agent',
      redirectUri: redirect_uri,
      redirectHost,
    })
  })

  test('ends once the client is revoked', async () => {
    const client = await newAgent(fixture)
    const browser = openBrowser(fixture)
    const started = await browser.get(authorizeUrl(client, newVerifier()))
    const page = started.headers.get('location') ?? ''
    await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${client}`)
    expect(await (await browser.get(page)).json()).toBeNull()
    const { people, integration } = fixture
    const decision = new URLSearchParams({ decide: 'approve', person: people.owner, integration })
    const decided = await browser.get(`${page}?${decision}`)
    expect([decided.status, await decided.json()]).toEqual([409, { outcome: 'gone' }])
  })
})

test('a device code ends once its client is revoked', async () => {
  const client_id = await newAgent(fixture)
  const asked = { client_id, scope: 'cases:read', resource: fixture.resources.api }
  const { body } = await post(fixture, paths.deviceAuthorization, asked)
  const query = new URLSearchParams({
    user_code: String(body['user_code']),
    person: fixture.people.owner,
  })
  const page = () => fetch(`${fixture.issuer}/device?${query}`).then(answer => answer.json())
  expect(await page()).toMatchObject({ client: client_id })
  await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${client_id}`)
  expect(await page()).toBeNull()
})

test('only an active grant from the same integration’s sandbox gives an agent access', async () => {
  const { integration, organization } = await fixture.owner.use(connection =>
    openIntegration(connection, 'Narrow'),
  )
  const person = newId('person')
  await fixture.run(sql`
    insert into auth.persons (id, email, name) values (${person}, ${`${person}@example.com`}, 'Ben')`)
  await fixture.run(sql`
    insert into auth.members (integration, person, role) values (${integration}, ${person}, 'owner')`)
  const asked = { person, integration, params: { scope: 'cases:read' } }
  const outcome = async () => {
    const { response, query } = await authorize(fixture, asked)
    return query?.['code'] === undefined ? await response.json() : 'approved'
  }
  expect(await outcome()).toBe('approved')
  const set = (to: ReturnType<typeof sql>) =>
    fixture.run(sql`
      update auth.grants set ${to} where integration = ${integration} and mode = 'test'`)
  await set(sql`scopes = '{patients:read}'`)
  // The clinic grants everything in live mode; the fixture's sandbox grants another integration
  // everything.
  await fixture.owner.use(connection =>
    grant(connection, { integration, organization, mode: 'live' }),
  )
  expect(await outcome()).toEqual({ outcome: 'scope_missing' })
  await set(sql`scopes = '{cases:read}', status = 'revoked'`)
  expect(await outcome()).toEqual({ outcome: 'scope_missing' })
})

test('under https, its cookies are sent only over https', async () => {
  const pool = openPool({ url: fixture.database.urls.auth, size: 2, name: 'secure' })
  const failures: unknown[] = []
  const auth = createAuthorizationServer({
    issuer: 'https://auth.example.com',
    resources: fixture.resources,
    pool,
    peppers,
    documentation: 'https://docs.example.com/authentication',
    limiters: createLimiters(),
    consentPath: interaction => `/consent/${interaction}`,
    onError: failure => void failures.push(failure),
  })
  const server = createServer((request, response) => {
    void auth.answer(request, response, { requestId: 'req_1', address: '203.0.113.7' })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = authorizeUrl(await newAgent(fixture), newVerifier())
  const { status, headers } = await fetch(`http://127.0.0.1:${port}${url}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'https' },
  })
  expect([status, failures]).toEqual([303, []])
  expect(headers.getSetCookie()).toHaveLength(4)
  for (const cookie of headers.getSetCookie()) {
    expect(cookie).toMatch(/^__Secure-auth_(interaction|resume)(\.sig)?=/)
    expect(cookie).toMatch(/; samesite=lax; secure; httponly$/)
  }
  server.closeAllConnections()
  server.close()
  await auth.close()
  await pool.close()
})
