// Tests which requests a browser allows for agents that run in a page, and that cookies make no
// difference.

import { describe, expect, test } from 'bun:test'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { agentTokens, authorize, authorizeUrl, newVerifier } from './testing/agent.ts'
import { redirectUri } from './testing/fixture.ts'
import { basic, newAgent, post, read, register, tokenFor } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const origin = 'https://inspector.example.com'

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${fixture.issuer}${path}`, { redirect: 'manual', ...init })

const corsOf = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter(name => name.startsWith('access-control-'))

const open = [
  [paths.metadata, 'GET'],
  [paths.registration, 'POST'],
  [paths.token, 'POST'],
  [paths.revocation, 'POST'],
] as const
const closed = [
  [paths.authorization, 'GET'],
  [paths.introspection, 'POST'],
  [paths.deviceAuthorization, 'POST'],
] as const

/** The preflight a browser sends before a request that no form could send. */
const preflight = (path: string, method: string) =>
  ask(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
    },
  })

describe('204: a preflight', () => {
  test.each(open)('for %s lets a page from any origin send %s', async (path, method) => {
    const { status, headers } = await preflight(path, method)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe(`${method}, OPTIONS`)
    expect(headers.get('access-control-allow-headers')).toBe('*, Authorization')
    expect(headers.get('access-control-max-age')).toMatch(/^\d+$/)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(closed)('for %s allows no page', async (path, method) => {
    const answer = await preflight(path, method)
    expect([answer.status, corsOf(answer)]).toEqual([204, []])
    expect(answer.headers.get('allow')).toBe(`${method}, OPTIONS`)
  })
})

describe('a page can read', () => {
  test.each([
    ['the metadata', 200, () => ask(paths.metadata, { headers: { origin } })],
    ['that it is registered', 201, () => register(fixture, metadata, send)],
    ['why it is not', 400, () => register(fixture, {}, send)],
    ['why it gets no token', 400, () => tokenFor(fixture, { client_id: 'x' }, send)],
    ['that it is unknown', 401, () => post(fixture, paths.revocation, { token: 'x' }, send)],
    ['that the method isn’t allowed', 405, () => ask(paths.token, { headers: { origin } })],
  ])('%s (%i)', async (_, status, answers) => {
    const answer = await answers()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  const metadata = { redirect_uris: [redirectUri], client_name: 'A page' }
  const send = { headers: { origin } }

  test('its tokens, new ones, and their revocation (200)', async () => {
    const { client, verifier, query } = await authorize(fixture)
    const code = { grant_type: 'authorization_code', code: query?.['code'] ?? '' }
    const proof = { code_verifier: verifier, redirect_uri: redirectUri }
    const first = await tokenFor(fixture, { ...code, ...proof, client_id: client }, send)
    const refresh_token = String(first.body['refresh_token'])
    const form = { grant_type: 'refresh_token', refresh_token, client_id: client }
    const next = await tokenFor(fixture, form, send)
    const token = String(next.body['access_token'])
    const ended = await post(fixture, paths.revocation, { client_id: client, token }, send)
    for (const { status, headers } of [first, next, ended]) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    }
  })
})

describe('no page can read', () => {
  test('introspection, a device code, or an agent request', async () => {
    const { id, secret } = await fixture.addClient()
    const agent = await agentTokens(fixture)
    const headers = { ...basic(id, secret), origin }
    const form = { client_id: agent.client, scope: 'events:read', resource: fixture.resources.api }
    const answers = [
      await post(fixture, paths.introspection, { token: agent.access }, { headers }),
      await post(fixture, paths.deviceAuthorization, form, { headers: { origin } }),
      await ask(authorizeUrl(agent.client, newVerifier()), { headers: { origin } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 303])
    for (const answer of answers) expect(corsOf(answer)).toEqual([])
  })
})

test('cookies change no response that a page can read, and none is set', async () => {
  const { browser } = await authorize(fixture)
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  expect(cookie).toContain('auth_interaction')
  const client = await newAgent(fixture)
  const requests: [string, RequestInit][] = [
    [paths.metadata, {}],
    [paths.registration, { method: 'POST', body: '{}' }],
    [paths.token, { method: 'POST', body: new URLSearchParams({ client_id: client }) }],
    [paths.revocation, { method: 'POST', body: new URLSearchParams({ token: 'x' }) }],
    [
      paths.revocation,
      { method: 'POST', body: new URLSearchParams({ token: 'x', client_id: client }) },
    ],
  ]
  for (const [path, init] of requests) {
    const [without, sent] = [
      await ask(path, init),
      await ask(path, { ...init, headers: { cookie } }),
    ]
    expect(sent.headers.get('set-cookie')).toBeNull()
    const [expected, answered] = [await read(without), await read(sent)]
    expect([answered.status, answered.body]).toEqual([expected.status, expected.body])
  }
})
