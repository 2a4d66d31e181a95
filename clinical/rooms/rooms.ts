// The WebSocket for pages in video rooms. It carries what two browsers must know about each other
// until they're connected; audio and video don't pass through here.
import type { Server, ServerWebSocket } from 'bun'
import { problems } from '#contract/problems.ts'
import { roomCloses, roomSocketPath } from './room-protocol.ts'
import { type Departure, roomKey } from './seats.ts'
import type { Log } from '#http/log.ts'
import { problemResponse } from '#http/router.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { newRequestId } from '#http/http-request.ts'
import { listenForRooms } from './room-listener.ts'
import { arrive, ask, close, depart, hear, type RoomContext, type RoomSlot } from './room-socket.ts'
import { type RoomGuards, upgradeToRoom } from './room-upgrade.ts'
import { goodbye, isAt, opensWebSocket } from '#http/websocket.ts'

type RoomParts = RoomGuards & {
  context: RoomContext
  /** Connects with the live mode role, for a connection that listens. */
  url: string
  log: Log
}

/** Presence and status reach a page within this time, even if a notification is lost. */
const askSeconds = 2

/** What a page's close code means. Browsers send 1001 when a page goes away. */
const departures: Readonly<Record<number, Departure>> = { 1000: 'left', 1001: 'closed' }

/** The pages connected here, by room. */
function openSlots() {
  const rooms = new Map<string, Set<RoomSlot>>()
  return {
    add(slot: RoomSlot): void {
      const key = roomKey(slot.place)
      rooms.set(key, (rooms.get(key) ?? new Set()).add(slot))
    },
    remove(slot: RoomSlot): void {
      const key = roomKey(slot.place)
      const slots = rooms.get(key)
      slots?.delete(slot)
      if (slots?.size === 0) rooms.delete(key)
    },
    of: (key: string): RoomSlot[] => [...(rooms.get(key) ?? [])],
    all: (): RoomSlot[] => [...rooms.values()].flatMap(slots => [...slots]),
  }
}

export function openRooms(parts: RoomParts) {
  const { context, url, log } = parts
  const failed = (failure: unknown) => log.event('rooms.failed', describeFailure(failure))
  const slots = openSlots()
  // Each page's messages are collected separately, so a hosted service that's slow to open one room
  // delays no other room.
  const asking = new Set<Promise<void>>()
  const askAll = (asked: readonly RoomSlot[]) => {
    for (const slot of asked) {
      const one = ask(context, slot)
        .catch(failed)
        .finally(() => asking.delete(one))
      asking.add(one)
    }
  }
  const listener = listenForRooms(url, {
    onRoom: key => askAll(slots.of(key)),
    onListen: () => askAll(slots.all()),
  })
  const timer = setInterval(() => askAll(slots.all()), askSeconds * 1000)

  async function admit(socket: ServerWebSocket<RoomSlot>): Promise<void> {
    const slot = socket.data
    slot.send = message => void socket.send(JSON.stringify(message))
    slot.disconnect = why => goodbye(socket, why)
    slots.add(slot)
    // Doesn't wait for the listener, because the timer collects a page's messages even without
    // notifications.
    listener.start().catch(failed)
    await arrive(context, slot)
  }

  return {
    takes: (request: Request) => opensWebSocket(request) && isAt(roomSocketPath, request.url),
    answer: (request: Request, server: Server<RoomSlot>) => answer(parts, request, server),
    sockets: {
      open: (socket: ServerWebSocket<RoomSlot>) =>
        void admit(socket).catch(failure => {
          failed(failure)
          close(socket.data, roomCloses.unavailable)
        }),
      message: (socket: ServerWebSocket<RoomSlot>, text: string | Buffer) =>
        void hear(context, socket.data, String(text)).catch(failed),
      close({ data }: ServerWebSocket<RoomSlot>, code: number) {
        slots.remove(data)
        void depart(context, data, departures[code] ?? 'lost').catch(failed)
      },
    },
    pages: () => slots.all().length,
    async close() {
      clearInterval(timer)
      for (const slot of slots.all()) close(slot, roomCloses.restarting)
      await Promise.all(asking)
      await listener.close()
    },
  }
}

export type Rooms = ReturnType<typeof openRooms>

/** Returns undefined once the connection is a WebSocket. The log never contains the ticket. */
function answer(
  parts: RoomParts,
  request: Request,
  server: Server<RoomSlot>,
): Response | undefined {
  const [id, started] = [newRequestId(), performance.now()]
  const problem = upgradeToRoom(parts, request, server, id)
  parts.log.request({
    method: request.method,
    route: roomSocketPath,
    url: request.url,
    status: problem === null ? 101 : problems[problem.code].status,
    milliseconds: performance.now() - started,
    requestId: id,
  })
  if (problem === null) return undefined
  return problemResponse(
    problem,
    { id, closesConnection: false, method: request.method },
    parts.base,
  )
}
