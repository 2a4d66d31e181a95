// Tests clients identified by the URL of a document about them, from the document to a token.
import { describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { limits } from '#contract/limits.ts'
import { oauthPaths } from '#contract/oauth.ts'
import { sql } from '#database/sql.ts'
import { modeOf } from '../../tokens.ts'
import { agentTokens, authorize, authorizeUrl, newVerifier, refreshWith } from '../testing/agent.ts'
import {
  asked,
  documentOf,
  json,
  openHost,
  rowOf,
  toDocumentHosts,
} from '../testing/document-hosts.ts'
import { post } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture(toDocumentHosts)

describe('a client described by a document', () => {
  test('gets a code, tokens and new tokens, and revokes them, without registering', async () => {
    await using host = openHost()
    const tokens = await agentTokens(fixture, { client: host.url })
    expect(tokens.answer.status).toBe(200)
    expect(modeOf(tokens.access)).toBe('test')
    const fresh = await refreshWith(fixture, host.url, tokens.refresh)
    expect(fresh.status).toBe(200)
    const ended = await post(fixture, oauthPaths.revocation, {
      client_id: host.url,
      token: String(fresh.body['refresh_token']),
    })
    expect(ended.status).toBe(200)
    const again = await refreshWith(fixture, host.url, String(fresh.body['refresh_token']))
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant'])
    // The document was read once, before the person decided. Token requests don't read it again.
    expect(host.received.map(({ path }) => path)).toEqual([new URL(host.url).pathname])
    expect(host.received[0]?.headers).toMatchObject({ accept: 'application/json' })
    expect(await rowOf(fixture, host.url)).toMatchObject({
      name: 'An editor',
      document_host: new URL(host.url).host,
    })
    const audited = await fixture.run<{ count: number }>(sql`
      select count(*)::int as count from audit.entries
       where action = 'oauth.register' and target = ${(await rowOf(fixture, host.url))?.id ?? ''}`)
    expect(audited[0]?.count).toBe(1)
  })

  test('on the user’s machine may use any port at a loopback address', async () => {
    await using host = openHost(url =>
      json(
        documentOf(url, {
          redirect_uris: ['http://127.0.0.1/callback'],
          application_type: 'native',
        }),
      ),
    )
    const params = { redirect_uri: 'http://127.0.0.1:49152/callback' }
    const { query } = await authorize(fixture, { client: host.url, params })
    expect(query?.['code']).toBeString()
    const elsewhere = { redirect_uri: 'http://127.0.0.1:49152/other' }
    const refused = await authorize(fixture, { client: host.url, params: elsewhere })
    expect([refused.response.status, refused.query]).toEqual([400, null])
  })

  // Documents as published. Neither lists the port where its client listens.
  test.each([
    [
      'Claude Code',
      {
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ['http://localhost:3118/callback', 'http://127.0.0.1:60351/callback'],
    ],
    [
      'Copilot CLI',
      { application_type: 'native', redirect_uris: ['http://127.0.0.1:33418/'] },
      ['http://127.0.0.1:60005/'],
    ],
  ])(
    'such as %s: gets a code at whichever port it currently uses',
    async (client_name, members, uris) => {
      await using host = openHost(url => json(documentOf(url, { client_name, ...members })))
      for (const redirect_uri of uris) {
        const at = { redirect_uri }
        const tokens = await agentTokens(fixture, { client: host.url, params: at }, at)
        expect([redirect_uri, tokens.answer.status]).toEqual([redirect_uri, 200])
      }
    },
  )

  test('for a device requests a device code', async () => {
    const grant_types = ['urn:ietf:params:oauth:grant-type:device_code', 'urn:example:unknown']
    await using host = openHost(url => json(documentOf(url, { grant_types, redirect_uris: [] })))
    const started = await fetch(`${fixture.issuer}${oauthPaths.deviceAuthorization}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: host.url, resource: fixture.resources.api }),
    })
    expect([started.status, Object.keys(await started.json())]).toEqual([
      200,
      expect.arrayContaining(['device_code', 'user_code']),
    ])
  })

  test('may name grants that this server lacks, but gets only supported ones', async () => {
    await using host = openHost(url =>
      json(
        documentOf(url, {
          grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
          logo_uri: 'https://a.receiver.example/logo.png',
          unknown_member: { a: 1 },
        }),
      ),
    )
    const { query } = await authorize(fixture, { client: host.url })
    expect(query?.['code']).toBeString()
  })

  test('may have a document with 5120 bytes, but not one byte more', async () => {
    const answers = [5120, 5121].map(async bytes => {
      await using host = openHost(url => {
        const { length } = JSON.stringify(documentOf(url, { filler: '' }))
        return json(documentOf(url, { filler: 'x'.repeat(bytes - length) }))
      })
      return (await asked(fixture, host.url)).status
    })
    expect(await Promise.all(answers)).toEqual([303, 400])
  })

  test('a client whose row was revoked is refused without reading its document', async () => {
    await using host = openHost()
    expect((await asked(fixture, host.url)).to).toStartWith('/consent/')
    await fixture.run(sql`
      update auth.clients set revoked_at = now(), document_expires_at = now() - interval '1 ms' where document_url = ${host.url}`)
    expect((await asked(fixture, host.url)).status).toBe(400)
    expect(host.received).toHaveLength(1)
  })
})

describe('a document is read again', () => {
  const expire = (url: string) =>
    fixture.run(
      sql`update auth.clients set document_expires_at = now() - interval '1 ms' where document_url = ${url}`,
    )

  test('after the lifetime its host sets, between five minutes and a day', async () => {
    const cases: [headers: Record<string, string>, seconds: number][] = [
      [{}, 3600],
      [{ 'cache-control': 'public, max-age=600' }, 600],
      [{ 'cache-control': 'max-age="900"', age: '100' }, 800],
      [{ 'cache-control': 'max-age=1' }, 300],
      [{ 'cache-control': 'no-store, max-age=900' }, 300],
      [{ 'cache-control': 'max-age=999999999' }, 86_400],
      [{ date: 'Sun, 22 Nov 2026 12:00:00 GMT', expires: 'Sun, 22 Nov 2026 12:20:00 GMT' }, 1200],
      [{ date: 'Sun, 22 Nov 2026 12:00:00 GMT', expires: '0' }, 300],
    ]
    for (const [headers, seconds] of cases) {
      await using host = openHost(url => json(documentOf(url), headers))
      await asked(fixture, host.url)
      const kept = (await rowOf(fixture, host.url))?.seconds ?? 0
      expect([headers, Math.abs(kept - seconds) <= 5]).toEqual([headers, true])
    }
  })

  test('the document’s new content applies from then on', async () => {
    await using host = openHost()
    const first = await asked(fixture, host.url)
    expect(first.to).toStartWith('/consent/')
    const { id } = (await rowOf(fixture, host.url)) ?? {}
    host.made.answer = url =>
      json(
        documentOf(url, {
          client_name: 'Renamed',
          redirect_uris: ['https://other.example.com/cb'],
        }),
      )
    expect((await asked(fixture, host.url)).to).toStartWith('/consent/')
    expect(host.received).toHaveLength(1)
    await expire(host.url)
    // The document no longer lists the request's redirect URI.
    expect((await asked(fixture, host.url)).status).toBe(400)
    expect(await rowOf(fixture, host.url)).toMatchObject({ id, name: 'Renamed' })
  })

  test('a missing document refuses new requests, but consents stay valid', async () => {
    await using host = openHost()
    const { refresh } = await agentTokens(fixture, { client: host.url })
    host.made.answer = () => new Response(null, { status: 404 })
    await expire(host.url)
    expect((await asked(fixture, host.url)).status).toBe(400)
    expect((await refreshWith(fixture, host.url, refresh)).status).toBe(200)
  })

  test('simultaneous requests share one read', async () => {
    const gate = Promise.withResolvers<void>()
    await using host = openHost(async url => {
      await gate.promise
      return json(documentOf(url))
    })
    const all = Promise.all(Array.from({ length: 10 }, () => asked(fixture, host.url)))
    await until(() => host.received.length > 0)
    gate.resolve()
    const answers = await all
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(host.received).toHaveLength(1)
  })
})

test('429: a network’s hourly limit for documents is the same as for registrations', async () => {
  await using host = openHost()
  const at = (path: number) =>
    fetch(new URL(authorizeUrl(`${host.url}?${path}`, newVerifier()), fixture.issuer), {
      redirect: 'manual',
      headers: { 'test-address': '198.51.100.99' },
    })
  const statuses: number[] = []
  for (let path = 0; path < limits.registrationsPerWindow + 1; path++) {
    statuses.push((await at(path)).status)
  }
  expect(statuses.slice(0, -1)).toEqual(Array(limits.registrationsPerWindow).fill(303))
  expect(statuses.at(-1)).toBe(429)
  // A stored document isn't read again.
  expect((await at(0)).status).toBe(303)
})
