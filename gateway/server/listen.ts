// The port. Everything that Bun would answer by itself is left to us, so that it says what is
// wrong.
import type { createApp } from './app.ts'
import { type ConnectionSlot, socketSettings, type Subscribers } from '../websocket/subscribers.ts'

const idleSecondsMax = 30

/** Opens the port at once; the app may depend on which one it became. */
export function listen(hostname: string, port: number) {
  let app: ReturnType<typeof createApp> | undefined
  let subscribers: Subscribers | undefined
  const server = Bun.serve<ConnectionSlot>({
    port,
    hostname,
    idleTimeout: idleSecondsMax,
    // Bun's own refusal of a large body is empty; ours (http/read-bytes.ts) says what is
    // wrong, and keeps no more than it must either.
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
