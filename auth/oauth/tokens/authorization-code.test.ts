// Tests an agent that acts for a person: the code, its tokens, and what ends them.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import {
  agentTokens,
  authorize,
  authorizeUrl,
  exchange,
  newVerifier,
  openBrowser,
} from '../testing/agent.ts'
import { newAgent, post, refused } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture()

const stored = (token: string) =>
  fixture.run<Record<string, unknown>>(sql`
    select k.kind, k.mode, k.integration, k.client, k.person, k.scopes, k.audience,
           f.revoked_reason, k.revoked_at is null and f.revoked_at is null as stands
      from auth.credentials k join auth.token_families f on f.id = k.family
     where k.hash = ${fixture.secrets.hash(token)}`)

describe('200: an agent acts for a person', () => {
  test('with a test access token and a refresh token', async () => {
    const { client, answer, access } = await agentTokens(fixture, {
      params: { scope: 'patients:read cases:read' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^svc_at_test_/),
      refresh_token: expect.stringMatching(/^svc_rt_/),
      expires_in: 3600,
      scope: 'patients:read cases:read',
      token_type: 'Bearer',
    })
    expect(await stored(access)).toEqual([
      {
        kind: 'agent',
        mode: 'test',
        integration: fixture.integration,
        client,
        person: fixture.people.owner,
        scopes: ['patients:read', 'cases:read'],
        audience: ['mcp'],
        revoked_reason: null,
        stands: true,
      },
    ])
  })

  test('the response names the issuer and returns the state', async () => {
    const { query } = await authorize(fixture, { params: { state: 'a/b c&d=é' } })
    expect(query).toEqual({ code: expect.any(String), state: 'a/b c&d=é', iss: fixture.issuer })
  })

  test('at the tool server unless it requests another resource', async () => {
    const { api, mcp } = fixture.resources
    const audience = async (resource: string | readonly string[] | undefined, form = {}) => {
      const { access, answer } = await agentTokens(fixture, { params: { resource } }, form)
      return answer.status === 200 ? (await stored(access))[0]?.['audience'] : refused(answer)
    }
    expect(await audience(undefined)).toEqual(['mcp'])
    expect(await audience(`${mcp}/`)).toEqual(['mcp'])
    expect(await audience(api)).toEqual(['api'])
    expect(await audience(`${api}/`, { resource: api })).toEqual(['api'])
    expect(await audience(`${api}/`)).toEqual(['api'])
    expect(await audience(api, { resource: `${api}/` })).toEqual(['api'])
    expect(await audience([api, mcp], { resource: api })).toEqual(['api'])
    expect(await audience([api, mcp])).toEqual(['mcp'])
    expect(await audience(mcp, { resource: api })).toEqual([400, 'invalid_target'])
  })

  test('no stored value can be used as a credential', async () => {
    const { code, verifier, access, refresh } = await agentTokens(fixture)
    const open = await openBrowser(fixture).get(authorizeUrl(await newAgent(fixture), verifier))
    const interaction = open.headers.get('location')?.split('/').at(-1) ?? ''
    expect(interaction.length).toBeGreaterThan(20)
    const [dump] = await fixture.run<{ text: string }>(
      sql`select (select string_agg(a::text, '') from auth.artifacts a)
               || (select string_agg(c::text, '') from auth.credentials c)
               || (select string_agg(e::text, '') from audit.entries e) as text`,
    )
    for (const secret of [code, access.slice(12), refresh.slice(7), interaction, verifier]) {
      expect(dump?.text).not.toContain(secret)
    }
  })

  test('consent, code and tokens leave audit rows with the person', async () => {
    const { client } = await agentTokens(fixture, { person: fixture.people.developer })
    const rows = await fixture.run(sql`
      select action, outcome, person from audit.entries where client = ${client} order by seq`)
    expect(rows).toEqual([
      { action: 'oauth.register', outcome: 'ok', person: null },
      { action: 'oauth.consent', outcome: 'ok', person: fixture.people.developer },
      { action: 'oauth.token', outcome: 'ok', person: fixture.people.developer },
    ])
  })

  test('a loopback redirect may use another port', async () => {
    const client = await newAgent(fixture, { redirect_uris: ['http://127.0.0.1:1/cb'] })
    const uri = 'http://127.0.0.1:51234/cb'
    const { answer } = await agentTokens(
      fixture,
      { client, params: { redirect_uri: uri } },
      { redirect_uri: uri },
    )
    expect(answer.status).toBe(200)
  })
})

describe('400: a code that returns no tokens', () => {
  test('used twice: the second use fails, and the tokens from the first end', async () => {
    const { client, verifier, code, access, refresh } = await agentTokens(fixture)
    expect(await stored(access)).toMatchObject([{ stands: true }])
    expect(refused(await exchange(fixture, { client, verifier, code }))).toEqual([
      400,
      'invalid_grant',
    ])
    expect(await stored(access)).toMatchObject([{ stands: false, revoked_reason: 'reused' }])
    const again = await post(fixture, paths.token, {
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: refresh,
    })
    expect(refused(again)).toEqual([400, 'invalid_grant'])
    const rows = await fixture.run(sql`
      select action, outcome, code from audit.entries where code = 'reused' order by seq`)
    expect(rows).toEqual([{ action: 'oauth.revoke', outcome: 'ok', code: 'reused' }])
  })

  test('with another verifier, redirect URI or client, or after a minute', async () => {
    const { client, verifier, query } = await authorize(fixture)
    const code = query?.['code'] ?? ''
    const other = await newAgent(fixture)
    const tries = [
      { client, verifier: newVerifier(), code },
      { client, verifier, code, redirect_uri: 'https://evil.example.com' },
      { client: other, verifier, code },
      { client, verifier, code: `${code}x` },
      { client, verifier, code: '\u00e9' },
    ]
    for (const form of tries) {
      expect(refused(await exchange(fixture, form))).toEqual([400, 'invalid_grant'])
    }
    for (const left of [{ verifier: '' }, { verifier, code_verifier: [] }]) {
      const answer = await exchange(fixture, { client, code, ...left })
      expect(refused(answer)).toEqual([400, 'invalid_grant'])
    }
    await fixture.run(sql`
      update auth.artifacts set expires_at = now() - interval '1 second'
       where hash = ${fixture.secrets.hash(code)}`)
    expect(refused(await exchange(fixture, { client, verifier, code }))).toEqual([
      400,
      'invalid_grant',
    ])
  })

  test('if the person was removed in between', async () => {
    const person = await fixture.addMember('developer')
    const { client, verifier, query } = await authorize(fixture, { person })
    await fixture.run(sql`update auth.members set removed_at = now() where person = ${person}`)
    const code = query?.['code'] ?? ''
    expect(refused(await exchange(fixture, { client, verifier, code }))).toEqual([
      400,
      'invalid_grant',
    ])
  })
})
