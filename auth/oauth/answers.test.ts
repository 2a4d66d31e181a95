// Tests responses to database failures, refusals, and the headers on every response.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { openPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { usePages } from '../testing/pages.ts'
import { authorizeUrl, newVerifier, openBrowser } from './testing/agent.ts'
import { type Fixture, openFixture, serve } from './testing/fixture.ts'
import { newAgent, newClient, post, refused, register, tokenFor } from './testing/requests.ts'

const { pages } = await usePages()
let fixture: Fixture
let away: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  fixture = await openFixture()
  const nowhere = new URL(fixture.database.urls.auth)
  nowhere.port = '1'
  away = await serve({ url: nowhere.href })
})
afterAll(async () => {
  await away.stop()
  await fixture.close()
})

const grant_type = 'client_credentials'
const json = 'application/json; charset=utf-8'

describe('503: the database cannot be reached', () => {
  const id = 'cli_01m7wqrwr07q7txy3ntfjc6jem'
  const requests: Record<string, () => ReturnType<typeof tokenFor>> = {
    'our own endpoint': () =>
      post(away, paths.token, { grant_type, client_id: id, client_secret: 'x' }),
    'a library endpoint': () =>
      post(away, paths.token, {
        grant_type: 'refresh_token',
        client_id: id,
        refresh_token: fixture.secrets.refreshToken(),
      }),
  }
  test.each(Object.keys(requests))('%s returns the error and when to try again', async name => {
    away.failures.length = 0
    const answer = await requests[name]?.()
    expect(answer?.status).toBe(503)
    expect(answer?.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'the server is temporarily unavailable; try again',
    })
    expect(answer?.headers.get('retry-after')).toBe('1')
    expect(answer?.headers.get('cache-control')).toBe('no-store')
    expect(answer?.headers.get('content-type')).toBe(json)
    expect(away.failures).toHaveLength(1)
  })
})

test('503: no connection in the pool becomes free in time', async () => {
  const pool = openPool({
    url: fixture.database.urls.auth,
    size: 1,
    name: 'small',
    waitSeconds: 0.05,
  })
  const busy = Promise.withResolvers<void>()
  const held = pool.use(() => busy.promise)
  const small = await serve({ url: fixture.database.urls.auth, pool })
  const { status, body, headers } = await post(small, paths.token, {
    grant_type,
    client_id: 'cli_01m7wqrwr07q7txy3ntfjc6jem',
    client_secret: 'x',
  })
  expect([status, body['error'], headers.get('retry-after')]).toEqual([
    503,
    'temporarily_unavailable',
    '1',
  ])
  busy.resolve()
  await held
  await small.stop()
})

describe('a statement that fails', () => {
  /** Runs the work while the role lacks the privilege. */
  async function without<T>(privilege: Statement, work: () => Promise<T>): Promise<T> {
    fixture.failures.length = 0
    await fixture.run(sql`revoke ${privilege} from app_auth`)
    try {
      return await work()
    } finally {
      await fixture.run(sql`grant ${privilege} to app_auth`)
      fixture.failures.length = 0
    }
  }
  const auditOf = (client: string) =>
    fixture.run(sql`
      select outcome, status, code from audit.entries
       where client = ${client} and action <> 'oauth.register' order by seq`)

  test('returns 500 with the request ID, and is logged and audited as an error', async () => {
    const { id, mint } = await newClient(fixture)
    await without(sql`select on auth.client_secrets`, async () => {
      const { status, body, headers } = await mint()
      expect([status, body['error']]).toEqual([500, 'server_error'])
      expect(body['error_description']).toMatch(/^the server failed; request req_\w{26}$/)
      expect(headers.get('retry-after')).toBeNull()
      expect(fixture.failures).toHaveLength(1)
    })
    expect(await auditOf(id)).toEqual([{ outcome: 'error', status: 500, code: 'server_error' }])
  })

  test('doesn’t end a request that awaits a person’s decision', async () => {
    const browser = openBrowser(fixture)
    const asked = await browser.get(authorizeUrl(await newAgent(fixture), newVerifier()))
    const page = asked.headers.get('location') ?? ''
    await without(sql`select on auth.artifacts`, async () => {
      expect((await browser.get(page)).status).toBe(500)
    })
    expect(await (await browser.get(page)).json()).toMatchObject({ scopes: expect.any(Array) })
  })
})

describe('a refusal', () => {
  test('is JSON, and requests Basic authentication only if the client used it', async () => {
    const unknown = await tokenFor(fixture, { grant_type })
    expect([...refused(unknown), unknown.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ])
    expect(unknown.headers.get('content-type')).toBe(json)
  })

  test('for a missing grant type says that it must be sent', async () => {
    const client_id = await newAgent(fixture)
    for (const form of [{}, { grant_type: '' }]) {
      const { status, body } = await tokenFor(fixture, { client_id, ...form })
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'grant_type must be sent' },
      ])
    }
  })

  test.each([
    ['HEAD', paths.token, 405],
    ['HEAD', paths.metadata, 200],
    ['GET', `${paths.authorization}/~x`, 404],
    ['GET', `${paths.authorization}/`, 404],
  ])('%s %s: %i', async (method, path, status) => {
    expect((await fetch(`${fixture.issuer}${path}`, { method })).status).toBe(status)
  })

  test('for text with a NUL character names the rule', async () => {
    const { status, body } = await tokenFor(fixture, { client_id: 'a\0', grant_type })
    expect([status, body['error_description']]).toEqual([
      400,
      'a parameter must not contain a NUL character',
    ])
  })

  test('for a body that is too long closes the connection', async () => {
    const { status, body, headers } = await register(fixture, { x: 'x'.repeat(8192) })
    expect([status, body['error_description'], headers.get('connection')]).toEqual([
      413,
      'the body must not exceed 8192 bytes',
      'close',
    ])
  })

  test('is a page if a person sees it', async () => {
    const answer = await fetch(`${pages.origin}${paths.authorization}?state=a&state=b`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ])
    expect(await answer.text()).toContain('We can’t handle this request')
  })
})

test('the library sets no session cookie on the way to a code', async () => {
  const browser = openBrowser(fixture)
  const asked = await browser.get(authorizeUrl(await newAgent(fixture), newVerifier()))
  const page = asked.headers.get('location') ?? ''
  const { people, integration } = fixture
  const decision = new URLSearchParams({ decide: 'approve', person: people.owner, integration })
  const decided = await browser.get(`${page}?${decision}`)
  const back = await browser.get(decided.headers.get('location') ?? '')
  expect([asked, decided, back].map(({ status }) => status)).toEqual([303, 303, 303])
  const cookies = [asked, decided, back].map(({ headers }) =>
    headers.getSetCookie().map(cookie => cookie.split('=')[0]),
  )
  expect(cookies).toEqual([
    ['auth_interaction', 'auth_interaction.sig', 'auth_resume', 'auth_resume.sig'],
    [],
    ['auth_resume', 'auth_resume.sig'],
  ])
})
