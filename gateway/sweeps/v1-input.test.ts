// What reaches the clinical API as credential, key and body: over real HTTP, byte by byte.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mintKey } from '#auth/keys.ts'
import { rivera } from '#contract/examples.ts'
import { limits } from '#contract/limits.ts'
import { bodyFramings, writeThenRead } from '#http/testing/raw-http.ts'
import { exchange, createEndpointRouter } from '../testing/gateway.ts'

let endpointRouter: Awaited<ReturnType<typeof createEndpointRouter>>
beforeAll(async () => {
  endpointRouter = await createEndpointRouter()
})
afterAll(() => endpointRouter.close())

let keys = 0
type Sent = { headers?: string; body?: string | Uint8Array; key?: string; type?: string }

/** A POST as bytes; each line of `headers` ends with CRLF. */
function send({ headers = '', body = '{}', key, type }: Sent, rest: Uint8Array[] = []) {
  const length = headers.includes('Transfer-Encoding') || headers.includes('Content-Length')
  return exchange(
    endpointRouter.port,
    `POST /v1/patients HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: Bearer ${endpointRouter.fixtures.ada.test}\r\n` +
      `${key ?? `Idempotency-Key: ${++keys}\r\n`}${type ?? 'Content-Type: application/json\r\n'}` +
      `${length ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}${headers}\r\n`,
    body,
    ...rest,
  )
}

const statusOf = (text: string) => Number(text.split(' ')[1])
const bodyOf = (text: string): Record<string, unknown> =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
const codeOf = (text: string) => `${statusOf(text)} ${String(bodyOf(text)['code'])}`
const faultOf = (text: string) => (bodyOf(text)['errors'] as unknown[] | undefined)?.[0]

describe('the credential', () => {
  const get = (path: string, headers = '') =>
    exchange(
      endpointRouter.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
    )
  const bearer = () => `Bearer ${endpointRouter.fixtures.ada.test}`
  const forms: [name: string, status: number, headers: () => string][] = [
    ['as documented', 200, () => `Authorization: ${bearer()}\r\n`],
    [
      'scheme in any case',
      200,
      () => `Authorization: bEARER ${endpointRouter.fixtures.ada.test}\r\n`,
    ],
    [
      'several spaces',
      200,
      () => `Authorization: Bearer   ${endpointRouter.fixtures.ada.test} \r\n`,
    ],
    ['absent', 401, () => ''],
    ['empty', 401, () => 'Authorization: \r\n'],
    ['scheme alone', 401, () => 'Authorization: Bearer\r\n'],
    [
      'another scheme',
      401,
      () => `Authorization: Basic ${btoa(`${endpointRouter.fixtures.ada.test}:`)}\r\n`,
    ],
    ['no scheme', 401, () => `Authorization: ${endpointRouter.fixtures.ada.test}\r\n`],
    ['twice', 401, () => `Authorization: ${bearer()}\r\nAuthorization: ${bearer()}\r\n`],
    ['two in one', 401, () => `Authorization: ${bearer()}, ${bearer()}\r\n`],
    ['with a word after it', 401, () => `Authorization: ${bearer()} x\r\n`],
    ['one character off', 401, () => `Authorization: ${bearer().slice(0, -1)}!\r\n`],
    ['in another header', 401, () => `X-Api-Key: ${endpointRouter.fixtures.ada.test}\r\n`],
    ['in a cookie', 401, () => `Cookie: access_token=${endpointRouter.fixtures.ada.test}\r\n`],
  ]
  test.each(forms)('%s: %i', async (_name, status, headers) => {
    const text = await get('/v1/organization', headers())
    expect(statusOf(text)).toBe(status)
    if (status === 401) expect(text).toMatch(/^www-authenticate: Bearer realm="clinical", /im)
  })
  test.each(['access_token', 'api_key'])('in the address as %s: 401, header or not', async name => {
    const path = `/v1/organization?${name}=${endpointRouter.fixtures.ada.test}`
    for (const headers of ['', `Authorization: ${bearer()}\r\n`]) {
      const text = await get(path, headers)
      expect(codeOf(text)).toBe('401 unauthorized')
      expect(bodyOf(text)['detail']).toBe('A credential in the address is never read.')
      expect(bodyOf(text)['hint']).toContain('Authorization: Bearer')
    }
  })
  test('is in no log line', () => {
    expect(
      JSON.stringify(endpointRouter.lines.map(({ url: _url, ...line }) => line)),
    ).not.toContain('svc_sk')
  })
})

describe('the mode of a call is that of its key (contract/18, test 16)', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  /** The key of live that has the randomness of a test key: its form and its checksum are right. */
  const relabelled = (key: string) => {
    const value = Array.from(key.slice('svc_sk_test_'.length, -6)).reduce(
      (sum, one) => sum * 62n + BigInt(digits.indexOf(one)),
      0n,
    )
    return mintKey('live', Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
  }
  const roundTrips = () => {
    const { test, live } = endpointRouter.fixtures.context.pools
    return test.roundTrips() + live.roundTrips()
  }

  test('a key of test under the name of live is nobody’s', async () => {
    const forged = relabelled(endpointRouter.fixtures.ada.test)
    expect(forged.slice(12, -6)).toBe(endpointRouter.fixtures.ada.test.slice(12, -6))
    expect((await endpointRouter.call('/v1/organization', { as: forged })).status).toBe(401)
  })

  test('a token that claims one is no credential, whoever signed it: not one query is made', async () => {
    const minted = await endpointRouter.call('/v1/realtime/tokens', {
      method: 'POST',
      headers: { 'idempotency-key': `token-${++keys}` },
    })
    const { token } = await minted.json()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = part({
      mode: 'live',
      organization: endpointRouter.fixtures.clinic,
      scope: 'patients:read',
    })
    const before = roundTrips()
    for (const as of [
      token,
      `${part({ alg: 'none' })}.${claims}.`,
      `${part({ alg: 'HS256' })}.${claims}.${'A'.repeat(43)}`,
      `svc_at_live_${'A'.repeat(49)}`,
    ]) {
      expect((await endpointRouter.call('/v1/organization', { as })).status).toBe(401)
    }
    expect(roundTrips()).toBe(before)
  })

  test('no header, parameter or member changes it', async () => {
    const headers = { 'service-mode': 'live', 'x-mode': 'live', mode: 'live' }
    const plain = await (await endpointRouter.call('/v1/organization')).text()
    expect(await (await endpointRouter.call('/v1/organization', { headers })).text()).toBe(plain)
    const asked = await endpointRouter.call('/v1/organization?mode=live')
    expect(await asked.json()).toMatchObject({
      errors: [{ pointer: '?mode', code: 'unknown_field' }],
    })
    const token = await endpointRouter.call('/v1/realtime/tokens', {
      method: 'POST',
      headers: { 'idempotency-key': `mode-${++keys}`, 'content-type': 'application/json' },
      body: '{"mode":"live"}',
    })
    expect(await token.json()).toMatchObject({
      errors: [{ pointer: '#/mode', code: 'unknown_field' }],
    })
  })

  test('an organization that granted access in live alone is not there for a test key', async () => {
    const headers = { 'service-organization': endpointRouter.fixtures.clinic }
    const answer = await endpointRouter.call('/v1/organization', { headers })
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'organization_not_granted'])
  })
})

describe('the Idempotency-Key', () => {
  const keyed: [name: string, key: string][] = [
    ['absent', ''],
    ['empty', 'Idempotency-Key: \r\n'],
    ['twice, with different values', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'],
    ['with a space', 'Idempotency-Key: a b\r\n'],
    ['256 characters', `Idempotency-Key: ${'k'.repeat(256)}\r\n`],
    ['not ASCII', 'Idempotency-Key: caf\u00e9\r\n'],
  ]
  test.each(keyed)('%s: 400', async (_name, key) => {
    expect(codeOf(await send({ key }))).toBe('400 idempotency_key_required')
  })
  test('255 characters are accepted', async () => {
    const key = `Idempotency-Key: ${'k'.repeat(255)}\r\n`
    expect(codeOf(await send({ key }))).toBe('400 invalid_request')
  })
})

describe('413', () => {
  const large = 200 * 1024 * 1024
  test('declared: refused without waiting for the body', async () => {
    const text = await send({ headers: `Content-Length: ${large}\r\n`, body: '' })
    expect(codeOf(text)).toBe('413 payload_too_large')
    expect(bodyOf(text)['limit_bytes']).toBe(limits.bodyBytesMax)
    expect(text).toMatch(/^content-type: application\/problem\+json\r$/im)
  })
  test('chunked: cut off where it became too much', async () => {
    const piece = Buffer.alloc(65_536, 'a')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    // One chunk too many and no end: a server that waited for more would never answer. More would
    // still be on its way when the connection ends, and the system may then take the answer back.
    const chunks = Array.from({ length: limits.bodyBytesMax / 65_536 + 1 }, () => chunk)
    const text = await send({ headers: 'Transfer-Encoding: chunked\r\n', body: '' }, chunks)
    expect(codeOf(text)).toBe('413 payload_too_large')
  })
  test.each(bodyFramings)('who writes all before he listens hears why (%s)', async framing => {
    const headers = {
      authorization: `Bearer ${endpointRouter.fixtures.ada.test}`,
      'idempotency-key': framing,
    }
    const { status } = await writeThenRead(
      endpointRouter.port,
      'POST /v1/patients',
      framing,
      8,
      headers,
    )
    expect(status).toBe(413)
  })
  test('exactly 1 MiB is read', async () => {
    const frame = '{"a":""}'
    const body = `{"a":"${'x'.repeat(limits.bodyBytesMax - frame.length)}"}`
    expect(codeOf(await send({ body }))).toBe('400 invalid_request')
    expect(codeOf(await send({ body: `${body} ` }))).toBe('413 payload_too_large')
  })
  test('without a credential nothing of a body is read, and the connection ends', async () => {
    const text = await exchange(
      endpointRouter.port,
      `POST /v1/patients HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${large}\r\n\r\n`,
    )
    expect(codeOf(text)).toBe('401 unauthorized')
    expect(text).toMatch(/^connection: close\r$/im)
  })
})

describe('415', () => {
  const types: [type: string, status: number][] = [
    ['application/json', 400],
    ['APPLICATION/JSON; charset=UTF-8', 400],
    ['application/json;charset="utf-8"', 400],
    ['application/json; charset=latin1', 415],
    ['application/json, application/json', 415],
    ['application/jsonp', 415],
    ['application/merge-patch+json', 415],
    ['text/plain', 415],
    ['', 415],
  ]
  test.each(types)('Content-Type: %s answers %i', async (type, status) => {
    expect(statusOf(await send({ type: `Content-Type: ${type}\r\n` }))).toBe(status)
  })
  test('no Content-Type: refused with a body, accepted without', async () => {
    expect(codeOf(await send({ type: '' }))).toBe('415 unsupported_media_type')
    expect(codeOf(await send({ type: '', body: '' }))).toBe('400 invalid_request')
  })
  test('a content encoding is refused', async () => {
    const headers = 'Content-Encoding: gzip\r\n'
    expect(codeOf(await send({ headers }))).toBe('415 unsupported_media_type')
    expect(statusOf(await send({ headers: 'Content-Encoding: identity\r\n' }))).toBe(400)
  })
})

describe('400 invalid_json', () => {
  const bodies: [name: string, body: string | Uint8Array][] = [
    ['cut short', '{"a":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['two objects', '{}{}'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{/**/}'],
    ['a trailing comma', '{"a":1,}'],
    ['white space alone', '  '],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an overlong form', new Uint8Array([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['a mebibyte of brackets', '['.repeat(limits.bodyBytesMax)],
    ['a mebibyte of braces', '{"a":'.repeat(200_000)],
  ]
  test.each(bodies)('%s', async (_name, body) => {
    const text = await send({ body })
    expect(codeOf(text)).toBe('400 invalid_request')
    expect(bodyOf(text)['errors']).toEqual([
      { pointer: '#', code: 'invalid_json', message: expect.any(String) },
    ])
  })
  test('32 levels, and brackets in a text, are JSON', async () => {
    const deep = await send({ body: `{"a":${'['.repeat(31)}${']'.repeat(31)}}` })
    expect(faultOf(deep)).toMatchObject({ pointer: '#/a', code: 'unknown_field' })
    const text = await send({ body: `{"a":"\\"${'['.repeat(100)}"}` })
    expect(faultOf(text)).toMatchObject({ pointer: '#/a', code: 'unknown_field' })
  })
  test('a member called __proto__ is a member like any other', async () => {
    const text = await send({ body: '{"__proto__":{"first_name":"x"}}' })
    expect(faultOf(text)).toMatchObject({ pointer: '#/__proto__', code: 'unknown_field' })
  })
  test('of a member that is there twice the last counts, in the fingerprint too', async () => {
    const whole = JSON.stringify(rivera)
    const key = 'Idempotency-Key: doubled\r\n'
    const first = await send({ key, body: `{"first_name":"Nobody",${whole.slice(1)}` })
    const again = await send({ key, body: whole })
    expect([statusOf(first), bodyOf(first)['first_name']]).toEqual([201, rivera.first_name])
    expect([statusOf(again), bodyOf(again)]).toEqual([201, bodyOf(first)])
    expect(again.toLowerCase()).toContain('idempotent-replayed: true')
  })

  test('a query parameter beyond 2^53 is refused', async () => {
    const answer = await endpointRouter.call('/v1/patients?limit=9007199254740993')
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '?limit' }] })
  })
})
