// Network paths between a client and the API for tests: TLS with its own authority, and a proxy
// that resolves the tests' names and records who used it.

import {
  createConnection,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { fixturesBase } from '#clinical/testing/fixtures.ts'
import { openAuthority } from '#http/testing/certificates.ts'

/** A name that no DNS server knows, so only the proxy can reach it. */
const hidden = 'api.svc.test'

/** The prefix of upload URLs, which only the proxy can reach. */
const publicBase = fixturesBase

const listening = async (server: Server) => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function join(near: Socket, far: Socket): void {
  for (const socket of [near, far]) {
    socket.on('error', () => {})
    socket.on('close', () => {
      near.destroy()
      far.destroy()
    })
  }
  near.pipe(far).pipe(near)
}

/** Connects to the server, through a tunnel or with a request that has already been read. */
function relay(near: Socket, method: string, target: string, head: string, storage: string): void {
  const isTunnel = method === 'CONNECT'
  const { port } = new URL(
    target.startsWith(publicBase) ? storage : isTunnel ? `http://${target}` : target,
  )
  const far = createConnection(Number(port), '127.0.0.1')
  if (isTunnel) {
    near.write('HTTP/1.1 200 Connected\r\n\r\n')
    return join(near, far)
  }
  far.write(head.replace(/ http:\/\/[^/]+/, ' '), 'latin1')
  // Allows one request per connection, because the next may be for another server.
  far.once('data', part => {
    const closing = part.toString('latin1').replace('\r\n', '\r\nConnection: close\r\n')
    near.write(closing, 'latin1')
    join(near, far)
  })
}

export type Certificate = 'valid' | 'of another name' | 'expired' | 'of an unknown authority'

/** `storage` is the URL that uploads go to. */
export function openNetwork(now: number, storage = publicBase) {
  const [authority, unknown] = [openAuthority(now), openAuthority(now)]
  const servers: { close(): void }[] = []
  const certificates = {
    valid: authority.sign([hidden, 'localhost']),
    'of another name': authority.sign(['other.svc.test']),
    expired: authority.sign([hidden, 'localhost'], -9, -2),
    'of an unknown authority': unknown.sign([hidden, 'localhost']),
  }

  return {
    /** PEM certificates, for each runtime's own certificate option. */
    authority: authority.cert,

    /** Puts TLS in front of a port; returns the TLS port. */
    async secure(port: number, certificate: Certificate): Promise<number> {
      const server = createTlsServer(certificates[certificate], near =>
        join(near, createConnection(port, '127.0.0.1')),
      )
      server.on('tlsClientError', () => {})
      servers.push(server)
      return listening(server)
    },

    /** Returns a port that was just closed. */
    async closedPort(): Promise<number> {
      const server = createServer()
      const port = await listening(server)
      await new Promise(resolve => server.close(resolve))
      return port
    },

    /** Opens a proxy for CONNECT and plain requests. `answers` are statuses to return instead of
     *  opening the next tunnels. */
    async proxy({ user, answers = [] }: { user?: string | undefined; answers?: number[] }) {
      const seen: string[] = []
      const wanted = user && `Basic ${Buffer.from(user).toString('base64')}`
      const server = createServer(near => {
        near.on('error', () => {})
        let head = ''
        const read = (part: Buffer) => {
          head += part.toString('latin1')
          if (!head.includes('\r\n\r\n')) return
          near.off('data', read)
          const [, method = '', target = ''] = /^(\S+) (\S+)/.exec(head) ?? []
          seen.push(`${method} ${target}`)
          const given = /^proxy-authorization: (.*)\r$/im.exec(head)?.[1]
          const status = wanted !== undefined && given !== wanted ? 407 : answers.shift()
          if (status !== undefined) {
            return void near.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
          }
          relay(near, method, target, head, storage)
        }
        near.on('data', read)
      })
      servers.push(server)
      return { address: `127.0.0.1:${await listening(server)}`, seen }
    },

    close(): void {
      for (const server of servers) server.close()
    },
  }
}

export type Network = ReturnType<typeof openNetwork>
