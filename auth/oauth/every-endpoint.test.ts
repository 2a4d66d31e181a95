// Tests the rules for every endpoint and every grant: no parameter is sent twice or in the URL, no
// cache keeps a response, and no response reveals which clients exist.

import { beforeAll, describe, expect, test } from 'bun:test'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { sql } from '#database/sql.ts'
import { mintClientSecret } from '../tokens.ts'
import { authorize, authorizeUrl, newVerifier, openBrowser } from './testing/agent.ts'
import { everyRequest, type FormRequest } from './testing/every-request.ts'
import { redirectUri } from './testing/fixture.ts'
import {
  type Answer,
  basic,
  type Form,
  newAgent,
  newClient,
  post,
  refused,
  register,
} from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()
const { kinds, requestOf } = everyRequest(fixture)

/** The number of credentials that aren't revoked. */
const validTokens = async () =>
  (
    await fixture.run<{ count: number }>(sql`
      select count(*)::int as count from auth.credentials where revoked_at is null`)
  )[0]?.count

describe('400: a repeated parameter', () => {
  test.each(kinds)('in %s, without using anything up', async kind => {
    const { path, form } = await requestOf(kind)
    const before = await validTokens()
    const names = Object.keys(form).filter(name => name !== 'resource')
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) {
      const value = form[name] ?? ''
      for (const second of [value, 'another']) {
        const twice: Form = { ...form, [name]: [value, second] }
        const answer = await post(fixture, path, twice)
        expect([name, ...refused(answer)]).toEqual([name, 400, 'invalid_request'])
      }
    }
    expect(await validTokens()).toBe(before)
    expect((await post(fixture, path, form)).status).toBe(200)
  })

  test('in an agent request: a page, not a redirect', async () => {
    const [client, verifier] = [await newAgent(fixture), newVerifier()]
    const url = new URL(authorizeUrl(client, verifier, { scope: 'patients:read' }), fixture.issuer)
    const names = [...url.searchParams.keys()]
    expect(names.length).toBeGreaterThan(6)
    for (const name of names) {
      const query = new URLSearchParams(url.searchParams)
      query.append(name, query.get(name) ?? '')
      const answer = await openBrowser(fixture).get(`${url.pathname}?${query}`)
      const location = answer.headers.get('location')
      expect([name, answer.status, location]).toEqual([name, 400, null])
    }
    expect((await openBrowser(fixture).get(String(url))).headers.get('location')).toStartWith(
      '/consent/',
    )
  })
})

test.each(kinds)('parameters in the URL are ignored: %s', async kind => {
  const { path, form } = await requestOf(kind)
  const before = await validTokens()
  for (const name of Object.keys(form)) {
    const { [name]: value = '', ...rest } = form
    // The request succeeds without these two parameters, because they're optional.
    if (name === 'scope' || name === 'token_type_hint') continue
    const headers = { 'test-address': '198.51.100.77' }
    const address = `${path}?${new URLSearchParams({ [name]: value })}`
    const answer = await post(fixture, address, rest, { headers })
    expect([name, answer.status >= 400, answer.status < 500]).toEqual([name, true, true])
  }
  expect(await validTokens()).toBe(before)
  expect((await post(fixture, path, form)).status).toBe(200)
})

describe('no-store: no cache keeps', () => {
  const keptBy = ({ headers }: { headers: Headers }) => headers.get('cache-control')

  test.each(kinds)('%s, whether granted or refused', async kind => {
    const { path, form } = await requestOf(kind)
    const address = { 'test-address': '198.51.100.78' }
    const answers = [
      await post(fixture, path, form),
      await post(fixture, path, {}, { headers: address }),
      await post(fixture, path, { ...form, client_id: 'cli_x' }, { headers: address }),
      await post(fixture, path, { ...form, filler: 'x'.repeat(100_000) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, expect.any(Number), 401, 413])
    expect(answers.map(keptBy)).toEqual(answers.map(() => 'no-store'))
  })

  test('an agent’s request, its return, a registration or a report', async () => {
    const { response } = await authorize(fixture)
    expect([response.status, keptBy(response)]).toEqual([303, 'no-store'])
    const page = await fetch(`${fixture.issuer}${paths.authorization}?client_id=x`)
    expect([page.status, keptBy(page)]).toEqual([400, 'no-store'])
    const asked = authorizeUrl(await newAgent(fixture), newVerifier())
    expect(keptBy(await openBrowser(fixture).get(asked))).toBe('no-store')
    const registered = await register(fixture, { redirect_uris: ['http://evil.example.com'] })
    expect([registered.status, keptBy(registered)]).toEqual([400, 'no-store'])
    const report = await fetch(`${fixture.issuer}${paths.keyReport}`, { method: 'POST', body: 'x' })
    expect([report.status, keptBy(report)]).toEqual([202, 'no-store'])
  })

  test('another method or a preflight', async () => {
    const { metadata, ...others } = paths
    const own = Object.values(others).filter(path => path !== paths.device)
    for (const path of own) {
      for (const method of ['PUT', 'OPTIONS']) {
        const answer = await fetch(`${fixture.issuer}${path}`, { method })
        expect([path, method, keptBy(answer)]).toEqual([path, method, 'no-store'])
      }
    }
    expect(keptBy(await fetch(`${fixture.issuer}${metadata}`))).toBe('public, max-age=3600')
    expect(keptBy(await fetch(`${fixture.issuer}${metadata}`, { method: 'PUT' }))).toBe('no-store')
  })
})

describe('401 without an oracle: the response does not depend on whether the client exists', () => {
  let known: { id: string; secret: string }
  let revoked: { id: string; secret: string }
  let other: { id: string; secret: string }
  beforeAll(async () => {
    ;[known, revoked, other] = [
      await newClient(fixture),
      await newClient(fixture),
      await newClient(fixture),
    ]
    await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${revoked.id}`)
  })

  const unknownId = 'cli_01m7wqrwr07q7txy3ntfjc6jem'
  const wrong = mintClientSecret(new Uint8Array(32).fill(7))
  const wrongPairs = () => ({
    'an unknown client': { id: unknownId, secret: wrong },
    'a wrong secret': { id: known.id, secret: wrong },
    'a secret we didn’t issue': { id: known.id, secret: 'guess' },
    'an unknown client and a secret we didn’t issue': { id: unknownId, secret: 'guess' },
    'another client’s secret': { id: known.id, secret: other.secret },
    'a revoked client': { id: revoked.id, secret: revoked.secret },
  })
  const grants: Record<string, FormRequest> = {
    'a client’s token': { path: paths.token, form: { grant_type: 'client_credentials' } },
    'a token for a code': {
      path: paths.token,
      form: { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri },
    },
    'a token for a refresh token': {
      path: paths.token,
      form: { grant_type: 'refresh_token', refresh_token: 'x' },
    },
    'a device’s token': {
      path: paths.token,
      form: { grant_type: deviceGrant, device_code: 'x' },
    },
    'a device code': { path: paths.deviceAuthorization, form: { scope: 'patients:read' } },
    'an introspection': { path: paths.introspection, form: { token: 'x' } },
    'a revocation': { path: paths.revocation, form: { token: 'x' } },
  }

  /** Everything a caller sees. */
  const seen = ({ status, body, headers }: Answer) => {
    const shown = [...headers].filter(([name]) => name !== 'date')
    return { status, body, headers: shown }
  }

  test.each(Object.keys(grants))('%s, without a required secret', async name => {
    const { path, form } = grants[name] ?? { path: '', form: {} }
    const headers = { 'test-address': `198.51.100.${150 + Object.keys(grants).indexOf(name)}` }
    const answers: object[] = []
    for (const { id } of [{ id: unknownId }, known, revoked]) {
      for (const secret of [{}, { client_secret: '' }]) {
        const answer = await post(fixture, path, { ...form, client_id: id, ...secret }, { headers })
        expect(refused(answer)).toEqual([401, 'invalid_client'])
        answers.push(seen(answer))
      }
    }
    expect(answers).toEqual(answers.map(() => answers[0] ?? {}))
  })

  test.each(Object.keys(grants))('%s', async name => {
    const { path, form } = grants[name] ?? { path: '', form: {} }
    for (const [at, way] of (['basic', 'body'] as const).entries()) {
      const answers: object[] = []
      for (const [what, { id, secret }] of Object.entries(wrongPairs())) {
        const credentials = way === 'body' ? { client_id: id, client_secret: secret } : {}
        const headers = {
          ...(way === 'basic' ? basic(id, secret) : {}),
          'test-address': `198.51.100.${100 + 2 * Object.keys(grants).indexOf(name) + at}`,
        }
        const answer = await post(fixture, path, { ...form, ...credentials }, { headers })
        expect([what, ...refused(answer)]).toEqual([what, 401, 'invalid_client'])
        answers.push(seen(answer))
      }
      expect(answers).toEqual(answers.map(() => answers[0] ?? {}))
    }
  })
})
