// The gateway's WebSockets, for realtime subscribers and for video rooms.
import type { Server, ServerWebSocket } from 'bun'
import type { RoomSlot } from '#clinical/rooms/room-socket.ts'
import type { Rooms } from '#clinical/rooms/rooms.ts'
import type { ConnectionSlot, Subscribers } from '#clinical/realtime/subscribers.ts'

/** The state of one connection. */
export type Slot = ConnectionSlot | RoomSlot

export type Sockets = {
  /** Whether a request opens a WebSocket here. The app handles all other requests. */
  takes(request: Request): boolean
  /** Undefined once the connection has become a WebSocket. */
  answer(request: Request, server: Server<Slot>): Promise<Response | undefined>
  open(socket: ServerWebSocket<Slot>): void
  message(socket: ServerWebSocket<Slot>, text: string | Buffer): void
  close(socket: ServerWebSocket<Slot>, code: number): void
}

type SocketServices = { readonly realtime?: Subscribers | undefined; readonly rooms?: Rooms }

/** `realtime` is absent if clients connect to another provider. */
export function socketsOf({ realtime, rooms }: SocketServices): Sockets {
  // The endpoint that opened a connection also handles it, with that endpoint's state.
  const of = ({
    data,
  }: ServerWebSocket<Slot>): Rooms['sockets'] | Subscribers['sockets'] | undefined =>
    'room' in data ? rooms?.sockets : realtime?.sockets
  return {
    takes: request => rooms?.takes(request) === true || realtime?.takes(request) === true,
    answer: async (request, server) =>
      rooms?.takes(request) === true
        ? rooms.answer(request, server as Server<RoomSlot>)
        : realtime?.answer(request, server as Server<ConnectionSlot>),
    open: socket => of(socket)?.open(socket as never),
    message: (socket, text) => of(socket)?.message(socket as never, text),
    close: (socket, code) => of(socket)?.close(socket as never, code),
  }
}
