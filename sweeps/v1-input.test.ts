// Idempotency keys and request bodies for the clinical API, sent as raw bytes over real HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { bodyFramings, writeThenRead } from '#http/testing/raw-http.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'
import { bodyOf, codeOf, statusOf } from './testing/raw-answer.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

let keys = 0
type RawInput = { headers?: string; body?: string | Uint8Array; key?: string; type?: string }

/** Sends a POST as raw bytes. Each line of `headers` must end with CRLF. */
function send({ headers = '', body = '{}', key, type }: RawInput, rest: Uint8Array[] = []) {
  const length = headers.includes('Transfer-Encoding') || headers.includes('Content-Length')
  return exchange(
    gateway.port,
    `POST /v1/patients HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: Bearer ${gateway.fixtures.ada.test}\r\n` +
      `${key ?? `Idempotency-Key: ${++keys}\r\n`}${type ?? 'Content-Type: application/json\r\n'}` +
      `${length ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}${headers}\r\n`,
    body,
    ...rest,
  )
}

const faultOf = (text: string) => (bodyOf(text)['errors'] as unknown[] | undefined)?.[0]

describe('v1: Idempotency-Key', () => {
  const keyed: [name: string, key: string][] = [
    ['absent', ''],
    ['twice, with different values', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'],
    ['not ASCII', 'Idempotency-Key: caf\u00e9\r\n'],
  ]
  test.each(keyed)('%s: 400', async (_name, key) => {
    expect(codeOf(await send({ key }))).toBe('400 idempotency_key_required')
  })
})

describe('v1: 413', () => {
  const large = 200 * 1024 * 1024
  test('a declared length over the limit is refused without waiting for the body', async () => {
    const text = await send({ headers: `Content-Length: ${large}\r\n`, body: '' })
    expect(codeOf(text)).toBe('413 payload_too_large')
    expect(bodyOf(text)['limit_bytes']).toBe(1_048_576)
    expect(text).toMatch(/^content-type: application\/problem\+json\r$/im)
  })
  test('a chunked body is refused once it exceeds the limit', async () => {
    const piece = Buffer.alloc(65_536, 'a')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    // Sends one chunk over the limit and no end, so a server that waited for more would never
    // respond. With more data in flight when the connection closes, the client could lose the
    // response.
    const chunks = Array.from({ length: 1_048_576 / 65_536 + 1 }, () => chunk)
    const text = await send({ headers: 'Transfer-Encoding: chunked\r\n', body: '' }, chunks)
    expect(codeOf(text)).toBe('413 payload_too_large')
  })
  test.each(bodyFramings)(
    'a client that writes its whole body before it reads gets the response (%s)',
    async framing => {
      const headers = {
        authorization: `Bearer ${gateway.fixtures.ada.test}`,
        'idempotency-key': framing,
      }
      const { status } = await writeThenRead(gateway.port, 'POST /v1/patients', framing, 8, headers)
      expect(status).toBe(413)
    },
  )
  test('exactly 1 MiB is read', async () => {
    const frame = '{"a":""}'
    const body = `{"a":"${'x'.repeat(1_048_576 - frame.length)}"}`
    expect(codeOf(await send({ body }))).toBe('400 invalid_request')
    expect(codeOf(await send({ body: `${body} ` }))).toBe('413 payload_too_large')
  })
  test('without a credential the body is not read, and the connection closes', async () => {
    const text = await exchange(
      gateway.port,
      `POST /v1/patients HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${large}\r\n\r\n`,
    )
    expect(codeOf(text)).toBe('401 unauthorized')
    expect(text).toMatch(/^connection: close\r$/im)
  })
})

describe('v1: 415', () => {
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
  test.each(types)('Content-Type: %s returns %i', async (type, status) => {
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

describe('v1: 400 invalid_json', () => {
  const bodies: [name: string, body: string | Uint8Array][] = [
    ['truncated JSON', '{"a":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['two objects', '{}{}'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{/**/}'],
    ['a trailing comma', '{"a":1,}'],
    ['white space alone', '  '],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an overlong form', new Uint8Array([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['a mebibyte of brackets', '['.repeat(1_048_576)],
    ['a name twice in one object', '{"first_name":"Ada","first_name":"Eve"}'],
    ['a mebibyte of braces', '{"a":'.repeat(200_000)],
  ]
  test.each(bodies)('%s', async (_name, body) => {
    const text = await send({ body })
    expect(codeOf(text)).toBe('400 invalid_request')
    const { detail, errors } = bodyOf(text)
    expect(errors).toEqual([{ pointer: '#', code: 'invalid_json', message: detail }])
  })
  test('32 levels, and brackets in a string, are accepted', async () => {
    const deep = await send({ body: `{"a":${'['.repeat(31)}${']'.repeat(31)}}` })
    expect(faultOf(deep)).toMatchObject({ pointer: '#/a', code: 'unknown_field' })
    const text = await send({ body: `{"a":"\\"${'['.repeat(100)}"}` })
    expect(faultOf(text)).toMatchObject({ pointer: '#/a', code: 'unknown_field' })
  })
  test('a field called __proto__ is an ordinary field', async () => {
    const text = await send({ body: '{"__proto__":{"first_name":"x"}}' })
    expect(faultOf(text)).toMatchObject({ pointer: '#/__proto__', code: 'unknown_field' })
  })
  test('a query parameter beyond 2^53 is refused', async () => {
    const answer = await gateway.call('/v1/patients?limit=9007199254740993')
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '?limit' }] })
  })
})
