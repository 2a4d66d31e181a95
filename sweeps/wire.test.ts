// Raw bytes: request smuggling, endless headers, invalid paths, and hundreds of connections that
// send no request. Each connection must be closed, no connection may smuggle a second request, and
// other clients must be served. FAULT_ROUNDS opens ten thousand connections and waits until the
// last connection is closed.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { rivera } from '#contract/examples.ts'
import { sql } from '#database/sql.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'

const isFull = process.env['FAULT_ROUNDS'] !== undefined
let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())
afterEach(() => expect([gateway.fixtures.errors, gateway.events]).toEqual([[], []]))

let sent = 0
const heading = () => `Host: localhost\r\nAuthorization: Bearer ${gateway.fixtures.ada.test}\r\n`
const post = (name: string, more: string, body: string) =>
  `POST /v1/patients HTTP/1.1\r\n${heading()}Content-Type: application/json\r\n` +
  `Idempotency-Key: ${name}-${++sent}\r\n${more}\r\n${body}`
const patient = (name: string) => JSON.stringify({ ...rivera, external_id: name })
/** A complete request that runs if the server misreads the previous request's length. */
const hidden = () =>
  post('hidden', `Content-Length: ${patient('hidden').length}\r\n`, patient('hidden'))
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const statuses = (text: string) =>
  [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(one => Number(one[1]))
const named = (name: string) =>
  gateway.fixtures.owner.use(connection =>
    connection.run<{ id: string }>(sql`select id from test.patients where external_id = ${name}`),
  )
const organization = async () => (await gateway.call('/v1/organization')).status

describe('wire: request smuggling', () => {
  const te = 'Transfer-Encoding: chunked\r\n'
  const cl = (length: number | string) => `Content-Length: ${length}\r\n`
  const close = 'Connection: close\r\n'
  const whole = patient('shown')
  const shapes: [name: string, more: string, body: string][] = [
    ['a length, then chunks', cl(6) + te, '0\r\n\r\n'],
    ['chunks, then a length', te + cl(whole.length), chunked(whole)],
    ['two lengths', cl(2) + cl(whole.length), whole],
    ['a list of lengths', cl('2, 2'), '{}'],
    ['a length with a sign', cl('+2'), '{}'],
    ['a negative length', cl(-1), '{}'],
    ['a length in hexadecimal', cl('0x2'), '{}'],
    ['a huge length', cl('9'.repeat(25)), '{}'],
    ['a folded length', 'Content-Length: 2\r\n 0\r\n', '{}'],
    ['a folded coding', `Transfer-Encoding:\r\n chunked\r\n${cl(2)}`, '{}'],
    ['a folded custom header', `X-Note: a\r\n b\r\n${cl(2)}`, '{}'],
    ['a space before the colon of the length', 'Content-Length : 2\r\n', '{}'],
    ['a space before the colon of the coding', 'Transfer-Encoding : chunked\r\n', chunked('{}')],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', chunked('{}')],
    ['a coding after chunks', 'Transfer-Encoding: chunked, identity\r\n', chunked('{}')],
    ['a coding before chunks', 'Transfer-Encoding: gzip, chunked\r\n', chunked('{}')],
    ['two codings', `${te}Transfer-Encoding: identity\r\n`, chunked('{}')],
    ['a coding after a control character', 'Transfer-Encoding: \u000bchunked\r\n', chunked('{}')],
    ['a negative chunk size', te, '-1\r\n{}\r\n0\r\n\r\n'],
    ['a huge chunk size', te, `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size with a prefix', te, '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', te, '2\r\n{}XX0\r\n\r\n'],
    ['chunks with bare line ends', te, '2\n{}\n0\n\n'],
    ['a bare line end in an extension', te, '2;a\n{}\r\n0\r\n\r\n'],
    ['a bare carriage return', `X-Note: a\rb\r\n${cl(2)}`, '{}'],
    ['a NUL in a header', `X-Note: a\0b\r\n${cl(2)}`, '{}'],
  ]
  test.each(shapes)('%s: 400, and the connection closes', async (_name, more, body) => {
    const text = await exchange(gateway.port, post('shown', more, body), hidden())
    expect([statuses(text), /^connection: close\r$/im.test(text)]).toEqual([[400], true])
  })

  test('chunks in HTTP/1.0: 400', async () => {
    const bytes = post('old', te, chunked(whole)).replace('HTTP/1.1', 'HTTP/1.0')
    expect(statuses(await exchange(gateway.port, bytes, hidden()))).toEqual([400])
  })

  test('neither these requests nor the hidden ones were executed', async () => {
    expect(await named('hidden')).toEqual([])
    expect(await named('shown')).toEqual([])
  })

  test('a GET’s body isn’t executed as a request', async () => {
    const inside = hidden()
    for (const more of [cl(inside.length), te]) {
      const body = more === te ? chunked(inside) : inside
      const bytes = `GET /v1/organization HTTP/1.1\r\n${heading()}${close}${more}\r\n${body}`
      expect(statuses(await exchange(gateway.port, bytes))).toEqual([200])
    }
    expect(await named('hidden')).toEqual([])
  })

  test('neither of two pipelined requests is executed', async () => {
    const first = post('first', cl(whole.length), whole)
    expect(statuses(await exchange(gateway.port, first + hidden()))).toEqual([])
    expect(await named('hidden')).toEqual([])
    expect(await named('shown')).toEqual([])
  })
})

describe('wire: oversized or invalid headers', () => {
  const get = (path: string, more = '') =>
    exchange(gateway.port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n${heading()}${more}\r\n`)
  const heads: [name: string, path: string, more: string][] = [
    ['a long path', `/v1/patients/${'a'.repeat(20_000)}`, ''],
    ['a long query', `/v1/patients?external_id=${'a'.repeat(20_000)}`, ''],
    ['a long header', '/v1/organization', `X-Note: ${'a'.repeat(100_000)}\r\n`],
    ['many headers', '/v1/organization', 'X-Note: a\r\n'.repeat(250)],
    ['many different headers', '/v1/organization', manyNames(250)],
  ]
  test.each(heads)('%s: 431', async (_name, path, more) => {
    expect(statuses(await get(path, more))).toEqual([431])
  })
  test('endless headers: 431 without waiting for the rest', async () => {
    const piece = `X-Note: ${'a'.repeat(1000)}\r\n`
    const pieces = Array.from({ length: 40 }, () => piece)
    const start = `GET /v1/organization HTTP/1.1\r\n${heading()}`
    expect(statuses(await exchange(gateway.port, start, ...pieces))).toEqual([431])
  })
  test.each([
    '/v1/patients/\u00ff\u00fe',
    '/v1/patients/%ff%c0%80',
    '/v1/patients/pat_%00',
    '/v1/%00',
  ])('invalid path %j: 404 with a problem', async path => {
    const text = await get(path)
    expect(statuses(text)).toEqual([404])
    expect(text).toContain('"code":"not_found"')
    expect(text).not.toMatch(/%ff|%00|\u00ff/)
  })
  test.each(['/v1/organ ization', '/v1/organization\0'])(
    'invalid request line %j: the connection closes',
    async path => {
      const [status = 0] = statuses(await get(path))
      expect([400, 404, 505]).toContain(status)
    },
  )
  test('invalid UTF-8 in a parameter is refused or matches nothing', async () => {
    for (const value of ['%ff%c0%80', 'a%00b', '%ed%a0%80']) {
      const text = await get(`/v1/patients?external_id=${value}`)
      expect([value, [200, 400]]).toEqual([value, expect.arrayContaining(statuses(text))])
      expect(text).toMatch(/"data":\[\]|"pointer":"\?external_id"/)
    }
  })
  test('another protocol: 400', async () => {
    for (const bytes of [
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\0\u0001\0',
    ]) {
      expect(statuses(await exchange(gateway.port, Buffer.from(bytes, 'latin1')))).toEqual([400])
    }
  })
})

function manyNames(count: number): string {
  return Array.from({ length: count }, (_, at) => `X-Note-${at}: a\r\n`).join('')
}

describe('wire: idle connections', () => {
  const count = isFull ? 10_000 : 300
  const beginnings = () => [
    '',
    'GET /v1/organization HTTP/1.1\r\nHost: loc',
    `GET /v1/organization HTTP/1.1\r\n${heading()}X-Note: `,
    post('slow', 'Content-Length: 1000\r\n', '{"first_name":'),
    post('slow', 'Transfer-Encoding: chunked\r\n', '5\r\n{"fir'),
  ]
  test('do not block other clients, and are closed after a timeout', async () => {
    const [sockets, all] = await hold(count, beginnings())
    const answers = await Promise.all(Array.from({ length: 50 }, organization))
    expect(answers).toEqual(Array.from({ length: 50 }, () => 200))
    if (!isFull) for (const socket of sockets) socket.destroy()
    await all
    expect(await organization()).toBe(200)
    expect(gateway.fixtures.context.pools.test.roundTrips()).toBeGreaterThan(0)
  }, 120_000)
})

/** Opens this many connections; the promise resolves when all are closed. */
async function hold(count: number, texts: string[]): Promise<[Socket[], Promise<unknown>]> {
  const sockets: Socket[] = []
  const ends: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = connect(gateway.port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => resolve())
    ends.push(promise)
    sockets.push(socket)
    await new Promise<void>(go => socket.once('connect', go).once('close', go))
    socket.write(texts[at % texts.length] ?? '')
  }
  return [sockets, Promise.all(ends)]
}
