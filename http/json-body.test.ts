// Limits and faults of JSON bodies. sweeps/v1-input.test.ts tests them through the clinical API.
import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { until } from './testing/until.ts'
import {
  BodyFault,
  type BodyLimits,
  jsonTypeOf,
  parseJson,
  parseObject,
  readBody,
} from './json-body.ts'

const limits: BodyLimits = {
  bytesMax: 1_000_000,
  depthMax: 32,
  takesJsonSuffix: false,
  milliseconds: 60_000,
}
const impatient: BodyLimits = { ...limits, milliseconds: 60 }
const reads: unknown[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const isImpatient = new URL(request.url).pathname === '/impatient'
    const bytes = await readBody(request, isImpatient ? impatient : limits)
    const isUnread = bytes instanceof BodyFault && bytes.isUnread
    reads.push(bytes instanceof BodyFault ? bytes : parseObject(bytes, request.headers, limits))
    return new Response(null, { headers: isUnread ? { connection: 'close' } : {} })
  },
})
afterAll(() => server.stop(true))

/** Sends the request's head, then single bytes until the server closes the connection. */
function drip(framing: string, byte: string): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    let isClosed = false
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      const type = 'Content-Type: application/json\r\n'
      socket.write(`POST /impatient HTTP/1.1\r\nHost: localhost\r\n${type}${framing}\r\n`)
      void until(() => isClosed || (socket.write(byte), false), 5)
    })
    socket.on('data', bytes => (received += bytes.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => {
      isClosed = true
      resolve(received)
    })
  })
}

test.each([
  ['of a declared length', 'Content-Length: 1000000\r\n', ' '],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', '1\r\n \r\n'],
])('json-body: refuses a body %s that is sent too slowly', async (_, framing, byte) => {
  const received = await drip(framing, byte)
  expect(received).toStartWith('HTTP/1.1 200')
  expect(received).toMatch(/^connection: close\r$/im)
  expect(reads.pop()).toMatchObject({
    kind: 'too_slow',
    message: 'The body must arrive within 0.06 seconds.',
  })
})

test('json-body: reads a body that arrives in time', async () => {
  const answer = await fetch(server.url, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, reads.pop()]).toEqual([200, { a: 1 }])
})

const parse = (text: string | Uint8Array<ArrayBuffer>) => {
  const read = parseJson(typeof text === 'string' ? new TextEncoder().encode(text) : text, 3)
  return read instanceof BodyFault ? read.message : read.value
}

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1,"d":1,"d":2}}',
  '[{"a":1,"b":2,"a":3}]',
  '{"__proto__":{"x":1},"__proto__":{"x":2}}',
  '{"":1,"":2}',
])('json-body: refuses a name repeated in one object: %s', text => {
  expect(parse(text)).toBe('The body must not repeat a name within an object.')
})

test.each([
  '{"a":{"b":1},"c":{"b":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"b:c\\":\\"d","b":":"}',
  '{"__proto__":1,"constructor":{"toString":2}}',
  '{"1":1,"2":[1,2,{}]}',
  'null',
])('json-body: accepts names that are unique in their object: %s', text => {
  expect(parse(text)).toEqual(JSON.parse(text))
})

test('json-body: refuses bodies that are nested too deep, not UTF-8 or not JSON', () => {
  expect(parse('[[[]]]')).toEqual([[[]]])
  expect(parse('[[[[]]]]')).toBe('The body must not be nested more than 3 levels deep.')
  expect(parse('['.repeat(1_000_000))).toBe('The body must not be nested more than 3 levels deep.')
  expect(parse('{"a":1')).toBe('The body must be valid JSON in UTF-8.')
  expect(parse(new Uint8Array([0x22, 0xff, 0x22]))).toBe('The body must be valid JSON in UTF-8.')
})

test.each<[string, boolean, boolean]>([
  ['application/json', true, true],
  ['Application/JSON ; charset="UTF-8"', true, true],
  ['application/json;', true, true],
  ['application/json; charset=utf8', true, true],
  ['application/json; charset=utf-16', true, false],
  ['application/json; profile="x"', true, false],
  ['application/vnd.a+b+json; charset=utf-8', false, false],
])('json type: %s is JSON', (type, isItself, isPlain) => {
  expect(jsonTypeOf(type)).toEqual({ isItself, isPlain })
})

test.each([null, '', 'text/json', 'application/jsonp', 'application/json, text/html', 'json'])(
  'json type: %s is not JSON',
  type => {
    expect(jsonTypeOf(type)).toBeNull()
  },
)
