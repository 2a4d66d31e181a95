// Bodies from clients that disconnect, read by node:http.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readNodeBytes } from './read-bytes.ts'

const server = createServer()
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** A request with half its body received, and a function that closes its connection. */
async function halfSent(): Promise<{ request: IncomingMessage; leave: () => void }> {
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf ')
  const [request] = await arrived
  return { request, leave: () => socket.destroy() }
}

test('a read fails if the client disconnects during it', async () => {
  const { request, leave } = await halfSent()
  const read = readNodeBytes(request, 100)
  leave()
  await expect(read).rejects.toThrow()
})

test('a read fails if the client disconnected before it', async () => {
  const { request, leave } = await halfSent()
  const closed = new Promise(resolve => request.once('error', () => {}).once('close', resolve))
  leave()
  await closed
  await expect(readNodeBytes(request, 100)).rejects.toThrow()
})
