// How long a body may take. What may be in it is judged in gateway/sweeps/v1-input.test.ts.
import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { type ReadBody, readBody } from './json-body.ts'

const patience = 60
const reads: ReadBody[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const read = await readBody(request, patience)
    reads.push(read)
    return new Response(null, { headers: read.unread ? { connection: 'close' } : {} })
  },
})
afterAll(() => server.stop(true))

/** Sends a head, and then a byte at a time for as long as the other side takes them. */
function drip(framing: string, byte: string): Promise<string> {
  return new Promise(resolve => {
    let heard = ''
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      const type = 'Content-Type: application/json\r\n'
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${type}${framing}\r\n`)
    })
    const timer = setInterval(() => socket.write(byte), 5)
    socket.on('data', bytes => (heard += bytes.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(heard)
    })
  })
}

test.each([
  ['of a declared length', 'Content-Length: 1000000\r\n', ' '],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', '1\r\n \r\n'],
])(
  'a body %s that comes byte by byte is a fault once its time is over',
  async (_, framing, byte) => {
    const heard = await drip(framing, byte)
    expect(heard).toStartWith('HTTP/1.1 200')
    expect(heard).toMatch(/^connection: close\r$/im)
    const read = reads.pop()
    expect(read?.body).toBeUndefined()
    expect(read?.refused?.code).toBe('invalid_request')
    const fault = { pointer: '#', code: 'invalid_json' }
    expect(read?.refused?.said.errors).toMatchObject([
      { ...fault, message: 'The body must end within 0.06 seconds.' },
    ])
  },
)

test('a body that ends in time is read', async () => {
  const answer = await fetch(server.url, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, reads.pop()?.body]).toEqual([200, { a: 1 }])
})
