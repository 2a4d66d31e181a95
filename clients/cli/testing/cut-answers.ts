// Between the command line and the platform: every request arrives and takes effect, and the
// connection ends before its answer.

import { createConnection, createServer, type AddressInfo } from 'node:net'

export async function cutAnswers(target: string) {
  const { hostname, port } = new URL(target)
  const server = createServer(near => {
    const far = createConnection(Number(port), hostname)
    far.once('data', () => {
      near.destroy()
      far.destroy()
    })
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}
