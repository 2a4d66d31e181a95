// Tests devices (RFC 8628): the code that a person enters elsewhere, and the responses to polling.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { refreshWith } from '../testing/agent.ts'
import { type Form, newAgent, post, read, refused, tokenFor } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()
const client = await newAgent(fixture)

const start = (form: Form = {}, headers: Record<string, string> = {}) =>
  post(
    fixture,
    paths.deviceAuthorization,
    {
      client_id: client,
      scope: 'patients:read cases:read',
      resource: fixture.resources.api,
      ...form,
    },
    { headers },
  )

async function newCode(form: Form = {}) {
  const { body } = await start(form)
  return { device: String(body['device_code']), user: String(body['user_code']) }
}

const poll = (device: string, form: Form = {}) =>
  tokenFor(fixture, {
    grant_type: deviceGrant,
    client_id: client,
    device_code: device,
    ...form,
  })

const page = async (query: Record<string, string>): Promise<unknown> =>
  (await read(await fetch(`${fixture.issuer}/device?${new URLSearchParams(query)}`))).body

const decide = (decide: 'approve' | 'deny', user: string, person = fixture.people.owner) =>
  page({ decide, user_code: user, person, integration: fixture.integration })

async function approve(user: string, person = fixture.people.owner) {
  await page({ user_code: user, person })
  return decide('approve', user, person)
}

const hash = (value: string) => fixture.secrets.hash(value)

/** Makes it look as if the device had waited. */
const waited = (device: string) =>
  fixture.run(sql`
    update auth.artifacts set polled_at = polled_at - interval '1 minute'
     where hash = ${hash(device)}`)

describe('200: a device', () => {
  test('gets a code to show, and an interval', async () => {
    const { status, body, headers } = await start()
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const user = String(body['user_code'])
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${fixture.issuer}/device`,
      verification_uri_complete: `${fixture.issuer}/device?user_code=${user}`,
      expires_in: 600,
      interval: 5,
    })
    const [dump] = await fixture.run<{ text: string }>(
      sql`select string_agg(a::text, '') as text from auth.artifacts a`,
    )
    expect(dump?.text).not.toContain(String(body['device_code']))
    expect(dump?.text).not.toContain(user)
    expect(dump?.text).not.toContain(user.replace('-', ''))
  })

  test('gets a token for the member and a refresh token, once approved', async () => {
    const { device, user } = await newCode()
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
    expect(await approve(user)).toEqual({ outcome: 'approved' })
    await waited(device)
    const { status, body } = await poll(device)
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^svc_at_test_/),
        refresh_token: expect.stringMatching(/^svc_rt_/),
        expires_in: 3600,
        scope: 'patients:read cases:read',
        token_type: 'Bearer',
      },
    ])
    const rows = await fixture.run(sql`
      select kind, mode, client, person, scopes, audience from auth.credentials
       where hash = ${hash(String(body['access_token']))}`)
    expect(rows).toEqual([
      {
        kind: 'device',
        mode: 'test',
        client,
        person: fixture.people.owner,
        scopes: ['patients:read', 'cases:read'],
        audience: ['api'],
      },
    ])
    expect((await refreshWith(fixture, client, String(body['refresh_token']))).status).toBe(200)
  })

  test('its page shows who asks, from where and for what; case and dashes don’t matter', async () => {
    const { user } = await newCode()
    const shown = await page({
      user_code: user.toLowerCase().replace('-', ' '),
      person: fixture.people.owner,
    })
    expect(shown).toEqual({
      client,
      clientName: 'An agent',
      documentHost: null,
      registeredAt: expect.stringMatching(/^2\d{3}-/),
      requestedAt: expect.stringMatching(/^2\d{3}-/),
      scopes: ['patients:read', 'cases:read'],
      audience: ['api'],
      address: '203.0.113.7',
      agent: expect.stringContaining('Bun'),
    })
  })

  test('a code belongs to the first person who opens it', async () => {
    const { device, user } = await newCode()
    const { owner, developer } = fixture.people
    expect(await page({ user_code: user, person: owner })).not.toBeNull()
    expect(await page({ user_code: user, person: developer })).toBeNull()
    expect(await decide('approve', user, developer)).toEqual({ outcome: 'gone' })
    expect(await decide('deny', user, developer)).toEqual({ outcome: 'gone' })
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
    expect(await decide('approve', user, owner)).toEqual({ outcome: 'approved' })
  })
})

describe('400: a device that has to wait, or gets nothing', () => {
  test('slow_down, and five more seconds each time', async () => {
    const { device } = await newCode()
    const interval = async () =>
      (
        await fixture.run<{ poll_seconds: number }>(
          sql`select poll_seconds from auth.artifacts where hash = ${hash(device)}`,
        )
      )[0]?.poll_seconds
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
    expect(refused(await poll(device))).toEqual([400, 'slow_down'])
    expect(await interval()).toBe(10)
    expect(refused(await poll(device))).toEqual([400, 'slow_down'])
    expect(await interval()).toBe(15)
    await fixture.run(sql`
      update auth.artifacts set polled_at = now() - interval '10 seconds'
       where hash = ${hash(device)}`)
    expect(refused(await poll(device))).toEqual([400, 'slow_down'])
    await waited(device)
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
    expect(await interval()).toBe(20)
  })

  test('access_denied, if the person denies the request', async () => {
    const { device, user } = await newCode()
    await page({ user_code: user, person: fixture.people.owner })
    expect(await decide('deny', user)).toEqual({ outcome: 'denied' })
    expect(refused(await poll(device))).toEqual([400, 'access_denied'])
    expect(await decide('approve', user)).toEqual({ outcome: 'gone' })
    expect(refused(await poll(device))).toEqual([400, 'access_denied'])
  })

  test('expired_token, after ten minutes, approved or not', async () => {
    for (const isApproved of [false, true]) {
      const { device, user } = await newCode()
      if (isApproved) await approve(user)
      await fixture.run(sql`
        update auth.artifacts set expires_at = now() - interval '1 second'
         where hash = ${hash(device)}`)
      expect(refused(await poll(device))).toEqual([400, 'expired_token'])
      expect(await page({ user_code: user, person: fixture.people.owner })).toBeNull()
    }
  })

  test('invalid_grant for another client, which learns nothing and delays nothing', async () => {
    const { device } = await newCode()
    const other = await newAgent(fixture)
    for (const client_id of [other, other, other]) {
      expect(refused(await poll(device, { client_id }))).toEqual([400, 'invalid_grant'])
    }
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
    expect(refused(await poll('nonsense'))).toEqual([400, 'invalid_grant'])
  })

  test('a reused code ends its tokens', async () => {
    const { device, user } = await newCode()
    await approve(user)
    const { body } = await poll(device)
    expect(refused(await poll(device))).toEqual([400, 'invalid_grant'])
    const again = await refreshWith(fixture, client, String(body['refresh_token']))
    expect(refused(again)).toEqual([400, 'invalid_grant'])
  })

  test('a request without a resource, for another one, or for an unknown scope', async () => {
    const ask = async (form: Form) => refused(await start(form))
    expect(await ask({ resource: [] })).toEqual([400, 'invalid_target'])
    expect(await ask({ resource: 'https://other.example.com' })).toEqual([400, 'invalid_target'])
    expect(await ask({ scope: 'openid' })).toEqual([400, 'invalid_scope'])
    expect(await ask({ scope: ['a', 'b'] })).toEqual([400, 'invalid_request'])
    expect(await ask({ client_id: 'cli_x' })).toEqual([401, 'invalid_client'])
    const codeOnly = await newAgent(fixture, { grant_types: ['authorization_code'] })
    expect(await ask({ client_id: codeOnly })).toEqual([400, 'unauthorized_client'])
  })

  test('approval needs the role: a viewer cannot approve a write', async () => {
    const { device, user } = await newCode({ scope: 'patients:write' })
    expect(await approve(user, fixture.people.viewer)).toEqual({ outcome: 'scope_missing' })
    expect(refused(await poll(device))).toEqual([400, 'authorization_pending'])
  })
})

describe('429: too many open codes', () => {
  const from = (client_id: string, address: string) =>
    start({ client_id }, { 'test-address': address })

  test('a hundred from one client in a network, without affecting the next one', async () => {
    const greedy = await newAgent(fixture)
    for (let made = 1; made <= 100; made++) {
      expect((await from(greedy, `2001:db8:0:1::${made}`)).status).toBe(200)
    }
    const { status, body, headers } = await from(greedy, '2001:db8:0:1::ffff')
    expect([status, body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(headers.get('retry-after')).toBe('60')
    expect((await from(greedy, '2001:db8:0:2::1')).status).toBe(200)
    expect((await from(client, '2001:db8:0:1::1')).status).toBe(200)
  })

  test('ten thousand from one client', async () => {
    const popular = await newAgent(fixture)
    await fixture.run(sql`
      insert into auth.artifacts (hash, kind, client, user_code, payload, expires_at, poll_seconds)
      select sha256(convert_to('many' || n, 'UTF8')), 'device', ${popular},
             sha256(convert_to('code' || n, 'UTF8')), jsonb_build_object('network', n::text),
             now() + interval '1 minute', 5 from generate_series(1, 10000) n`)
    expect((await start({ client_id: popular })).status).toBe(429)
    expect((await start()).status).toBe(200)
  })
})
