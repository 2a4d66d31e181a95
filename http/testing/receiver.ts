// A test receiver: an HTTPS server on this machine that stores its requests and responds as the
// test defines.

import { now } from '#database/clock.ts'
import { openAuthority, type Leaf } from './certificates.ts'

export type ReceivedRequest = {
  path: string
  headers: Record<string, string>
  body: string
  /** Aborted when the sender closes the connection. */
  aborted: AbortSignal
}

type Answer = (received: ReceivedRequest) => Response | Promise<Response>

export const authority = openAuthority(now())

export function openReceiver(answer: Answer, leaf: Leaf = authority.sign('a.receiver.example')) {
  const received: ReceivedRequest[] = []
  let waiting: { count: number; resolve: () => void }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: leaf.cert, key: leaf.key },
    idleTimeout: 30,
    async fetch(request) {
      const body = await request.text()
      const { pathname, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      const one = { path: pathname + search, headers, body, aborted: request.signal }
      received.push(one)
      waiting = waiting.filter(({ count, resolve }) => received.length < count || resolve())
      return answer(one)
    },
  })
  return {
    received,
    port: server.port ?? 0,
    url: (path = '/hooks', host = 'a.receiver.example') => `https://${host}:${server.port}${path}`,
    /** Resolves when this many requests have arrived. */
    async waitForRequests(count: number): Promise<void> {
      if (received.length >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, resolve })
      await promise
    },
    stop: () => server.stop(true),
  }
}

export type Receiver = ReturnType<typeof openReceiver>
