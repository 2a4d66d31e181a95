import type { Server } from 'bun'
import type { Router } from '#http/router.ts'
import type { Slot, Sockets } from '../websocket/sockets.ts'

/** Serves a port with only WebSockets. */
export const socketsOnly =
  (sockets: Sockets): Router =>
  (request, server) =>
    sockets.takes(request)
      ? (sockets.answer(request, server as Server<Slot>) as Promise<Response>)
      : Promise.resolve(new Response('the app'))
