// Tests the authorization server's audit rows: one for each act, with its status.

import { describe, expect, test } from 'bun:test'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { newId } from '../ids.ts'
import { agentTokens, authorize, exchange, refreshWith } from './testing/agent.ts'
import { basic, newAgent, newClient, post, register, tokenFor } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

/** A client's audit rows: action, outcome, status and code, oldest first. */
const rowsOf = async (client: string) =>
  (
    await fixture.run<{ action: string; outcome: string; status: number; code: string | null }>(sql`
      select action, outcome, status, code from audit.entries where client = ${client} order by seq`)
  ).map(({ action, outcome, status, code }) => [action, outcome, status, code])

const revoke = (client: string, token: string) =>
  post(fixture, paths.revocation, { client_id: client, token })

const registered = ['oauth.register', 'ok', 201, null]
const consented = ['oauth.consent', 'ok', 200, null]
const issued = ['oauth.token', 'ok', 200, null]

describe('audit rows', () => {
  test('for an agent: registration, consent, issuance, refresh and revocation', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const { body } = await refreshWith(fixture, client, refresh)
    await revoke(client, String(body['refresh_token']))
    await revoke(client, String(body['refresh_token']))
    const revoked = ['oauth.revoke', 'ok', 200, 'revoked']
    expect(await rowsOf(client)).toEqual([registered, consented, issued, issued, revoked])
  })

  test('for a person who denies an agent', async () => {
    const { client } = await authorize(fixture, { decide: 'deny' })
    const denied = ['oauth.consent', 'refused', 403, 'access_denied']
    expect(await rowsOf(client)).toEqual([registered, denied])
  })

  test.each([
    ['approve', ['oauth.device', 'ok', 200, null], ['oauth.token', 'ok', 200, null]],
    [
      'deny',
      ['oauth.device', 'refused', 403, 'access_denied'],
      ['oauth.token', 'refused', 400, 'access_denied'],
    ],
  ])('for a device, when the person chooses %s', async (decide, decided, polled) => {
    const client_id = await newAgent(fixture)
    const asked = { client_id, scope: 'cases:read', resource: fixture.resources.api }
    const { body } = await post(fixture, paths.deviceAuthorization, asked)
    const { people, integration } = fixture
    const code = { user_code: String(body['user_code']), person: people.owner, integration }
    const device_code = String(body['device_code'])
    const poll = () => tokenFor(fixture, { grant_type: deviceGrant, client_id, device_code })
    // A request to wait isn't a refusal.
    const early = [await poll(), await poll()].map(answer => answer.body['error'])
    expect(early).toEqual(['authorization_pending', 'slow_down'])
    for (const step of [code, { ...code, decide }]) {
      await fetch(`${fixture.issuer}/device?${new URLSearchParams(step)}`)
    }
    await poll()
    expect(await rowsOf(client_id)).toEqual([registered, decided, polled])
  })

  test('for a code that is used twice', async () => {
    const { client, verifier, code } = await agentTokens(fixture)
    await exchange(fixture, { client, verifier, code })
    expect(await rowsOf(client)).toEqual([
      registered,
      consented,
      issued,
      ['oauth.revoke', 'ok', 200, 'reused'],
      ['oauth.token', 'refused', 400, 'invalid_grant'],
    ])
  })

  test('for a refresh token reused after its successor was used', async () => {
    const { client, refresh } = await agentTokens(fixture)
    const { body } = await refreshWith(fixture, client, refresh)
    await refreshWith(fixture, client, String(body['refresh_token']))
    await refreshWith(fixture, client, refresh)
    expect((await rowsOf(client)).slice(2)).toEqual([
      issued,
      issued,
      issued,
      ['oauth.revoke', 'ok', 200, 'reused'],
      ['oauth.token', 'refused', 400, 'invalid_grant'],
    ])
  })

  test('for a confidential client’s token revoked ten times at once', async () => {
    const { id, secret, mint } = await newClient(fixture)
    const token = String((await mint()).body['access_token'])
    const headers = basic(id, secret)
    const once = () => post(fixture, paths.revocation, { token }, { headers })
    const answers = await Promise.all(Array.from({ length: 10 }, once))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await rowsOf(id)).toEqual([issued, ['oauth.revoke', 'ok', 200, 'revoked']])
  })

  test('for refusals: with the client if the form names one', async () => {
    const { id, mint } = await newClient(fixture)
    await mint({ scope: 'openid' })
    expect(await rowsOf(id)).toEqual([['oauth.token', 'refused', 400, 'invalid_scope']])
    const unknown = () =>
      fixture.run(sql`
        select client, actor, status from audit.entries where code = 'invalid_client'`)
    await tokenFor(fixture, { grant_type: 'client_credentials', client_id: "x' or 1=1" })
    await until(async () => (await unknown()).length > 0)
    expect(await unknown()).toEqual([{ client: null, actor: null, status: 401 }])
  })

  test('for a failure beyond the network’s limit', async () => {
    const id = newId('client')
    const headers = { 'test-address': '198.51.100.61' }
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: 'x' }
    for (let sent = 0; sent < 61; sent++) await tokenFor(fixture, form, { headers })
    await until(async () => (await rowsOf(id)).length >= 61)
    expect((await rowsOf(id)).slice(-2)).toEqual([
      ['oauth.token', 'refused', 401, 'invalid_client'],
      ['oauth.token', 'refused', 429, 'temporarily_unavailable'],
    ])
  })

  test('for a program: the first 300 characters of its name, whether granted or refused', async () => {
    const agent = (end: string) => ({ headers: { 'user-agent': `${'a'.repeat(299)}${end}` } })
    const { body } = await register(
      fixture,
      { redirect_uris: ['https://a.example.com'] },
      agent('bcd'),
    )
    await register(fixture, { redirect_uris: [] }, agent('xyz'))
    const agents = () =>
      fixture.run<{ agent: string; target: string | null }>(sql`
        select agent, target from audit.entries
         where agent like 'aaa%' and action = 'oauth.register' order by seq`)
    await until(async () => (await agents()).length >= 2)
    expect(await agents()).toEqual([
      { agent: `${'a'.repeat(299)}b`, target: String(body['client_id']) },
      { agent: `${'a'.repeat(299)}x`, target: null },
    ])
  })
})
