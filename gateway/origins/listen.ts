// Opens the port. Errors that Bun would answer by itself are handled by the app, which names the
// cause.
import type { Server } from 'bun'
import { readTls, type TlsFiles } from '#http/origins/tls-files.ts'
import type { Router } from '#http/router.ts'
import type { Slot, Sockets } from '../websocket/sockets.ts'
import { socketSettings } from '#clinical/realtime/subscribers.ts'

const idleSecondsMax = 30

type Fetch = (request: Request, peers: Server<Slot>) => Promise<Response | undefined>

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
  let sockets: Sockets | undefined
  const server = Bun.serve<Slot>({
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
      open: socket => sockets?.open(socket),
      message: (socket, text) => sockets?.message(socket, text),
      close: socket => sockets?.close(socket),
    },
  })
  return {
    port: server.port ?? port,
    serve(app: Router, opened?: Sockets) {
      sockets = opened
      route = (request, peers) =>
        opened?.takes(request) === true ? opened.answer(request, peers) : app(request, peers)
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
