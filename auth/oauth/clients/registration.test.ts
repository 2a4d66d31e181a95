// Tests open registration with forty hostile redirect URIs, other hostile metadata, and the quotas.

import { describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { allScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { authorize } from '../testing/agent.ts'
import { redirectUri } from '../testing/fixture.ts'
import { refused, register } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()
let networks = 0

/** Each request has its own address, because of the quota. */
const ask = (metadata: unknown) =>
  register(fixture, metadata, { headers: { 'test-address': `198.51.100.${++networks % 250}` } })

describe('201: a client', () => {
  test('gets an ID and no secret, and is stored as returned', async () => {
    const { status, headers, body } = await ask({
      client_name: 'Ada’s agent <b>',
      redirect_uris: [redirectUri],
      logo_uri: 'https://agent.example.com/logo.png',
      contacts: ['ada@example.com'],
      unknown_member: { a: 1 },
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^cli_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Ada’s agent <b>',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      scope: allScopes.join(' '),
      logo_uri: 'https://agent.example.com/logo.png',
    })
    const rows = await fixture.run<{ network: string }>(sql`
      select kind, integration, mode, name, network from auth.clients
       where id = ${String(body['client_id'])}`)
    expect(rows).toMatchObject([
      { kind: 'registered', integration: null, mode: null, name: 'Ada’s agent <b>' },
    ])
    expect(rows[0]?.network).not.toContain('198.51')
  })

  test('on the user’s machine may use loopback addresses and private-use schemes', async () => {
    for (const [uri, type] of [
      ['http://127.0.0.1/callback', 'web'],
      ['http://localhost:8080/callback', 'web'],
      ['http://[::1]:3000/cb', 'native'],
      ['https://localhost:3000/cb', 'web'],
      ['com.example.app:/oauth', 'native'],
      ['com.example.app://oauth/cb', 'native'],
      ['https://agent.example.com/cb?fixed=1', 'web'],
    ]) {
      const { status, body } = await ask({ redirect_uris: [uri], application_type: type })
      expect([uri, status]).toEqual([uri, 201])
      const params = { redirect_uri: String(uri) }
      const { query } = await authorize(fixture, { client: String(body['client_id']), params })
      expect([uri, query?.['iss']]).toEqual([uri, fixture.issuer])
    }
  })

  test('for an editor with its own scheme is native, whatever type it registers', async () => {
    const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const redirect_uris = [uri, 'http://localhost:8787/callback', 'https://agent.example.com/cb']
    for (const application_type of ['web', 'native', undefined]) {
      const { status, body } = await ask({ redirect_uris, application_type })
      expect([status, body['application_type']]).toEqual([201, 'native'])
      const client = String(body['client_id'])
      const { query } = await authorize(fixture, { client, params: { redirect_uri: uri } })
      expect(query?.['code']).toBeString()
    }
  })

  test('for a device needs no redirect URI', async () => {
    const { status, body } = await ask({
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    expect([status, body['response_types']]).toEqual([201, []])
  })

  test('gets the requested scopes that this server has', async () => {
    const { body } = await ask({
      redirect_uris: [redirectUri],
      scope: 'openid offline_access patients:read',
    })
    expect(body['scope']).toBe('patients:read')
  })
})

describe('400: invalid_redirect_uri', () => {
  test('a web client’s private-use scheme, one bad URI among good ones, and eleven URIs', async () => {
    const invalid = [400, 'invalid_redirect_uri']
    expect(refused(await ask({ redirect_uris: ['com.example.app:/cb'] }))).toEqual(invalid)
    expect(refused(await ask({ redirect_uris: [redirectUri, 'javascript:0'] }))).toEqual(invalid)
    const many = Array.from(
      { length: limits.redirectUrisMax + 1 },
      (_, at) => `${redirectUri}/${at}`,
    )
    expect(refused(await ask({ redirect_uris: many }))).toEqual(invalid)
    expect((await ask({ redirect_uris: many.slice(1) })).status).toBe(201)
    for (const redirect_uris of [undefined, [], 'https://x.example.com', [1], [null], {}]) {
      expect(refused(await ask({ redirect_uris }))).toEqual(invalid)
    }
  })
})

describe('400: invalid_client_metadata', () => {
  test('a name with a line break, and a body that is not a JSON object', async () => {
    const answer = await ask({ redirect_uris: [redirectUri], client_name: 'a\nb' })
    expect(refused(answer)).toEqual([400, 'invalid_client_metadata'])
    for (const body of ['', '{', '[]', 'null', '"x"', '1']) {
      expect(refused(await ask(body))).toEqual([400, 'invalid_client_metadata'])
    }
  })
})

test('400: a body with another type; 413: a body that is too long', async () => {
  const headers = { 'content-type': 'text/plain' }
  const text = await register(fixture, { redirect_uris: [redirectUri] }, { headers })
  expect(refused(text)).toEqual([400, 'invalid_request'])
  const long = { redirect_uris: [redirectUri], client_name: 'x', filler: 'x'.repeat(9000) }
  expect(refused(await ask(long))).toEqual([413, 'invalid_request'])
})

describe('429: too many registrations', () => {
  const from = (address: string) =>
    register(fixture, { redirect_uris: [redirectUri] }, { headers: { 'test-address': address } })

  test('sixty an hour from one network, without affecting the next one', async () => {
    const statuses = await Promise.all(
      Array.from({ length: limits.registrationsPerWindow + 5 }, (_, at) =>
        from(`2001:db8:0:1::${at + 1}`).then(({ status }) => status),
      ),
    )
    expect(statuses.filter(status => status === 201)).toHaveLength(limits.registrationsPerWindow)
    const { status, body, headers } = await from('2001:db8:0:1::ffff')
    expect([status, body['error']]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await from('2001:db8:0:2::1')).status).toBe(201)
  })

  test('counted in the database too, for other gateways', async () => {
    const network = '203.0.113.200'
    const { body } = await from(network)
    await fixture.run(sql`
      insert into auth.clients (id, kind, name, network)
      select 'cli_' || lpad(n::text, 26, '0'), 'registered', 'x', c.network
        from auth.clients c, generate_series(1, ${limits.registrationsPerWindow}::int) n
       where c.id = ${String(body['client_id'])}`)
    const again = await from(network)
    expect([again.status, again.body['error_description']]).toEqual([
      429,
      'your network must not register more than 60 clients an hour',
    ])
    expect(again.headers.get('retry-after')).toBe('3600')
  })

  test('ten thousand a day in total', async () => {
    await fixture.run(sql`
      insert into auth.clients (id, kind, name, network)
      select 'cli_1' || lpad(n::text, 25, '0'), 'registered', 'x', n::text
        from generate_series(1, ${limits.registrationsPerDay}::int) n`)
    const { status, body, headers } = await from('203.0.113.201')
    expect([status, headers.get('retry-after')]).toEqual([429, '86400'])
    expect(body['error_description']).toContain('too many clients were registered today')
    await fixture.run(sql`delete from auth.clients where id like 'cli_1%'`)
    expect((await from('203.0.113.202')).status).toBe(201)
  })
})
