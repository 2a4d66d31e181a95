// The WebSocket for realtime subscribers. It only sends: an accepted client receives one channel's
// events until its token expires. Anything the client sends ends the connection, so publishing
// can't be permitted by mistake.
import type { Server, ServerWebSocket } from 'bun'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { realtimeCloses, realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import type { AppContext } from '../pipeline/perform.ts'
import type { Embedded } from './embedded.ts'
import type { Broker } from './broker.ts'
import type { Subscriber } from './reader.ts'
import type { Bearer } from './token.ts'
import { upgradeRequired } from './upgrade-required.ts'
import type { AddressOf } from '#http/client-address.ts'
import { describeFailure } from '#database/describe-failure.ts'
import type { HostCheck } from '#http/host-check.ts'
import type { Log } from '#http/log.ts'
import { problemResponse } from '#http/router.ts'
import { newRequestId } from '#http/http-request.ts'
import { goodbye, isAt, offeredProtocols, opensWebSocket } from '#http/websocket.ts'

export type SubscriberParts = {
  broker: Broker
  tokens: Pick<Embedded, 'bearerOf'>
  limiter: AppContext['limiter']
  base: string
  isAllowedHost: HostCheck
  addressOf: AddressOf
  log: Log
  /** This gateway's maximum, over all integrations. */
  subscribersMax: number
}

/** One connection's state. */
export type ConnectionSlot = { bearer: Bearer; one: Subscriber | null }

export type Subscribers = {
  /** Whether a request opens a WebSocket here; the app handles all others. */
  takes(request: Request): boolean
  /** Returns undefined once the connection is a WebSocket. */
  answer(request: Request, server: Server<ConnectionSlot>): Promise<Response | undefined>
  readonly sockets: Readonly<
    Record<'open' | 'message' | 'close', (socket: ServerWebSocket<ConnectionSlot>) => void>
  >
  close(): Promise<void>
}

const tendSeconds = 1
/** By then, another gateway may accept the client, or this gateway may have room again. */
const fullSeconds = 5

export const socketSettings = {
  // A silent client gets a ping well before it's disconnected.
  idleTimeout: 60,
  sendPings: true,
  maxPayloadLength: 16_384,
  backpressureLimit: 4 * limits.realtimeBufferBytesMax,
  perMessageDeflate: false,
} as const

export function openSubscribers(parts: SubscriberParts): Subscribers {
  const { broker, log } = parts
  const failed = (failure: unknown) => log.event('realtime.failed', describeFailure(failure))
  let open = 0
  const isFull = () => open >= parts.subscribersMax
  let tending: Promise<void> | undefined
  const timer = setInterval(() => {
    tending ??= broker
      .maintain()
      .catch(failed)
      .finally(() => (tending = undefined))
  }, tendSeconds * 1000)

  return {
    takes: request => opensWebSocket(request) && isAt(realtimePath, request.url),
    async answer(request, server) {
      const started = performance.now()
      const requestId = newRequestId()
      const response = await upgraded(parts, isFull, request, server).catch((failure: unknown) => {
        if (!(failure instanceof Problem)) failed(failure)
        const problem = failure instanceof Problem ? failure : new Problem('internal_error')
        const { method } = request
        const about = { id: requestId, closesConnection: false, method }
        return problemResponse(problem, about, parts.base)
      })
      const status = response?.status ?? 101
      const milliseconds = performance.now() - started
      const { method, url } = request
      log.request({ method, route: realtimePath, url, status, milliseconds, requestId })
      return response
    },
    sockets: {
      open(socket) {
        open++
        void admittedSocket(broker, socket).catch(failure => {
          failed(failure)
          goodbye(socket, realtimeCloses.unavailable)
        })
      },
      message: socket => goodbye(socket, realtimeCloses.subscribeOnly),
      close({ data }) {
        open--
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

/** Returns the channel a request may subscribe to, according to a token the platform signed. */
async function admitted(
  { limiter, tokens }: SubscriberParts,
  request: Request,
  address: string | null,
): Promise<Bearer> {
  const bearer = await tokens.bearerOf(tokenOf(request) ?? '')
  if (bearer) return bearer
  const exceeded = await limiter.recordAuthFailure(address, 'realtimeToken')
  if (exceeded) throw exceeded
  throw new Problem('unauthorized', {
    detail: 'No valid realtime token for this server was sent.',
    hint:
      `Send Sec-WebSocket-Protocol: ${realtimeProtocol}, bearer.<token>, with a token from ` +
      'POST /v1/realtime/tokens.',
  })
}

async function upgraded(
  parts: SubscriberParts,
  isFull: () => boolean,
  request: Request,
  server: Server<ConnectionSlot>,
): Promise<Response | undefined> {
  if (!parts.isAllowedHost(request.headers.get('host'))) throw misdirected
  const peer = server.requestIP(request)?.address
  const address = parts.addressOf(peer, request.headers.get('x-forwarded-for'))
  const data: ConnectionSlot = { bearer: await admitted(parts, request, address), one: null }
  if (isFull()) throw full()
  // Only an offered protocol may be selected.
  const headers = new Headers()
  if (offeredProtocols(request).includes(realtimeProtocol)) {
    headers.set('sec-websocket-protocol', realtimeProtocol)
  }
  if (!server.upgrade(request, { data, headers })) throw upgradeRequired()
  return undefined
}

async function admittedSocket(
  broker: Broker,
  socket: ServerWebSocket<ConnectionSlot>,
): Promise<void> {
  const { data } = socket
  const one: Subscriber = {
    send: frame =>
      socket.getBufferedAmount() <= limits.realtimeBufferBytesMax && socket.send(frame) !== 0,
    close: why => goodbye(socket, why),
  }
  data.one = one
  const refusal = await broker.join(one, data.bearer)
  if (refusal) goodbye(socket, refusal)
  // The client may have disconnected while its token was verified.
  if (data.one === null) broker.leave(one, data.bearer)
}

/** A browser can send a token only as a protocol; programs may send it as a header. */
function tokenOf(request: Request): string | null {
  const offered = offeredProtocols(request).find(one => one.startsWith('bearer.'))
  if (offered !== undefined) return offered.slice('bearer.'.length)
  const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return bearer ?? new URL(request.url).searchParams.get('token')
}

const full = () =>
  new Problem('service_unavailable', {
    detail: 'This server has reached its limit of realtime connections.',
    hint: 'Connect again after Retry-After seconds; until then read GET /v1/events.',
    headers: { 'retry-after': String(fullSeconds) },
  })

const misdirected = new Problem('misdirected_request', {
  detail: 'This server does not serve the host in the Host header.',
})
