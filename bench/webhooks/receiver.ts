// A receiver in a separate process: an HTTPS server that responds immediately and records when each
// event first arrived, and an HTTP server from which the benchmark reads the result.
import { epoch } from '../harness/clock.ts'

export type ReceiverSettings = { port: number; cert: string; key: string }

/** `events`: when each event first arrived, in milliseconds since 1970. */
export type Arrivals = { tlsPort: number; posts: number; events: Record<string, number> }

function open({ port, cert, key }: ReceiverSettings): void {
  let posts = 0
  let events: Record<string, number> = {}
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert, key },
    async fetch(request) {
      const id = request.headers.get('service-event-id') ?? ''
      events[id] ??= epoch()
      posts++
      await request.arrayBuffer()
      return new Response('ok')
    },
  })
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    fetch(request) {
      const arrivals: Arrivals = { tlsPort: server.port ?? 0, posts, events }
      if (new URL(request.url).pathname !== '/take')
        return Response.json({ ...arrivals, events: {} })
      posts = 0
      events = {}
      return Response.json(arrivals)
    },
  })
}

if (import.meta.main) open(await Bun.stdin.json())
