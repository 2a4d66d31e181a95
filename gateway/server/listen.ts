// Opens the port. Errors that Bun would answer by itself are handled by the app, which names the
// cause.
import type { createApp } from './app.ts'
import { type ConnectionSlot, socketSettings, type Subscribers } from '../websocket/subscribers.ts'

const idleSecondsMax = 30

/** Opens the port before the app exists, because the app may need the port number. */
export function listen(hostname: string, port: number) {
  let app: ReturnType<typeof createApp> | undefined
  let subscribers: Subscribers | undefined
  const server = Bun.serve<ConnectionSlot>({
    port,
    hostname,
    idleTimeout: idleSecondsMax,
    // Bun refuses a large body without an explanation; http/read-bytes.ts gives one, and
    // bounds the memory too.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request, peers) =>
      subscribers?.takes(request) === true
        ? subscribers.answer(request, peers)
        : (app?.(request, peers) ?? new Response(null, { status: 503 })),
    websocket: {
      ...socketSettings,
      open: socket => subscribers?.sockets.open(socket),
      message: socket => subscribers?.sockets.message(socket),
      close: socket => subscribers?.sockets.close(socket),
    },
  })
  return {
    port: server.port ?? port,
    serve(opened: ReturnType<typeof createApp>, realtime?: Subscribers) {
      app = opened
      subscribers = realtime
    },
    stop: (now = false) => server.stop(now),
  }
}
