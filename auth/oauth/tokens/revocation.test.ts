// Tests revocation (RFC 7009) and introspection (RFC 7662).

import { describe, expect, test } from 'bun:test'
import { openIntegration } from '../../integrations.ts'
import { sql } from '#database/sql.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { agentTokens, refreshWith } from '../testing/agent.ts'
import type { Fixture } from '../testing/fixture.ts'
import { basic, type Form, newAgent, post, refused, tokenFor } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

async function confidential(options: Parameters<Fixture['addClient']>[0] = {}) {
  const client = await fixture.addClient(options)
  const headers = basic(client.id, client.secret)
  const { body } = await tokenFor(fixture, { grant_type: 'client_credentials' }, { headers })
  return { ...client, headers, access: String(body['access_token']) }
}

const revoke = (form: Form, headers: Record<string, string> = {}) =>
  post(fixture, paths.revocation, form, { headers })

const introspect = (form: Form, headers: Record<string, string> = {}) =>
  post(fixture, paths.introspection, form, { headers })

const isActive = async (token: string) =>
  (await introspect({ token }, (await confidential()).headers)).body['active']

describe('200: revocation', () => {
  test('revoking a refresh token, even a rotated one, ends the family', async () => {
    for (const isOld of [false, true]) {
      const { client, access, refresh } = await agentTokens(fixture)
      const { body } = isOld ? await refreshWith(fixture, client, refresh) : { body: {} }
      const { status, body: answer } = await revoke({ client_id: client, token: refresh })
      expect([status, answer]).toEqual([200, { text: '' }])
      expect(await isActive(access)).toBe(false)
      const current = String((body as Record<string, unknown>)['refresh_token'] ?? refresh)
      expect(refused(await refreshWith(fixture, client, current))).toEqual([400, 'invalid_grant'])
    }
  })

  test('revoking an agent’s access token ends its family', async () => {
    const { client, access, refresh } = await agentTokens(fixture)
    expect(await isActive(access)).toBe(true)
    const { status } = await revoke({
      client_id: client,
      token: access,
      token_type_hint: 'refresh_token',
    })
    expect(status).toBe(200)
    expect(await isActive(access)).toBe(false)
    expect(refused(await refreshWith(fixture, client, refresh))).toEqual([400, 'invalid_grant'])
  })

  test('revoking a confidential client’s token ends only that token', async () => {
    const { headers, access } = await confidential()
    const { body } = await tokenFor(fixture, { grant_type: 'client_credentials' }, { headers })
    expect((await revoke({ token: access }, headers)).status).toBe(200)
    expect(await isActive(access)).toBe(false)
    expect(await isActive(String(body['access_token']))).toBe(true)
    const rows = await fixture.run(sql`
      select k.revoked_reason, e.action, e.outcome, e.code from auth.credentials k
        join audit.entries e on e.target = k.id and e.action = 'oauth.revoke'
       where k.hash = ${fixture.secrets.hash(access)}`)
    expect(rows).toEqual([
      { revoked_reason: 'revoked', action: 'oauth.revoke', outcome: 'ok', code: 'revoked' },
    ])
  })

  test('revoking another client’s token, or none, changes nothing', async () => {
    const { client, access } = await agentTokens(fixture)
    const other = await newAgent(fixture)
    const key = `svc_sk_test_${access.slice(12)}`
    for (const token of [access, key, 'nonsense', 'a.b.c', '\u00e9']) {
      const { status } = await revoke({ client_id: other, token })
      expect([token, status]).toEqual([token, 200])
    }
    expect(await isActive(access)).toBe(true)
    expect((await revoke({ client_id: client, token: access })).status).toBe(200)
    expect((await revoke({ client_id: client, token: access })).status).toBe(200)
  })

  test('ten simultaneous requests revoke once', async () => {
    const { client, access } = await agentTokens(fixture)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => revoke({ client_id: client, token: access })),
    )
    for (const { status } of answers) expect(status).toBe(200)
    const rows = await fixture.run(sql`
      select e.action from auth.token_families f
        join audit.entries e on e.target = f.id and e.action = 'oauth.revoke'
       where f.client = ${client}`)
    expect(rows).toHaveLength(1)
  })
})

describe('400 and 401: revocation', () => {
  test('without a token, or without a known client', async () => {
    const { headers, id, access } = await confidential()
    expect(refused(await revoke({}, headers))).toEqual([400, 'invalid_request'])
    expect(refused(await revoke({ token: ['a', 'b'] }, headers))).toEqual([400, 'invalid_request'])
    expect(refused(await revoke({ token: access }))).toEqual([401, 'invalid_client'])
    expect(refused(await revoke({ token: access }, basic(id, 'wrong')))).toEqual([
      401,
      'invalid_client',
    ])
    expect(refused(await revoke({ client_id: id, token: access }))).toEqual([401, 'invalid_client'])
  })
})

describe('200: introspection', () => {
  test('describes a token from the same integration', async () => {
    const { headers, id, access } = await confidential({ scopes: ['patients:read'] })
    const { status, headers: answered, body } = await introspect({ token: access }, headers)
    expect([status, answered.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      active: true,
      client_id: id,
      scope: 'patients:read',
      iat: expect.any(Number),
      exp: expect.any(Number),
      iss: fixture.issuer,
      aud: [fixture.resources.api, fixture.resources.mcp],
      token_type: 'Bearer',
    })
    const agent = await agentTokens(fixture)
    expect((await introspect({ token: agent.access }, headers)).body).toMatchObject({
      active: true,
      sub: fixture.people.owner,
      client_id: agent.client,
      aud: fixture.resources.mcp,
    })
    expect((await introspect({ token: agent.refresh }, headers)).body).toMatchObject({
      active: true,
      client_id: agent.client,
    })
  })

  test('states the promised lifetime, regardless of the millisecond when the token was created', async () => {
    const { headers, access } = await confidential()
    const agent = await agentTokens(fixture)
    // The database reads its clock separately for each timestamp, so the two may differ by a
    // millisecond.
    for (const [made, late] of [
      ['0 ms', '0 ms'],
      ['999 ms', '1 ms'],
      ['500 ms', '0 ms'],
    ] as const) {
      const times = (seconds: number) => sql`
        created_at = date_trunc('second', now()) - interval '2 s' + ${made}::text::interval,
        expires_at = date_trunc('second', now()) - interval '2 s' + ${made}::text::interval
                     + ${seconds}::int * interval '1 second' + ${late}::text::interval`
      await fixture.run(sql`
        update auth.credentials set ${times(3600)} where hash = ${fixture.secrets.hash(access)}`)
      await fixture.run(sql`
        update auth.artifacts set ${times(2_592_000)}
         where hash = ${fixture.secrets.hash(agent.refresh)}`)
      const lifetimes = [access, agent.refresh].map(async token => {
        const { body } = await introspect({ token }, headers)
        return Number(body['exp']) - Number(body['iat'])
      })
      expect(await Promise.all(lifetimes)).toEqual([3600, 2_592_000])
    }
  })

  test('reports everything else as not active', async () => {
    const { headers } = await confidential()
    const other = await fixture.owner.use(connection => openIntegration(connection, 'Other'))
    const foreign = await confidential({ integration: other.integration })
    const expired = await agentTokens(fixture)
    await fixture.run(sql`
      update auth.credentials set expires_at = now() - interval '1 ms'
       where hash = ${fixture.secrets.hash(expired.access)}`)
    const rotated = await agentTokens(fixture)
    await refreshWith(fixture, rotated.client, rotated.refresh)
    const tokens = [foreign.access, expired.access, rotated.refresh, 'nonsense', 'a.b.c']
    for (const token of tokens) {
      const { status, body } = await introspect({ token }, headers)
      expect([status, body]).toEqual([200, { active: false }])
    }
    expect((await introspect({ token: foreign.access }, foreign.headers)).body).toMatchObject({
      active: true,
    })
  })

  test('reports a token for the other mode as not active', async () => {
    await fixture.goLive()
    const [test, live] = [await confidential(), await confidential({ mode: 'live' })]
    const agent = await agentTokens(fixture)
    const active = async (token: string, { headers }: typeof live) =>
      (await introspect({ token }, headers)).body['active']
    expect([await active(test.access, test), await active(live.access, live)]).toEqual([true, true])
    expect([await active(test.access, live), await active(live.access, test)]).toEqual([
      false,
      false,
    ])
    for (const token of [agent.access, agent.refresh]) {
      expect([await active(token, test), await active(token, live)]).toEqual([true, false])
    }
  })

  test('reveals nothing to a client that registered itself', async () => {
    const { client, access } = await agentTokens(fixture)
    const { status, body } = await introspect({ client_id: client, token: access })
    expect([status, body]).toEqual([200, { active: false }])
  })
})

test('401: introspection without a client', async () => {
  expect(refused(await introspect({ token: 'x' }))).toEqual([401, 'invalid_client'])
})
