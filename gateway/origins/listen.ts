// Opens the port. The app handles errors that Bun would otherwise respond to itself, and includes
// the cause.
import type { ServerWebSocket } from 'bun'
import { strictTransport } from '#http/origins/strict-transport.ts'
import { readTls, type TlsFiles } from '#http/origins/tls-files.ts'
import type { Router } from '#http/router.ts'
import type { Slot, Sockets } from '../websocket/sockets.ts'
import { socketSettings } from '#clinical/realtime/subscribers.ts'

/** How long a connection stays open between requests. A proxy must close its own earlier (the
 *  cluster's does after 20 s), or it may send a request on a connection that's closing. */
export const idleSecondsMax = 30

/**
 * Opens the port before the app exists, because the app may need the port number. Requests wait
 * until then. `isSecure` means that browsers reach the port over TLS, here or at a proxy.
 */
export function listen(
  hostname: string,
  port: number,
  tls?: TlsFiles,
  isSecure = tls !== undefined,
) {
  const opening = Promise.withResolvers<Router>()
  let [serving, sockets]: [Router | undefined, Sockets | undefined] = [undefined, undefined]
  const websocket = {
    ...socketSettings,
    open: (socket: ServerWebSocket<Slot>) => sockets?.open(socket),
    message: (socket: ServerWebSocket<Slot>, text: string | Buffer) =>
      sockets?.message(socket, text),
    close: (socket: ServerWebSocket<Slot>, code: number) => sockets?.close(socket, code),
  }
  const server = Bun.serve<Slot>({
    port,
    hostname,
    ...(tls && { tls: readTls(tls) }),
    idleTimeout: idleSecondsMax,
    // Bun refuses a large body without an explanation. http/read-bytes.ts gives one, and also
    // limits memory use.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: async (request, peers) => {
      const router = await opening.promise
      return (isSecure ? strictly(router) : router)(request, peers)
    },
    websocket,
  })
  // Nothing runs between Bun and the router except for one TLS header.
  const reload = (router: Router) =>
    server.reload({ fetch: isSecure ? strictly(router) : router, websocket })
  return {
    port: server.port ?? port,
    serve(router: Router, opened?: Sockets) {
      ;[serving, sockets] = [router, opened]
      reload(router)
      opening.resolve(router)
    },
    /** Keeps serving, but tells each client to open its next connection elsewhere. */
    leave() {
      const router = serving
      if (router === undefined) return
      reload(async (request, peers) => {
        const response = await router(request, peers)
        response?.headers.set('connection', 'close')
        return response
      })
    },
    stop: (now = false) => server.stop(now),
  }
}

const strictly =
  (router: Router): Router =>
  async (request, peers) => {
    const response = await router(request, peers)
    response?.headers.set(strictTransport.name, strictTransport.value)
    return response
  }
