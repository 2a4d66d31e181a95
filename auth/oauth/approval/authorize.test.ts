// Tests an agent's authorization request in a browser: the agent's response, the page a person sees
// instead, and requests that a person can't approve.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { authorize, authorizeUrl, newVerifier, openBrowser } from '../testing/agent.ts'
import { redirectUri } from '../testing/fixture.ts'
import { newAgent, read } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

describe('303: a refusal sent to the client', () => {
  const errorOf = async (params: Record<string, string | undefined>) => {
    const { response, query } = await authorize(fixture, { params })
    return [response.status, query?.['error'], query?.['iss'], query?.['state']]
  }
  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['without its method, which would mean plain', { code_challenge_method: undefined }],
    ['with an invalid challenge', { code_challenge: 'x' }],
    ['with an unknown prompt', { prompt: 'nonsense' }],
    ['with an ID token hint', { id_token_hint: 'x' }],
  ])('invalid_request %s', async (_name, params) => {
    expect(await errorOf(params)).toEqual([303, 'invalid_request', fixture.issuer, 'the state'])
  })

  test('unsupported and unknown values have their own error codes', async () => {
    const code = async (params: Record<string, string>) => (await errorOf(params))[1]
    expect(await code({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await code({ response_type: 'code id_token' })).toBe('unsupported_response_type')
    expect(await code({ response_mode: 'web_message' })).toBe('unsupported_response_mode')
    expect(await code({ response_mode: 'form_post' })).toBe('unsupported_response_mode')
    expect(await code({ response_mode: 'fragment' })).toBe('unsupported_response_mode')
    expect(await code({ scope: 'openid' })).toBe('invalid_scope')
    expect(await code({ scope: 'patients:read patients:everything' })).toBe('invalid_scope')
    expect(await code({ resource: 'https://other.example.com' })).toBe('invalid_target')
    expect(await code({ request: 'x' })).toBe('request_not_supported')
    expect(await code({ request_uri: 'https://x.example.com' })).toBe('request_uri_not_supported')
    expect(await code({ prompt: 'none' })).toBe('consent_required')
  })

  test('access_denied when the person denies', async () => {
    const { query } = await authorize(fixture, { decide: 'deny' })
    expect(query).toMatchObject({ error: 'access_denied', iss: fixture.issuer, state: 'the state' })
  })
})

describe('400: a page, never a redirect', () => {
  const page = async (url: string) => {
    const response = await openBrowser(fixture).get(url)
    return [response.status, response.headers.get('location'), await response.text()]
  }
  test('for an unknown client, and for an unregistered redirect URI', async () => {
    const client = await newAgent(fixture)
    const verifier = newVerifier()
    const other = authorizeUrl('cli_00000000000000000000000000', verifier)
    expect(await page(other)).toEqual([400, null, expect.stringContaining('invalid_client')])
    for (const uri of [
      'https://evil.example.com/callback',
      `${redirectUri}/`,
      `${redirectUri}?x=1`,
      `${redirectUri}/../other`,
      redirectUri.replace('https', 'http'),
      redirectUri.toUpperCase(),
      'https://agent.example.com@evil.example.com/callback',
      'https://agent.example.com:444/callback',
      '',
    ]) {
      const [status, location] = await page(authorizeUrl(client, verifier, { redirect_uri: uri }))
      expect([uri, status, location]).toEqual([uri, 400, null])
    }
  })

  test('for a loopback address that differs in more than the port', async () => {
    const client = await newAgent(fixture, { redirect_uris: ['http://127.0.0.1:1/cb'] })
    const get = (redirect_uri: string) =>
      page(authorizeUrl(client, newVerifier(), { redirect_uri }))
    for (const uri of [
      'http://127.0.0.1:2@evil.example.com/cb',
      'http://127.0.0.1:2\\@evil.example.com/cb',
      'http://127.0.0.1:evil.example.com/cb',
      'http://127.0.0.1.evil.example.com:2/cb',
      'http://evil.example.com:2/cb',
      'http://user@127.0.0.1:2/cb',
      'http://localhost:2/cb',
      'http://127.1:2/cb',
      'https://127.0.0.1:2/cb',
      'http://127.0.0.1:70000/cb',
      'http://127.0.0.1:2/cb/../evil',
      'http://127.0.0.1:2/./cb',
      'http://127.0.0.1:2/c\tb',
      'http://127.0.0.1:2/cb\r\nx: y',
      'http://127.0.0.1:2/cb?x=1',
      'http://127.0.0.1:2/cb#x',
    ]) {
      const [status, location] = await get(uri)
      expect([uri, status, location]).toEqual([uri, 400, null])
    }
    const [status, location] = await get('http://127.0.0.1:2/cb')
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/consent\//)])
  })

  test('for a repeated parameter', async () => {
    const url = authorizeUrl(await newAgent(fixture), newVerifier(), { state: ['a', 'b'] })
    expect((await page(url)).slice(0, 2)).toEqual([400, null])
  })

  test('for an interaction that belongs to another browser', async () => {
    const { resume } = await authorize(fixture)
    expect((await page(String(resume))).slice(0, 2)).toEqual([400, null])
    const started = await openBrowser(fixture).get(
      authorizeUrl(await newAgent(fixture), newVerifier()),
    )
    const other = await openBrowser(fixture).get(started.headers.get('location') ?? '')
    expect(await other.text()).toBe('null')
  })

  test('reveals no file path from the server', async () => {
    const [, , text] = await page(`${paths.authorization}?client_id=%00`)
    expect(String(text)).not.toMatch(/node_modules|\/auth\/oauth\/|at async/)
  })
})

describe('409: an impossible decision', () => {
  test.each([
    ['a viewer cannot let an agent write', 'viewer', 'patients:write', 'scope_missing'],
    ['billing cannot let an agent read patients', 'billing', 'patients:read', 'scope_missing'],
  ] as const)('%s', async (_name, role, scope, outcome) => {
    const person = fixture.people[role]
    const { response } = await authorize(fixture, { person, params: { scope } })
    expect([response.status, await response.json()]).toEqual([409, { outcome }])
  })

  test('a person who isn’t a member', async () => {
    const person = 'per_00000000000000000000000000'
    const { response } = await authorize(fixture, { person })
    expect(await response.json()).toEqual({ outcome: 'not_a_member' })
  })

  test('the sandbox has not granted a scope', async () => {
    const set = (scopes: string[]) =>
      fixture.run(sql`update auth.grants set scopes = ${scopes}::text[]
        where integration = ${fixture.integration} and mode = 'test'`)
    const [before] = await fixture.run<{ scopes: string[] }>(
      sql`select scopes from auth.grants where integration = ${fixture.integration} and mode = 'test'`,
    )
    await set(['patients:read'])
    const { response } = await authorize(fixture, { params: { scope: 'cases:read' } })
    await set(before?.scopes ?? [])
    expect(await response.json()).toEqual({ outcome: 'scope_missing' })
  })
})

test('cookies are signed and cannot be read by scripts', async () => {
  const started = await openBrowser(fixture).get(
    authorizeUrl(await newAgent(fixture), newVerifier()),
  )
  const cookies = started.headers.getSetCookie()
  expect(cookies).toHaveLength(4)
  for (const cookie of cookies) expect(cookie).toMatch(/^auth_.*; samesite=lax; httponly$/)
  const { body } = await read(await fetch(`${fixture.issuer}${started.headers.get('location')}`))
  expect(body).toEqual(null as never)
})

test('each refusal leaves an audit row, whether the client or the person sees it', async () => {
  const [client, verifier] = [await newAgent(fixture), newVerifier()]
  const ask = (params: Record<string, string | undefined>) =>
    openBrowser(fixture).get(authorizeUrl(client, verifier, params))
  await ask({ scope: 'openid' })
  await ask({ code_challenge: undefined, code_challenge_method: undefined })
  await ask({ resource: 'https://other.example.com' })
  await ask({ redirect_uri: 'https://evil.example.com' })
  await ask({})
  const rows = await fixture.run(sql`
    select outcome, status, code, person from audit.entries
     where action = 'oauth.authorize' and client = ${client} order by seq`)
  const refusal = { outcome: 'refused', person: null }
  expect(rows).toEqual([
    { ...refusal, status: 303, code: 'invalid_scope' },
    { ...refusal, status: 303, code: 'invalid_request' },
    { ...refusal, status: 303, code: 'invalid_target' },
    { ...refusal, status: 400, code: 'invalid_redirect_uri' },
  ])
})
