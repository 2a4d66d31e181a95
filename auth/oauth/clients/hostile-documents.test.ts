// Tests hostile client documents, and their hostile hosts and URLs.
import { describe, expect, test } from 'bun:test'
import net from 'node:net'
import { drip } from '#http/testing/drip.ts'
import { limits } from '#contract/limits.ts'
import { authorizeUrl, newVerifier } from '../testing/agent.ts'
import {
  asked,
  documentOf,
  json,
  names,
  openHost,
  resolver,
  rowOf,
  toDocumentHosts,
} from '../testing/document-hosts.ts'
import { type Fixture, redirectUri } from '../testing/fixture.ts'
import { tokenFor } from '../testing/requests.ts'
import { useFixture } from '../testing/use-fixture.ts'

const fixture = await useFixture(toDocumentHosts)
const hurried = await useFixture({ ...toDocumentHosts, seconds: 0.5 })

describe('a document that is refused', () => {
  const refusedBy = async (
    answer: (url: string) => Response | Promise<Response>,
    at: Fixture = fixture,
  ) => {
    await using host = openHost(answer)
    const { status, to, text } = await asked(at, host.url)
    expect([to, await rowOf(at, host.url)]).toEqual(['', undefined])
    return { status, text }
  }

  test.each<[what: string, answer: (url: string) => Response, says: string]>([
    ['with another client_id', url => json(documentOf(`${url}?x`)), 'client_id it was loaded from'],
    [
      'without a client_id',
      url => json({ ...documentOf(url), client_id: undefined }),
      'client_id it was loaded',
    ],
    [
      'with a secret',
      url => json(documentOf(url, { client_secret: 'x' })),
      'must not contain a secret',
    ],
    [
      'with an authentication method that needs a secret',
      url => json(documentOf(url, { token_endpoint_auth_method: 'client_secret_post' })),
      'token_endpoint_auth_method',
    ],
    [
      'with an authentication method that needs a key',
      url => json(documentOf(url, { token_endpoint_auth_method: 'private_key_jwt' })),
      'token_endpoint_auth_method',
    ],
    [
      'with a javascript: URI',
      url => json(documentOf(url, { redirect_uris: ['javascript:alert(1)'] })),
      'redirect_uris',
    ],
    [
      'with one bad redirect URI among good ones',
      url => json(documentOf(url, { redirect_uris: [redirectUri, 'http://agent.example.com/cb'] })),
      'redirect_uris',
    ],
    [
      'without a redirect URI',
      url => json(documentOf(url, { redirect_uris: [] })),
      'redirect_uris',
    ],
    [
      'with tokens that no person grants',
      url => json(documentOf(url, { grant_types: ['client_credentials'] })),
      'grant_types',
    ],
    [
      'with a name that reverses text direction',
      url => json(documentOf(url, { client_name: 'evil\u202Eelgoog' })),
      'client_name',
    ],
    ['that is a list', () => json([]), 'JSON object'],
    ['that is not JSON', () => json('{'), 'JSON object'],
    [
      'that is not UTF-8',
      () =>
        new Response(Uint8Array.of(0x7b, 0xff, 0x7d), {
          headers: { 'content-type': 'application/json' },
        }),
      'JSON object',
    ],
    [
      'that is HTML',
      url =>
        new Response(JSON.stringify(documentOf(url)), { headers: { 'content-type': 'text/html' } }),
      'must be JSON',
    ],
    [
      'that is compressed',
      url =>
        json(Bun.gzipSync(JSON.stringify(documentOf(url))).toString(), {
          'content-encoding': 'gzip',
        }),
      'JSON object',
    ],
    [
      'that is too long',
      url => json(documentOf(url, { filler: 'x'.repeat(limits.clientDocumentBytesMax) })),
      'at most 5120 bytes',
    ],
    ['behind a redirect', url => Response.redirect(`${url}2`, 302), 'no redirect'],
    ['behind an error', () => new Response('{}', { status: 500 }), 'with 200'],
  ])('%s', async (_what, answer, says) => {
    const { status, text } = await refusedBy(answer)
    expect([status >= 400 && status < 500, text]).toEqual([true, expect.stringContaining(says)])
  })

  test('never ends or never starts: refused after the time limit', async () => {
    const [endless, silent] = await Promise.all([
      refusedBy(
        () => new Response(drip(' '), { headers: { 'content-type': 'application/json' } }),
        hurried,
      ),
      refusedBy(() => new Promise<Response>(() => undefined), hurried),
    ])
    for (const { text } of [endless, silent]) expect(text).toContain('within 0.5 seconds')
  })
})

describe('a URL that is refused', () => {
  test.each([
    ['http', 'http://a.receiver.example/client.json'],
    ['no path', 'https://a.receiver.example/'],
    ['no path and no slash', 'https://a.receiver.example'],
    ['a fragment', 'https://a.receiver.example/client.json#a'],
    ['a username', 'https://ada@a.receiver.example/client.json'],
    ['dots', 'https://a.receiver.example/a/../client.json'],
    ['encoded dots', 'https://a.receiver.example/a/%2e%2e/client.json'],
    ['upper case', 'https://A.receiver.example/client.json'],
    ['the default port', 'https://a.receiver.example:443/client.json'],
    ['another service’s port', 'https://a.receiver.example:22/client.json'],
    ['a backslash', 'https://a.receiver.example\\@evil.example/client.json'],
    ['a space', 'https://a.receiver.example/a client.json'],
    ['lookalike letters', 'https://аgent.example.com/client.json'],
    ['a private hostname', 'https://vault.internal/client.json'],
    ['this machine', 'https://localhost/client.json'],
    ['a private address', 'https://10.0.0.1/client.json'],
    ['a cloud metadata address', 'https://169.254.169.254/latest'],
    ['a number as the host', 'https://2130706433/client.json'],
    ['a URL that is too long', `https://a.receiver.example/${'a'.repeat(500)}`],
  ])('%s', async (_what, clientId) => {
    const { status, to } = await asked(fixture, clientId)
    expect([status >= 400 && status < 500, to]).toEqual([true, ''])
    const token = await tokenFor(fixture, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: 'x',
      code_verifier: newVerifier(),
      redirect_uri: redirectUri,
    })
    expect([token.status, token.body['error']]).toEqual([401, 'invalid_client'])
  })

  test.each([
    'https://a.receiver.example/a/../client.json',
    'https://a.receiver.example/a/%2E%2E/client.json',
    'https://a.receiver.example/%2e/client.json',
    'https://A.receiver.example/client.json',
    'https://a.receiver.example:443/client.json',
  ])('%s, which is not normalized', async clientId => {
    expect((await asked(fixture, clientId)).text).toContain('must be normalized')
  })

  test('one of more than 32 simultaneous reads', async () => {
    const held = Promise.withResolvers<void>()
    await using host = openHost(async url => {
      await held.promise
      return json(documentOf(url))
    })
    const answers = Array.from({ length: 33 }, async (_, at) => {
      const url = authorizeUrl(`${host.url}?${at}`, newVerifier())
      const headers = { 'test-address': `2001:db8:0:${at}::1` }
      const answer = await fetch(new URL(url, fixture.issuer), { redirect: 'manual', headers })
      return `${answer.status} ${await answer.text()}`
    })
    expect(await Promise.race(answers)).toMatch(/^429 .*too many documents/)
    held.resolve()
    const statuses = (await Promise.all(answers)).map(answer => answer.slice(0, 3))
    expect(statuses.toSorted()).toEqual([...Array<string>(32).fill('303'), '429'])
  })

  test('a name that resolves to a private network, now or later; nothing is sent', async () => {
    await using host = openHost()
    const url = new URL(host.url)
    for (const [name, addresses] of Object.entries({
      'inside.receiver.example': ['10.0.0.1'],
      'mixed.receiver.example': ['127.0.0.1', '192.168.0.1'],
      'mapped.receiver.example': ['::ffff:169.254.169.254'],
    })) {
      names.set(name, addresses)
      url.hostname = name
      const { status, text } = await asked(fixture, url.href)
      expect([status, text]).toEqual([400, expect.stringContaining('private address')])
    }
    expect(host.received).toEqual([])
  })

  test('the connection goes to the checked address, even if the name changes', async () => {
    await using host = openHost()
    let questions = 0
    const { answer } = resolver
    resolver.answer = name => {
      questions++
      return questions === 1 ? answer(name) : ['10.0.0.1']
    }
    const { to } = await asked(fixture, host.url)
    resolver.answer = answer
    expect(to).toStartWith('/consent/')
    expect([questions, host.received.length]).toEqual([1, 1])
  })

  test('a host without a certificate for its name, and a port where nothing listens', async () => {
    names.set('b.receiver.example', ['127.0.0.1'])
    await using host = openHost()
    const { text } = await asked(fixture, host.url.replace('a.receiver', 'b.receiver'))
    expect(text).toContain('valid certificate')
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as net.AddressInfo
    await new Promise(resolve => server.close(resolve))
    expect((await asked(fixture, `https://a.receiver.example:${port}/client.json`)).text).toContain(
      'reachable',
    )
    expect((await asked(fixture, 'https://unknown.receiver.example/client.json')).text).toContain(
      'resolves',
    )
  })
})
