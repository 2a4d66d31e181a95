// One connection to a realtime token's channel, through the API or through Ably. Both kinds of
// token are JWTs in Ably's format; the key name distinguishes them.

import { realtimePath, realtimeProtocol } from '../generated/contract.ts'
import type { Event } from '../generated/schemas/events.ts'
import type { RealtimeToken } from '../generated/schemas/realtime.ts'

export type Listener = {
  /** The subscription started. `latest` is the newest event's ID: null if there are no events
   *  yet, undefined from Ably, which doesn't provide it. */
  opened(latest: string | null | undefined): void
  message(event: Event): void
  /** Called exactly once, even if the connection never opened. */
  closed(code: number, reason: string): void
}

export type Connection = { close(): void }

type Frame = { name?: string; data?: unknown }

/** Action numbers in Ably's protocol. */
const ably = { disconnected: 6, error: 9, attach: 10, attached: 11, detached: 13, message: 15 }

type AblyFrame = {
  action?: number
  messages?: readonly { data?: unknown }[]
  error?: { message?: string }
}

/** Ably key names look like `<app>.<key>`; the API's are `test` and `live`. */
export function isOfAbly(token: string): boolean {
  const [head = ''] = token.split('.')
  const json = atob(head.replaceAll('-', '+').replaceAll('_', '/'))
  return String((JSON.parse(json) as { kid?: unknown }).kid).includes('.')
}

const jsonIn = (data: unknown) => JSON.parse(String(data)) as unknown

export function connect(
  baseUrl: string,
  { token, channel }: RealtimeToken,
  Socket: typeof WebSocket,
  listener: Listener,
): Connection {
  return isOfAbly(token)
    ? connectToAbly(new Socket(ablyUrl(token)), channel, listener)
    : connectToApi(
        new Socket(baseUrl.replace(/^http/, 'ws') + realtimePath, [
          realtimeProtocol,
          `bearer.${token}`,
        ]),
        listener,
      )
}

function connectToApi(socket: WebSocket, listener: Listener): Connection {
  socket.addEventListener('message', ({ data }) => {
    const frame = jsonIn(data) as Frame
    if (frame.name === 'hello') {
      listener.opened((frame.data as { latest_event_id?: string | null }).latest_event_id ?? null)
    } else listener.message(frame.data as Event)
  })
  return closing(socket, listener)
}

const ablyUrl = (token: string) =>
  `wss://realtime.ably.io/?${new URLSearchParams({ accessToken: token, format: 'json', v: '2' })}`

function connectToAbly(socket: WebSocket, channel: string, listener: Listener): Connection {
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ action: ably.attach, channel }))
  })
  socket.addEventListener('message', ({ data }) => {
    const { action, messages = [], error } = jsonIn(data) as AblyFrame
    if (action === ably.attached) listener.opened(undefined)
    if (action === ably.message) {
      for (const { data: event } of messages) {
        listener.message((typeof event === 'string' ? jsonIn(event) : event) as Event)
      }
    }
    if (action === ably.error || action === ably.disconnected || action === ably.detached) {
      socket.close(4000, (error?.message ?? 'closed by Ably').slice(0, 100))
    }
  })
  return closing(socket, listener)
}

function closing(socket: WebSocket, listener: Listener): Connection {
  let isClosed = false
  const closed = (code: number, reason: string) => {
    if (isClosed) return
    isClosed = true
    listener.closed(code, reason)
  }
  socket.addEventListener('close', ({ code, reason }) => closed(code, reason))
  socket.addEventListener('error', () => closed(1006, 'the connection failed'))
  return {
    close() {
      socket.close(1000)
      // On a dead connection, the close event would arrive much later.
      closed(1000, '')
    },
  }
}
