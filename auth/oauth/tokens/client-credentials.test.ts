// Tests confidential clients' tokens, over HTTP and in the database.

import { describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { limits } from '#contract/limits.ts'
import { randomBytes } from '#database/clock.ts'
import { mintClientSecret, modeOf } from '../../tokens.ts'
import { createClient } from '../../administration.ts'
import { peppers } from '../testing/fixture.ts'
import { basic, type Form, newAgent, newClient, refused, tokenFor } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

const grant_type = 'client_credentials'

const stored = (token: unknown) =>
  fixture.run<Record<string, unknown>>(sql`
    select kind, mode, integration, client, person, scopes, audience, family,
           round(extract(epoch from expires_at - created_at))::int as seconds
      from auth.credentials where hash = ${fixture.secrets.hash(String(token))}`)

describe('200: a confidential client’s token', () => {
  test('is valid for one hour, has all of the client’s scopes, and is stored as an HMAC', async () => {
    const client = await newClient(fixture, { scopes: ['patients:read', 'cases:read'] })
    const { status, headers, body } = await client.mint()
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_at_test_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'patients:read cases:read',
    })
    expect(await stored(body['access_token'])).toEqual([
      {
        kind: 'client',
        mode: 'test',
        integration: fixture.integration,
        client: client.id,
        person: null,
        scopes: ['patients:read', 'cases:read'],
        audience: null,
        family: client.family,
        seconds: 3600,
      },
    ])
    const [dump] = await fixture.run<{ text: string }>(
      sql`select (select string_agg(c::text, '') from auth.credentials c)
               || (select string_agg(e::text, '') from audit.entries e) as text`,
    )
    expect(dump?.text).not.toContain(String(body['access_token']).slice(12))
    expect(dump?.text).not.toContain(client.secret.slice(7))
  })

  test('is issued to a client that an integration creates', async () => {
    const asked = { integration: fixture.integration, mode: 'test', name: 'A server' } as const
    const act = { surface: 'cli', request: 'req_1' } as const
    const made = await fixture.owner.use(connection =>
      createClient(connection, peppers[0], asked, act),
    )
    if (made.refusal !== null) throw new Error(made.refusal)
    const { status } = await tokenFor(
      fixture,
      { grant_type },
      { headers: basic(made.id, made.secret) },
    )
    expect(status).toBe(200)
  })

  test('has the requested scopes and resources', async () => {
    const client = await newClient(fixture)
    const { api, mcp } = fixture.resources
    const ask = async (form: Form) => {
      const { body } = await client.mint(form)
      const [row] = await stored(body['access_token'])
      return [body['scope'], row?.['audience']]
    }
    expect(await ask({ scope: 'cases:read patients:read' })).toEqual([
      'patients:read cases:read',
      null,
    ])
    expect(await ask({ scope: 'cases:read', resource: api })).toEqual(['cases:read', ['api']])
    expect(await ask({ scope: 'cases:read', resource: `${mcp}/` })).toEqual(['cases:read', ['mcp']])
    expect(await ask({ scope: 'cases:read', resource: [api, mcp] })).toEqual([
      'cases:read',
      ['api', 'mcp'],
    ])
  })

  test('is issued for either of two secrets', async () => {
    const client = await newClient(fixture)
    const other = mintClientSecret(randomBytes(32))
    await client.addSecret(other)
    expect((await client.mint()).status).toBe(200)
    expect((await client.mint({ client_secret: other })).status).toBe(200)
    await fixture.run(sql`
      update auth.client_secrets set revoked_at = now()
       where hash = ${fixture.secrets.hash(client.secret)}`)
    expect(refused(await client.mint())).toEqual([401, 'invalid_client'])
    expect((await client.mint({ client_secret: other })).status).toBe(200)
  })

  test('a live client’s token names its mode, with an agreement and a grant', async () => {
    const client = await newClient(fixture, { mode: 'live' })
    expect(refused(await client.mint())).toEqual([400, 'unauthorized_client'])
    await fixture.goLive()
    const { status, body } = await client.mint()
    expect(status).toBe(200)
    expect(modeOf(String(body['access_token']))).toBe('live')
    expect(await stored(body['access_token'])).toMatchObject([{ mode: 'live' }])
    await fixture.run(sql`update auth.agreements set terminated_at = now()`)
    expect(refused(await client.mint())).toEqual([400, 'unauthorized_client'])
  })

  test('replaces the oldest of twenty', async () => {
    const client = await newClient(fixture)
    const tokens: unknown[] = []
    for (let made = 0; made < limits.clientTokensMax + 2; made++) {
      tokens.push((await client.mint()).body['access_token'])
    }
    const kept = await Promise.all(tokens.map(async token => (await stored(token)).length))
    expect(kept).toEqual([0, 0, ...Array<number>(limits.clientTokensMax).fill(1)])
  })

  test('leaves an audit row in the same statement', async () => {
    const client = await newClient(fixture)
    await client.mint()
    const rows = await fixture.run(sql`
      select mode, integration, client, person, surface, action, outcome, status, code, address
        from audit.entries where actor = ${client.id}`)
    expect(rows).toEqual([
      {
        mode: 'test',
        integration: fixture.integration,
        client: client.id,
        person: null,
        surface: 'oauth',
        action: 'oauth.token',
        outcome: 'ok',
        status: 200,
        code: null,
        address: '203.0.113.7',
      },
    ])
  })
})

describe('400: what a client can’t have', () => {
  test('a scope that the client lacks', async () => {
    const client = await newClient(fixture, { scopes: ['patients:read'] })
    for (const scope of ['patients:write', 'patients:read patients:write', 'openid', 'x"y', '\t']) {
      const answer = await client.mint({ scope })
      expect([scope, ...refused(answer)]).toEqual([scope, 400, 'invalid_scope'])
    }
  })

  test('another resource', async () => {
    const client = await newClient(fixture)
    const { api } = fixture.resources
    for (const resource of ['https://other.example.com', `${api}//`, 'nonsense', [api, 'x']]) {
      expect(refused(await client.mint({ resource }))).toEqual([400, 'invalid_target'])
    }
  })

  test('the grant, if the client registered itself', async () => {
    const client_id = await newAgent(fixture)
    const answer = await tokenFor(fixture, { grant_type, client_id })
    expect(refused(answer)).toEqual([400, 'unauthorized_client'])
  })

  test('two authentication methods, or a request that isn’t a form', async () => {
    const { id, secret, mint } = await newClient(fixture)
    const headers = basic(id, secret)
    const both = await tokenFor(fixture, { grant_type, client_secret: secret }, { headers })
    expect(refused(both)).toEqual([400, 'invalid_request'])
    const other = await tokenFor(fixture, { grant_type, client_id: 'cli_x' }, { headers })
    expect(refused(other)).toEqual([400, 'invalid_request'])
    const repeated = await mint({ grant_type: [grant_type, grant_type] })
    expect(refused(repeated)).toEqual([400, 'invalid_request'])
    for (const authorization of ['Bearer x', 'Basic', 'Basic !!!', `Basic ${btoa('no colon')}`]) {
      const answer = await tokenFor(fixture, { grant_type }, { headers: { authorization } })
      expect([authorization, ...refused(answer)]).toEqual([authorization, 400, 'invalid_request'])
    }
    const headersOf = { 'content-type': 'application/json' }
    const json = await tokenFor(fixture, { grant_type }, { headers: headersOf })
    expect(refused(json)).toEqual([400, 'invalid_request'])
  })

  test('a missing or unsupported grant type is refused', async () => {
    const { id: client_id, secret: client_secret } = await newClient(fixture)
    const ask = async (form: Form) =>
      refused(await tokenFor(fixture, { client_id, client_secret, ...form }))
    expect(await ask({})).toEqual([400, 'invalid_request'])
    for (const type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
      expect(await ask({ grant_type: type })).toEqual([400, 'unsupported_grant_type'])
    }
  })
})

describe('401: a client that is not authenticated', () => {
  test('an unknown client and a wrong secret get the same response', async () => {
    const { id, secret, mint } = await newClient(fixture)
    const answers = await Promise.all([
      mint({ client_secret: secret.replace(/.$/, last => (last === '0' ? '1' : '0')) }),
      mint({ client_secret: (await newClient(fixture)).secret }),
      mint({ client_secret: '' }),
      mint({ client_id: `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}` }),
      mint({ client_id: "x' or 1=1" }),
      tokenFor(fixture, { grant_type, client_id: id }),
    ])
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([
        401,
        { error: 'invalid_client', error_description: 'client authentication failed' },
      ])
      expect(headers.get('www-authenticate')).toBeNull()
    }
    const viaBasic = await tokenFor(fixture, { grant_type }, { headers: basic(id, 'wrong') })
    expect(viaBasic.status).toBe(401)
    expect(viaBasic.headers.get('www-authenticate')).toStartWith('Basic')
  })

  test('a revoked client, and one from a suspended integration', async () => {
    const { id, mint } = await newClient(fixture)
    await fixture.run(sql`update auth.clients set revoked_at = now() where id = ${id}`)
    expect(refused(await mint())).toEqual([401, 'invalid_client'])
    const second = await newClient(fixture)
    const suspend = (value: string | null) =>
      fixture.run(sql`
        update auth.integrations set suspended_at = ${value}::timestamptz
         where id = ${fixture.integration}`)
    await suspend('2026-01-01')
    expect(refused(await second.mint())).toEqual([401, 'invalid_client'])
    await suspend(null)
    expect((await second.mint()).status).toBe(200)
  })

  test('nothing is issued from an ended family', async () => {
    const { family, mint } = await newClient(fixture)
    await fixture.run(sql`
      update auth.token_families set revoked_at = now() where id = ${family}`)
    expect(refused(await mint())).toEqual([401, 'invalid_client'])
  })
})

test('a client with all scopes gets all by default', async () => {
  const { body } = await (await newClient(fixture)).mint()
  expect(body['scope']).toBe(allScopes.join(' '))
})
