// Tests unmodified third-party clients, which configure themselves from the server's metadata.

import { describe, expect, test } from 'bun:test'
import * as modern from '@modelcontextprotocol/client'
import * as classicExtensions from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import * as classic from '@modelcontextprotocol/sdk/client/auth.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beginAuthorization, discover, insecure, registerClient } from '../testing/clients.ts'
import { sql } from '#database/sql.ts'
import { mintClientSecret, modeOf } from '../tokens.ts'
import { openBrowser } from './testing/agent.ts'
import { toolClientMemory } from './testing/tool-client-memory.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const callback = 'http://127.0.0.1:8976/callback'

/** Acts as a person: follows the agent's link and approves. Returns where the browser ends up. */
async function approve(url: URL | string): Promise<URL> {
  const browser = openBrowser(fixture)
  const started = await browser.get(String(url))
  const page = started.headers.get('location') ?? ''
  const decision = new URLSearchParams({
    decide: 'approve',
    person: fixture.people.owner,
    integration: fixture.integration,
  })
  const decided = await browser.get(`${page}?${decision}`)
  const returned = await browser.get(decided.headers.get('location') ?? '')
  return new URL(returned.headers.get('location') ?? '')
}

const approveDevice = (userCode: string) =>
  fetchAll(['open', 'approve'].map(step => ({ step, userCode })))

async function fetchAll(steps: { step: string; userCode: string }[]) {
  for (const { step, userCode } of steps) {
    const query = new URLSearchParams({ user_code: userCode, person: fixture.people.owner })
    query.set('integration', fixture.integration)
    if (step === 'approve') query.set('decide', 'approve')
    await fetch(`${fixture.issuer}/device?${query}`)
  }
}

describe('tool clients register, request authorization and get tokens', () => {
  const libraries = [
    ['@modelcontextprotocol/client', modern.auth as unknown as typeof classic.auth],
    ['@modelcontextprotocol/sdk', classic.auth],
  ] as const
  const wish = {
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
    response_types: ['code', 'token'],
    scope: null,
    logo_uri: null,
  }
  const cases = libraries.flatMap(([name, auth]) => [
    [name, 'what it needs', auth, {}] as const,
    [name, 'more than there is', auth, wish] as const,
  ])
  test.each(cases)('%s, for %s', async (_name, _wish, auth, more) => {
    const client = toolClientMemory(callback, undefined, more)
    const provider = client as unknown as classic.OAuthClientProvider
    const serverUrl = fixture.resources.mcp
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    expect(client.kept.client?.client_id).toStartWith('cli_')
    expect(client.kept.sentTo?.searchParams.get('resource')).toBe(serverUrl)
    const returned = await approve(client.kept.sentTo ?? '')
    expect(returned.searchParams.get('iss')).toBe(fixture.issuer)
    const authorizationCode = returned.searchParams.get('code') ?? ''
    const iss = fixture.issuer
    expect(await auth(provider, { serverUrl, authorizationCode, iss } as never)).toBe('AUTHORIZED')
    const first = client.kept.tokens
    expect(modeOf(first?.access_token ?? null)).toBe('test')
    expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
    expect(client.kept.tokens?.refresh_token).not.toBe(first?.refresh_token)
    expect(modeOf(client.kept.tokens?.access_token ?? null)).toBe('test')
  })
})

describe('tool clients get tokens with a secret', () => {
  test.each([
    [
      '@modelcontextprotocol/client',
      modern.auth as unknown as typeof classic.auth,
      modern.ClientCredentialsProvider as unknown as typeof classicExtensions.ClientCredentialsProvider,
    ],
    ['@modelcontextprotocol/sdk', classic.auth, classicExtensions.ClientCredentialsProvider],
  ])('%s', async (_name, auth, Provider) => {
    const { id, secret } = await fixture.addClient()
    const scope = 'patients:read cases:read'
    const made = (clientSecret: string) =>
      new Provider({
        clientId: id,
        clientSecret,
        scope,
        expectedIssuer: fixture.issuer,
      })
    const provider = made(secret)
    // One client gets the scope from a challenge, and the other client gets it from its settings.
    const asked = { serverUrl: fixture.resources.mcp, scope }
    expect(await auth(provider, asked)).toBe('AUTHORIZED')
    const tokens = provider.tokens()
    expect(tokens).toMatchObject({ expires_in: 3600, scope })
    expect(tokens?.refresh_token).toBeUndefined()
    const [stored] = await fixture.run<{ audience: string[] }>(sql`
      select audience from auth.credentials
       where hash = ${fixture.secrets.hash(tokens?.access_token ?? '')}`)
    expect(stored?.audience).toEqual(['mcp'])
    const wrong = made(mintClientSecret(new Uint8Array(32)))
    await expect(auth(wrong, asked)).rejects.toThrow('client authentication failed')
  })
})

describe('oauth4webapi', () => {
  test('client credentials, introspection and revocation', async () => {
    const server = await discover(fixture.issuer)
    const { id, secret } = await fixture.addClient()
    const client = { client_id: id }
    const authentication = oauth.ClientSecretBasic(secret)
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      { scope: 'patients:read', resource: fixture.resources.api },
      insecure,
    )
    const tokens = await oauth.processClientCredentialsResponse(server, client, response)
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'patients:read', token_type: 'bearer' })
    const { access_token: token } = tokens
    const asked = await oauth.introspectionRequest(server, client, authentication, token, insecure)
    const described = await oauth.processIntrospectionResponse(server, client, asked)
    expect(described).toMatchObject({ active: true, aud: fixture.resources.api })
    const revoked = await oauth.revocationRequest(server, client, authentication, token, insecure)
    await oauth.processRevocationResponse(revoked)
    const again = await oauth.introspectionRequest(server, client, authentication, token, insecure)
    expect((await oauth.processIntrospectionResponse(server, client, again)).active).toBe(false)
  })

  test('authorization code with PKCE, then a refresh token', async () => {
    const registered = await registerClient(fixture.issuer, { redirectUri: callback })
    const { url, finish } = await beginAuthorization(registered, { redirectUri: callback })
    const tokens = await finish((await approve(url)).href)
    const { server, client } = registered
    const again = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    )
    const fresh = await oauth.processRefreshTokenResponse(server, client, again)
    expect(modeOf(fresh.access_token)).toBe('test')
  })

  test('a device code', async () => {
    const { server, client } = await registerClient(fixture.issuer)
    const started = await oauth.deviceAuthorizationRequest(
      server,
      client,
      oauth.None(),
      { scope: 'events:read', resource: fixture.resources.api },
      insecure,
    )
    const device = await oauth.processDeviceAuthorizationResponse(server, client, started)
    expect(device.interval).toBe(5)
    await approveDevice(device.user_code)
    const polled = await oauth.deviceCodeGrantRequest(
      server,
      client,
      oauth.None(),
      device.device_code,
      insecure,
    )
    const tokens = await oauth.processDeviceCodeResponse(server, client, polled)
    expect(tokens).toMatchObject({ scope: 'events:read', refresh_token: expect.any(String) })
  })
})

describe('openid-client', () => {
  test('discovers the server without OpenID, and its clients get tokens', async () => {
    const { id, secret } = await fixture.addClient()
    const configuration = await openid.discovery(
      new URL(fixture.issuer),
      id,
      undefined,
      openid.ClientSecretPost(secret),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    )
    const tokens = await openid.clientCredentialsGrant(configuration, { scope: 'cases:read' })
    expect(tokens.scope).toBe('cases:read')
    const described = await openid.tokenIntrospection(configuration, tokens.access_token)
    expect(described.active).toBe(true)
    await openid.tokenRevocation(configuration, tokens.access_token)
  })

  const register = (metadata: Partial<openid.ClientMetadata>) =>
    openid.dynamicClientRegistration(
      new URL(fixture.issuer),
      { token_endpoint_auth_method: 'client_secret_post', ...metadata },
      openid.None(),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    )

  test('authorization code with PKCE, a refresh token, and its revocation', async () => {
    const configuration = await register({ client_name: 'An agent', redirect_uris: [callback] })
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'patients:read',
      resource: fixture.resources.api,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const returned = await approve(url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(configuration, returned, checks)
    expect(tokens).toMatchObject({ scope: 'patients:read', expires_in: 3600 })
    const fresh = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(modeOf(fresh.access_token)).toBe('test')
    await openid.tokenRevocation(configuration, fresh.refresh_token ?? '')
    const ended = openid.refreshTokenGrant(configuration, fresh.refresh_token ?? '')
    await expect(ended).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  })

  test('completes the device grant', async () => {
    const configuration = await register({
      client_name: 'A command line',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      response_types: [],
      redirect_uris: [],
    })
    const device = await openid.initiateDeviceAuthorization(configuration, {
      scope: 'events:read',
      resource: fixture.resources.api,
    })
    await approveDevice(device.user_code)
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, {
      ...device,
      interval: 0.1,
    })
    expect(modeOf(tokens.access_token)).toBe('test')
  })
})

describe('curl', () => {
  const curl = async (...line: string[]) => {
    const run = Bun.spawn(['curl', '-sS', ...line], { stdout: 'pipe', stderr: 'pipe' })
    return { out: await new Response(run.stdout).text(), code: await run.exited }
  }

  test.skipIf(Bun.which('curl') === null)('gets a token with one command', async () => {
    const { id, secret } = await fixture.addClient()
    const { out, code } = await curl(
      '-u',
      `${id}:${secret}`,
      '-d',
      'grant_type=client_credentials',
      `${fixture.issuer}/api/auth/oauth2/token`,
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    const wrong = await curl(
      '-u',
      `${id}:x`,
      '-d',
      'grant_type=client_credentials',
      '-w',
      '%{http_code}',
      `${fixture.issuer}/api/auth/oauth2/token`,
    )
    expect(wrong.out).toEndWith('401')
  })
})
