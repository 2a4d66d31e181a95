// The credentials that the packed library sends, and the credentials that the library refuses
// before sending anything.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { oauthPaths } from '#contract/oauth.ts'
import {
  openPlatform,
  type Platform,
  type PlatformGateway,
} from '#gateway/testing/authorization.ts'
import { issueCredentials, post } from '#gateway/testing/authorizing.ts'
import { sdk } from './testing/package.ts'

let platform: Platform
let started: PlatformGateway
let secrets: Awaited<ReturnType<typeof issueCredentials>>
beforeAll(async () => {
  platform = await openPlatform()
  started = await platform.start()
  secrets = await issueCredentials(platform, platform.fixtures.ada.integration)
})
afterAll(async () => {
  await started.stop()
  await platform.close()
})

/**
 * Records requests. Sends each API request through the test platform, which knows the API's port.
 */
function recorder() {
  const sent: { path: string; authorization: string }[] = []
  const send = ((address: string, init: RequestInit) => {
    const { origin, pathname } = new URL(address)
    const authorization = new Headers(init.headers).get('authorization') ?? ''
    sent.push({ path: pathname, authorization })
    return origin === started.issuer
      ? fetch(address, init)
      : started.call(pathname, { ...init, as: null })
  }) as typeof fetch
  return { sent, fetch: send }
}

const clientOf = (options: object) => {
  const { sent, fetch } = recorder()
  const addresses = { baseUrl: 'http://localhost:1', authUrl: started.issuer }
  return { sent, svc: new sdk.Svc({ ...addresses, fetch, ...options }) }
}

describe('client credentials', () => {
  test('simultaneous calls share one token; a refused one is replaced', async () => {
    const { client_id: clientId = '', client_secret: clientSecret = '' } = secrets.mint
    const { svc, sent } = clientOf({ clientId, clientSecret: () => clientSecret })
    await Promise.all([svc.organization.get(), svc.medications.list(), svc.cases.list()])
    expect(sent.filter(({ path }) => path === oauthPaths.token)).toHaveLength(1)
    expect(svc.mode).toBe('test')
    const token = sent.at(-1)?.authorization.replace('Bearer ', '') ?? ''
    expect(token).toStartWith('svc_at_test_')
    const basic = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
    await post(started, oauthPaths.revocation, { token }, basic).catch(() => {})
    await Promise.all([svc.organization.get(), svc.medications.list()])
    expect(sent.filter(({ path }) => path === oauthPaths.token)).toHaveLength(2)
  })
  test('a request to a token server that is briefly down is retried', async () => {
    const { client_id: clientId = '', client_secret: clientSecret = '' } = secrets.mint
    const { fetch } = recorder()
    const cutInBody = new ReadableStream({
      start(body) {
        body.enqueue(new TextEncoder().encode('{"access_token":"svc_'))
        body.error(new TypeError('cut'))
      },
    })
    const failures = [
      () => Promise.reject(new TypeError('cut')),
      () => new Response('', { status: 503 }),
      () => new Response(cutInBody),
    ]
    const failing = ((address: string, init: RequestInit) =>
      address.startsWith(started.issuer) && failures.length > 0
        ? failures.shift()?.()
        : fetch(address, init)) as typeof fetch
    const { svc } = clientOf({ clientId, clientSecret, fetch: failing, maxRetries: 3 })
    expect((await svc.organization.get().withResponse()).attempts).toBe(4)
  })
  test('a wrong secret is the token server’s error, and is not cached', async () => {
    const { client_id: clientId = '' } = secrets.mint
    const { svc, sent } = clientOf({ clientId, clientSecret: 'svc_cs_wrong' })
    for (const attempt of [1, 2]) {
      await expect(svc.organization.get().then(String)).rejects.toMatchObject({
        name: 'TokenError',
        code: 'invalid_client',
        status: 401,
      })
      expect(sent).toHaveLength(attempt)
    }
  })
})

describe('expectMode', () => {
  test.each([
    ['a live key', { apiKey: 'svc_sk_live_x' }],
    ['a live token', { accessToken: 'svc_at_live_x' }],
    ['what names no mode', { apiKey: 'something' }],
  ])('%s passed directly is refused at once', (_, options) => {
    expect(() => clientOf({ ...options, expectMode: 'test' })).toThrow('Nothing was sent')
  })
  test('a live key from a function is refused before the first request', async () => {
    const { svc, sent } = clientOf({ apiKey: async () => 'svc_sk_live_x', expectMode: 'test' })
    await expect(svc.patients.list().then(String)).rejects.toThrow(
      'the credential is for live mode',
    )
    expect(sent).toEqual([])
  })
  test('a test key passes', async () => {
    const { svc } = clientOf({ accessToken: () => secrets.key, expectMode: 'test' })
    expect((await svc.organization.get()).mode).toBe('test')
  })
})

describe('options', () => {
  test.each([
    ['apiKey or clientId', { apiKey: 'a', clientId: 'b', clientSecret: 'c' }],
    ['clientSecret together', { clientId: 'b' }],
    ['must start with https://', { apiKey: 'a', baseUrl: 'http://api.example.com' }],
    ['must be a URL', { apiKey: 'a', baseUrl: 'api' }],
    ['logLevel must be one of', { apiKey: 'a', logLevel: 'loud' }],
  ])('refused: %s', (message, options) => {
    expect(() => new sdk.Svc(options as object)).toThrow(message)
  })
  test('a value not allowed in a header is refused without being echoed', async () => {
    const broken = 'svc_sk_test_ä'
    const made = () => new sdk.Svc({ apiKey: broken })
    expect(made).toThrow('not allowed in a header')
    expect(made).not.toThrow(broken)
    const { svc, sent } = clientOf({ apiKey: secrets.key, organization: 'org one' })
    await expect(svc.organization.get().then(String)).rejects.toThrow('visible ASCII')
    const { svc: other } = clientOf({ apiKey: secrets.key })
    const writing = other.test.reset({ idempotencyKey: 'two words' }).then(String)
    await expect(writing).rejects.toThrow('visible ASCII')
    expect(sent).toEqual([])
  })
  test('a client can be created without a credential, and the first call names the variable', async () => {
    const before = process.env['SVC_API_KEY']
    delete process.env['SVC_API_KEY']
    const { svc, sent } = clientOf({})
    await expect(svc.organization.get().then(String)).rejects.toThrow('set SVC_API_KEY')
    process.env['SVC_API_KEY'] = secrets.key
    expect(svc.mode).toBe('test')
    await svc.organization.get()
    expect(sent.map(({ authorization }) => authorization)).toEqual([`Bearer ${secrets.key}`])
    if (before === undefined) delete process.env['SVC_API_KEY']
    else process.env['SVC_API_KEY'] = before
  })
  test('a browser page is refused unless the caller opts in', () => {
    Object.assign(globalThis, { window: {}, document: {} })
    try {
      expect(() => new sdk.Svc({ apiKey: 'a' })).toThrow('Call the API from your server')
      expect(new sdk.Svc({ apiKey: 'a', dangerouslyAllowBrowser: true }).mode).toBeUndefined()
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})
