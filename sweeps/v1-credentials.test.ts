// Clinical API credentials over real HTTP, and the mode that they determine.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mintKey } from '#auth/tokens.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'
import { bodyOf, codeOf, statusOf } from './testing/raw-answer.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

let keys = 0

describe('v1: credentials', () => {
  const get = (path: string, headers = '') =>
    exchange(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
    )
  const bearer = () => `Bearer ${gateway.fixtures.ada.test}`
  const forms: [name: string, status: number, headers: () => string][] = [
    ['as documented', 200, () => `Authorization: ${bearer()}\r\n`],
    ['scheme in any case', 200, () => `Authorization: bEARER ${gateway.fixtures.ada.test}\r\n`],
    ['several spaces', 200, () => `Authorization: Bearer   ${gateway.fixtures.ada.test} \r\n`],
    ['absent', 401, () => ''],
    ['empty', 401, () => 'Authorization: \r\n'],
    ['scheme alone', 401, () => 'Authorization: Bearer\r\n'],
    [
      'another scheme',
      401,
      () => `Authorization: Basic ${btoa(`${gateway.fixtures.ada.test}:`)}\r\n`,
    ],
    ['no scheme', 401, () => `Authorization: ${gateway.fixtures.ada.test}\r\n`],
    ['twice', 401, () => `Authorization: ${bearer()}\r\nAuthorization: ${bearer()}\r\n`],
    ['two in one', 401, () => `Authorization: ${bearer()}, ${bearer()}\r\n`],
    ['with a word after it', 401, () => `Authorization: ${bearer()} x\r\n`],
    ['one character off', 401, () => `Authorization: ${bearer().slice(0, -1)}!\r\n`],
    ['in another header', 401, () => `X-Api-Key: ${gateway.fixtures.ada.test}\r\n`],
    ['in a cookie', 401, () => `Cookie: access_token=${gateway.fixtures.ada.test}\r\n`],
  ]
  test.each(forms)('%s: %i', async (_name, status, headers) => {
    const text = await get('/v1/organization', headers())
    expect(statusOf(text)).toBe(status)
    if (status === 401) expect(text).toMatch(/^www-authenticate: Bearer realm="clinical", /im)
  })
  test.each(['access_token', 'api_key'])(
    'in the query as %s: 401, with or without the header',
    async name => {
      const path = `/v1/organization?${name}=${gateway.fixtures.ada.test}`
      for (const headers of ['', `Authorization: ${bearer()}\r\n`]) {
        const text = await get(path, headers)
        expect(codeOf(text)).toBe('401 unauthorized')
        expect(bodyOf(text)['detail']).toBe('The credential is in the URL, where it is never read.')
        expect(bodyOf(text)['hint']).toContain('Authorization: Bearer')
      }
    },
  )
  test('are not logged', () => {
    expect(JSON.stringify(gateway.lines.map(({ url: _url, ...line }) => line))).not.toContain(
      'svc_sk',
    )
  })
})

describe('v1: the key determines the mode', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  /** A live key with a test key's random part, so its format and checksum are valid. */
  const relabelled = (key: string) => {
    const value = Array.from(key.slice('svc_sk_test_'.length, -6)).reduce(
      (sum, one) => sum * 62n + BigInt(digits.indexOf(one)),
      0n,
    )
    return mintKey('live', Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
  }
  const changed = (key: string, at: number) =>
    key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)

  test('401: a test key relabeled as a live key', async () => {
    const forged = relabelled(gateway.fixtures.ada.test)
    expect(forged.slice(12, -6)).toBe(gateway.fixtures.ada.test.slice(12, -6))
    expect((await gateway.call('/v1/organization', { as: forged })).status).toBe(401)
  })

  test('401: tokens that claim a mode, and keys with one character changed', async () => {
    const minted = await gateway.call('/v1/realtime/tokens', {
      method: 'POST',
      headers: { 'idempotency-key': `token-${++keys}` },
    })
    const { token } = await minted.json()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = part({
      mode: 'live',
      organization: gateway.fixtures.clinic,
      scope: 'patients:read',
    })
    for (const as of [
      token,
      `${part({ alg: 'none' })}.${claims}.`,
      `${part({ alg: 'HS256' })}.${claims}.${'A'.repeat(43)}`,
      `svc_at_live_${'A'.repeat(49)}`,
      ...[12, 30, 54, 55, 60].map(at => changed(gateway.fixtures.ada.test, at)),
    ]) {
      expect((await gateway.call('/v1/organization', { as })).status).toBe(401)
    }
  })

  test('no header, parameter or field changes the mode', async () => {
    const headers = { 'service-mode': 'live', 'x-mode': 'live', mode: 'live' }
    const plain = await (await gateway.call('/v1/organization')).text()
    expect(await (await gateway.call('/v1/organization', { headers })).text()).toBe(plain)
    const answer = await gateway.call('/v1/organization?mode=live')
    expect(await answer.json()).toMatchObject({
      errors: [{ pointer: '?mode', code: 'unknown_field' }],
    })
    const token = await gateway.call('/v1/realtime/tokens', {
      method: 'POST',
      headers: { 'idempotency-key': `mode-${++keys}`, 'content-type': 'application/json' },
      body: '{"mode":"live"}',
    })
    expect(await token.json()).toMatchObject({
      errors: [{ pointer: '#/mode', code: 'unknown_field' }],
    })
  })

  test('403: an organization that granted access only in live mode, with a test key', async () => {
    const headers = { 'service-organization': gateway.fixtures.clinic }
    const answer = await gateway.call('/v1/organization', { headers })
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'organization_not_granted'])
  })
})
