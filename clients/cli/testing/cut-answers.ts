// A proxy between the CLI and the platform. Every request takes effect, but its response never
// returns: the connection closes or stays open.

import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'

export async function cutAnswers(target: string, how: 'ends' | 'stays' = 'ends') {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const answered = Promise.withResolvers<void>()
  const server = createServer(near => {
    const far = createConnection(Number(port), hostname)
    far.once('data', () => {
      answered.resolve()
      if (how === 'stays') return
      near.destroy()
      far.destroy()
    })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.pipe(far)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Resolves when the platform first responds. */
    answered: answered.promise,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(resolve))
    },
  }
}
