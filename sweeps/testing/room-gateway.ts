// A gateway with only video rooms, and the pages that connect to it.
import { embeddedVideo, type VideoProvider } from '#clinical/rooms/provider.ts'
import { roomProtocol, roomSocketPath } from '#clinical/rooms/room-protocol.ts'
import { openRooms } from '#clinical/rooms/rooms.ts'
import { visitCookie, type Visitor } from '#clinical/rooms/visit-cookie.ts'
import { type Fixtures, fixturesBase as base } from '#clinical/testing/fixtures.ts'
import { listen } from '#gateway/origins/listen.ts'
import { socketsOnly } from '#gateway/testing/sockets.ts'
import { socketsOf } from '#gateway/websocket/sockets.ts'
import { createHostCheck } from '#http/host-check.ts'
import { until } from '#http/testing/until.ts'

type GatewayOptions = {
  video?: VideoProvider
  /** The database where the gateway listens for notifications. Default: the fixtures' database. */
  url?: string
}

/** `events` and `lines` contain the gateway's log. */
export function openRoomGateway(fixtures: Fixtures, { video, url }: GatewayOptions = {}) {
  const { pools, files, now } = fixtures.context
  const turn = { urls: ['turn:turn.example.com'], secret: 'a secret' }
  const server = listen('127.0.0.1', 0)
  const events: object[] = []
  const lines: object[] = []
  const rooms = openRooms({
    context: { pools, files, now, video: video ?? embeddedVideo(turn) },
    url: url ?? fixtures.database.urls.live,
    base,
    isAllowedHost: createHostCheck(base, []),
    addressOf: () => '203.0.113.9',
    log: {
      request: line => void lines.push(line),
      event: (name, fields) => void events.push({ name, ...fields }),
      flush() {},
    },
  })
  const sockets = socketsOf({ rooms })
  server.serve(socketsOnly(sockets), sockets)
  return {
    url: `ws://127.0.0.1:${server.port}${roomSocketPath}`,
    events,
    lines,
    close: async () => (await rooms.close(), void server.stop(true)),
  }
}

export type RoomGateway = ReturnType<typeof openRoomGateway>

export const roomCookieOf = (one: Visitor) =>
  visitCookie(base).headers(one)['set-cookie'].split(';')[0] ?? ''

type Message = { type: string } & Record<string, unknown>

/** Connects a page and records the messages that it receives. */
export function enterRoom(
  gateway: RoomGateway,
  ticket: string,
  visitor: Visitor,
  headers: Record<string, string> = {},
) {
  const heard: Message[] = []
  const socket = new WebSocket(gateway.url, {
    protocols: [roomProtocol, ticket],
    headers: { host: new URL(base).host, cookie: roomCookieOf(visitor), ...headers },
  } as never)
  let isOpened = false
  socket.addEventListener('open', () => (isOpened = true))
  const closed = new Promise<number>(resolve => {
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))))
  const find = (type: string) => heard.findLast(one => one.type === type)
  return {
    socket,
    closed,
    heard,
    isOpened: () => isOpened,
    find,
    has: (type: string) => until(() => find(type) !== undefined),
    say: (value: unknown) => socket.send(typeof value === 'string' ? value : JSON.stringify(value)),
  }
}
