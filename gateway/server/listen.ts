// Opens the port. Errors that Bun would answer by itself are handled by the app, which names the
// cause.
import type { Server } from 'bun'
import { readTls, type TlsFiles } from '#http/origins/tls-files.ts'
import type { createApp } from './app.ts'
import { type ConnectionSlot, socketSettings, type Subscribers } from '../websocket/subscribers.ts'

const idleSecondsMax = 30

type App = ReturnType<typeof createApp>
type Fetch = (request: Request, peers: Server<ConnectionSlot>) => Promise<Response | undefined>

/**
 * Opens the port before the app exists, because the app may need the port number. What is requested
 * until then waits for it.
 */
export function listen(hostname: string, port: number, tls?: TlsFiles) {
  const opening = Promise.withResolvers<void>()
  let route: Fetch = async (request, peers) => {
    await opening.promise
    return route(request, peers)
  }
  let subscribers: Subscribers | undefined
  const server = Bun.serve<ConnectionSlot>({
    port,
    hostname,
    ...(tls && { tls: readTls(tls) }),
    idleTimeout: idleSecondsMax,
    // Bun refuses a large body without an explanation; http/read-bytes.ts gives one, and
    // bounds the memory too.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request, peers) => route(request, peers),
    websocket: {
      ...socketSettings,
      open: socket => subscribers?.sockets.open(socket),
      message: socket => subscribers?.sockets.message(socket),
      close: socket => subscribers?.sockets.close(socket),
    },
  })
  return {
    port: server.port ?? port,
    serve(app: App, realtime?: Subscribers) {
      subscribers = realtime
      route = (request, peers) =>
        realtime?.takes(request) === true ? realtime.answer(request, peers) : app(request, peers)
      opening.resolve()
    },
    /** Serves on, and asks each client to open its next connection elsewhere. */
    leave() {
      const serving = route
      route = async (request, peers) => {
        const response = await serving(request, peers)
        response?.headers.set('connection', 'close')
        return response
      }
    },
    stop: (now = false) => server.stop(now),
  }
}
