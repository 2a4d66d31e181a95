// The door of realtime subscribers: a WebSocket that only ever speaks. A client that is let in
// hears the events of one channel until its token is over; whatever it says itself ends the
// connection, so publishing cannot be granted by mistake.
import type { Server, ServerWebSocket } from 'bun'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import {
  type RealtimeClose,
  realtimeCloses,
  realtimePath,
  realtimeProtocol,
} from '#contract/realtime.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import type { Embedded } from '#clinical/realtime/embedded.ts'
import type { Broker } from '#clinical/realtime/broker.ts'
import type { Subscriber } from '#clinical/realtime/reader.ts'
import type { Bearer } from '#clinical/realtime/token.ts'
import type { AddressOf } from '#http/client-address.ts'
import { describeFailure } from '#http/describe-failure.ts'
import type { IsOurs } from '#http/host-check.ts'
import type { Log } from '#http/log.ts'
import { problemType, problemWriter } from '#http/problem-writer.ts'
import { newRequestId } from '#http/request-ids.ts'

export type SubscriberParts = {
  broker: Broker
  tokens: Pick<Embedded, 'bearerOf'>
  limiter: AppContext['limiter']
  base: string
  isOurs: IsOurs
  addressOf: AddressOf
  log: Log
}

/** What is kept of a connection. */
export type ConnectionSlot = { bearer: Bearer; one: Subscriber | null }

export type Subscribers = {
  /** Whether a request is for this door; the app answers all others. */
  takes(request: Request): boolean
  /** Nothing when the connection has become a WebSocket. */
  answer(request: Request, server: Server<ConnectionSlot>): Promise<Response | undefined>
  readonly sockets: Readonly<
    Record<'open' | 'message' | 'close', (socket: ServerWebSocket<ConnectionSlot>) => void>
  >
  close(): Promise<void>
}

const tendSeconds = 1
/** How long a connection that was told to end may take to do so. */
const goodbyeSeconds = 5

export const socketSettings = {
  // A client that says nothing but pong is asked for one well before it is given up.
  idleTimeout: 60,
  sendPings: true,
  maxPayloadLength: 16_384,
  backpressureLimit: 4 * limits.realtimeBufferBytesMax,
  perMessageDeflate: false,
} as const

export function openSubscribers(parts: SubscriberParts): Subscribers {
  const { broker, log } = parts
  const failed = (failure: unknown) => log.event('realtime.failed', describeFailure(failure))
  const render = problemWriter(parts.base)
  let tending: Promise<void> | undefined
  const timer = setInterval(() => {
    tending ??= broker
      .maintain()
      .catch(failed)
      .finally(() => (tending = undefined))
  }, tendSeconds * 1000)

  return {
    takes: ({ method, url }) => method === 'GET' && isAt(realtimePath, url),
    async answer(request, server) {
      const started = performance.now()
      const requestId = newRequestId()
      const response = await upgraded(parts, request, server, requestId).catch(
        (failure: unknown) => {
          if (!(failure instanceof Problem)) failed(failure)
          const problem = failure instanceof Problem ? failure : new Problem('internal_error')
          const { status, body, headers } = render(problem, requestId)
          return new Response(body, { status, headers: { ...headers, ...common(requestId) } })
        },
      )
      const status = response?.status ?? 101
      const milliseconds = performance.now() - started
      log.request({ method: 'GET', url: request.url, status, milliseconds, requestId })
      return response
    },
    sockets: {
      open: socket =>
        void admittedSocket(broker, socket).catch(failure => {
          failed(failure)
          end(socket, realtimeCloses.unavailable)
        }),
      message: socket => end(socket, realtimeCloses.subscribeOnly),
      close({ data }) {
        if (data.one) broker.leave(data.one, data.bearer)
        data.one = null
      },
    },
    async close() {
      clearInterval(timer)
      await tending
      await broker.close()
    },
  }
}

/** Whether an address, whose path is in its normal form already, has exactly this path. */
function isAt(path: string, url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0 || !url.startsWith(path, start)) return false
  const end = url.charAt(start + path.length)
  return end === '' || end === '?' || end === '#'
}

/** Who may subscribe, by a token that this house signed. */
async function admitted(
  { limiter, tokens }: SubscriberParts,
  request: Request,
  address: string,
): Promise<Bearer> {
  await limiter.admit(address)
  const bearer = await tokens.bearerOf(tokenOf(request) ?? '')
  if (bearer) return bearer
  await limiter.recordAuthFailure(address)
  throw new Problem('unauthorized', {
    detail: 'No valid realtime token of this server was sent.',
    hint:
      `Send Sec-WebSocket-Protocol: ${realtimeProtocol}, bearer.<token>, with a token from ` +
      'POST /v1/realtime/tokens.',
  })
}

async function upgraded(
  parts: SubscriberParts,
  request: Request,
  server: Server<ConnectionSlot>,
  requestId: string,
): Promise<Response | undefined> {
  if (!parts.isOurs(request.headers.get('host'))) return plain(421, requestId)
  if (!/^websocket$/i.test(request.headers.get('upgrade') ?? '')) return plain(426, requestId)
  const peer = server.requestIP(request)?.address
  const address = parts.addressOf(peer, request.headers.get('x-forwarded-for')) ?? 'unknown'
  const data: ConnectionSlot = { bearer: await admitted(parts, request, address), one: null }
  // Only what was offered may be chosen.
  const headers = new Headers()
  if (offers(request).includes(realtimeProtocol)) {
    headers.set('sec-websocket-protocol', realtimeProtocol)
  }
  return server.upgrade(request, { data, headers }) ? undefined : plain(426, requestId)
}

async function admittedSocket(
  broker: Broker,
  socket: ServerWebSocket<ConnectionSlot>,
): Promise<void> {
  const { data } = socket
  const one: Subscriber = {
    send: frame =>
      socket.getBufferedAmount() <= limits.realtimeBufferBytesMax && socket.send(frame) !== 0,
    close: why => end(socket, why),
  }
  data.one = one
  const refusal = await broker.join(one, data.bearer)
  if (refusal) end(socket, refusal)
  // It may have left while it was let in.
  if (data.one === null) broker.leave(one, data.bearer)
}

function end(socket: ServerWebSocket<ConnectionSlot>, { code, reason }: RealtimeClose): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), goodbyeSeconds * 1000).unref()
}

const offers = (request: Request): string[] =>
  (request.headers.get('sec-websocket-protocol') ?? '').split(',').map(one => one.trim())

/** A browser can send a token in the protocol alone; programs may send it like any other. */
function tokenOf(request: Request): string | null {
  const offered = offers(request).find(one => one.startsWith('bearer.'))
  if (offered !== undefined) return offered.slice('bearer.'.length)
  const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return bearer ?? new URL(request.url).searchParams.get('token')
}

const common = (requestId: string) => ({ 'request-id': requestId, 'cache-control': 'no-store' })

/** No codes of the clinical API: such a request never reached it. */
const plainly = {
  421: ['Misdirected Request', 'This server does not answer for the host that the request names.'],
  426: ['Upgrade Required', 'This address is a WebSocket of realtime messages.'],
} as const

function plain(status: keyof typeof plainly, requestId: string): Response {
  const [title, detail] = plainly[status]
  const body = { type: 'about:blank', title, status, detail, request_id: requestId }
  const upgrade = status === 426 ? { upgrade: 'websocket' } : undefined
  const headers = { 'content-type': problemType, ...common(requestId), ...upgrade }
  return new Response(JSON.stringify(body), { status, headers })
}
