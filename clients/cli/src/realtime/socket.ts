// One connection to the realtime channel, from its token to its close.

import type { Agent } from 'node:https'
import type { WebSocket } from 'ws'
import { realtimePath, realtimeProtocol } from '../../../typescript/src/generated/contract.ts'
import { proxyFor } from '../../../typescript/src/network/network.ts'
import { agentFor } from '../../../typescript/src/network/node-proxy.ts'
import type { Api } from '../api/client.ts'
import { CommandError } from '../errors.ts'

export type Hello = {
  readonly channel: string
  readonly expires_at: string
  readonly latest_event_id: string | null
}

export type StreamedEvent = {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly status?: string
  readonly resource: { readonly type: string; readonly id: string }
}

/** An event, and its text as published. */
export type Published = { readonly event: StreamedEvent; readonly text: string }

export type Socket = {
  readonly hello: Hello
  /** Resolves with the close code when the connection ends for any reason. */
  readonly closed: Promise<Closed>
  /** Whether the server responds within `ms` milliseconds. */
  answers(ms: number): Promise<boolean>
  close(): void
}

/** An error before the channel opens. */
export class NoChannel extends Error {}

const helloPatienceMs = 15_000

/** Extracts the data from a frame, `{"name":…,"id":…,"data":{…}}`, exactly as published. */
function publishedIn(frame: string, data: unknown): Published {
  const before = '"data":'
  const text = frame.slice(frame.indexOf(before) + before.length, -1)
  return { event: data as StreamedEvent, text }
}

const revoked = 4002
export const isRevoked = (code: number) => code === revoked

type Closed = { readonly code: number; readonly reason: string }

const refusalOf = ({ code, reason }: Closed) =>
  isRevoked(code)
    ? new CommandError('notLoggedIn', 'the credential was revoked', 'Run `svc login` again.')
    : new NoChannel(reason || `closed with ${code}`)

/** Resolves with the first frame; later frames are events. */
function greeting(
  socket: WebSocket,
  closed: Promise<Closed>,
  onEvent: (published: Published) => void,
): Promise<Hello> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.terminate()
      reject(new NoChannel('no hello from the server'))
    }, helloPatienceMs)
    socket.on('unexpected-response', (_, response) => {
      socket.terminate()
      reject(new NoChannel(`the server responded with ${response.statusCode}`))
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      reject(new NoChannel(error.code ?? error.message)),
    )
    socket.on('message', data => {
      const frame = String(data)
      const { name, data: found } = JSON.parse(frame) as { name: string; data: unknown }
      clearTimeout(timer)
      if (name === 'hello') resolve(found as Hello)
      else onEvent(publishedIn(frame, found))
    })
    void closed.then(found => {
      clearTimeout(timer)
      reject(refusalOf(found))
    })
  })
}

/** Whether the server responds within `ms` milliseconds. If it doesn't, closes the connection. */
const answersOf = (socket: WebSocket) => (ms: number) =>
  new Promise<boolean>(resolve => {
    const timer = setTimeout(() => {
      socket.terminate()
      resolve(false)
    }, ms)
    socket.once('pong', () => {
      clearTimeout(timer)
      resolve(true)
    })
    socket.ping()
  })

/** Resolves once the server has sent hello, after which every event arrives. */
export async function openSocket(
  api: Api,
  onEvent: (published: Published) => void,
): Promise<Socket> {
  const { body } = await api.call({ method: 'POST', path: '/v1/realtime/tokens', body: {} })
  const { token } = body as { token: string }
  const { WebSocket } = await import('ws')
  const proxy = api.baseUrl.startsWith('https:') && proxyFor(api.baseUrl, undefined)
  const url = `${api.baseUrl.replace(/^http/, 'ws')}${realtimePath}`
  const socket = new WebSocket(url, [realtimeProtocol, `bearer.${token}`], {
    handshakeTimeout: helloPatienceMs,
    perMessageDeflate: false,
    ...(proxy ? { agent: (await agentFor(proxy)) as Agent } : {}),
  })
  const closed = new Promise<Closed>(resolve => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  const hello = await greeting(socket, closed, onEvent)
  return { hello, closed, close: () => socket.close(1000), answers: answersOf(socket) }
}
