// A proxy between the CLI and the platform whose connections can be cut, as when a machine sleeps
// or changes networks.

import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'

export async function openProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  let connected = () => {}
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    connected()
    const far = createConnection(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Cuts every connection, and refuses new connections until `join`. */
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    /** Accepts connections again; resolves with the first connection. */
    join(): Promise<void> {
      isCut = false
      return new Promise(resolve => (connected = resolve))
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
