// A listener for node:http applications such as the authorization server. Does what the router does
// for our own modules: checks host and origin, determines the client address and request ID, logs a
// line, and responds to every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '#contract/problems.ts'
import type { AddressOf } from '#http/client-address.ts'
import { internalError } from '#http/endpoint-group.ts'
import type { Log } from '#http/log.ts'
import { type AskedFrom, ownOriginHeaders } from '#http/origins/own-origin.ts'
import { writeProblem } from '#http/problem-formats.ts'
import { strictTransport } from '#http/origins/strict-transport.ts'
import { readTls, type TlsFiles } from '#http/origins/tls-files.ts'
import type { Guard } from './guard.ts'
import { idleSecondsMax } from './listen.ts'
import type { FailedRequest } from '#http/http-request.ts'

/** Data about one request, in addition to its request and response objects. */
type NodeCall = {
  readonly requestId: string
  /** The client's address. Null once the connection has closed. */
  readonly address: string | null
  /** Added to the log line. Never contains request content. */
  readonly logFields: Record<string, string>
}

/**
 * A function such as Koa's `server.callback()`, which handles a request whose host and origin were
 * checked. The Host and X-Forwarded headers match the public URL and the client, regardless of the
 * headers that the caller sent. Applications that trust a proxy, such as Koa, therefore derive
 * every address from the settings.
 */
export type RequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  call: NodeCall,
) => unknown

export type NodeApp = {
  readonly url: string
  readonly guard: Guard
  /** Paths that appear in the log. Any other path may contain anything, and is logged as `*`. */
  readonly paths: ReadonlySet<string>
  readonly answer: RequestListener | Problem
  readonly addressOf: AddressOf
  newRequestId(): string
  readonly log: Pick<Log, 'request'>
  onError(failure: unknown, request: FailedRequest): void
}

/** The time limit for receiving a whole request. */
const requestMilliseconds = 30_000

export type NodeListener = Awaited<ReturnType<typeof listenForNode>>

/**
 * Opens the port before the application exists, because the application may need the port number.
 * Requests wait until the application exists. `isSecure` means that browsers reach the port over
 * TLS, here or at a proxy.
 */
export async function listenForNode(
  hostname: string,
  port: number,
  tls?: TlsFiles,
  isSecure = tls !== undefined,
) {
  const app = Promise.withResolvers<NodeApp>()
  let isLeaving = false
  const running = new Set<ServerResponse>()
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    running.add(response)
    response.once('close', () => running.delete(response))
    if (isSecure) withHeaders(response, { [strictTransport.name]: strictTransport.value })
    if (isLeaving) response.setHeader('connection', 'close')
    answer(await app.promise, request, response)
  }
  const server = tls ? createTlsServer(readTls(tls), respond) : createServer(respond)
  server.requestTimeout = requestMilliseconds
  server.keepAliveTimeout = idleSecondsMax * 1000
  server.on('clientError', (_fault, socket: Duplex) => refuseRest(socket, running))
  const opened = Promise.withResolvers<void>()
  server.once('error', opened.reject)
  server.listen(port, hostname, opened.resolve)
  await opened.promise
  return {
    port: (server.address() as AddressInfo).port,
    serve: app.resolve as (served: NodeApp) => void,
    /** Keeps serving, but tells each client to open its next connection elsewhere. */
    leave: () => void (isLeaving = true),
    /** Stops accepting requests, and resolves once running ones have finished. */
    stop(now = false) {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      if (now) server.closeAllConnections()
      else server.closeIdleConnections()
      return closed.promise
    },
  }
}

/** Rejects bytes that aren't a request, once the preceding complete requests have responses. */
function refuseRest(socket: Duplex, running: ReadonlySet<ServerResponse>): void {
  const refuseNow = () => {
    if (socket.writable) socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    socket.destroy()
  }
  const isBefore = ({ req, writableEnded }: ServerResponse) =>
    req.socket === socket && req.complete && !writableEnded
  const before = [...running].findLast(isBefore)
  if (before === undefined) refuseNow()
  else before.once('finish', refuseNow)
}

function answer(app: NodeApp, request: IncomingMessage, response: ServerResponse): void {
  const began = performance.now()
  const forwardedFor = headerOf(request, 'x-forwarded-for')
  const call: NodeCall = {
    requestId: app.newRequestId(),
    address: app.addressOf(request.socket.remoteAddress, forwardedFor),
    logFields: {},
  }
  const { method = '', url = '' } = request
  const [path = ''] = url.split('?', 1)
  const route = app.paths.has(path) ? path : '*'
  response.once('close', () => {
    app.log.request({
      method,
      route,
      url,
      status: response.statusCode,
      milliseconds: performance.now() - began,
      requestId: call.requestId,
      fields: call.logFields,
      address: call.address,
    })
  })
  withHeaders(response, { ...ownOriginHeaders, 'request-id': call.requestId })
  const asked = { method, header: (name: string) => headerOf(request, name) }
  const refused = isRooted(request) ? app.guard(asked) : otherTarget(app.url)
  if (refused !== undefined) return refuse(asked, response, call, refused)
  if (typeof app.answer !== 'function') return refuse(asked, response, call, app.answer)
  setPublicAddress(request, app.url, call.address)
  Promise.try(app.answer, request, response, call).catch((failure: unknown) => {
    app.onError(failure, { id: call.requestId, route })
    if (response.headersSent) response.destroy()
    else refuse(asked, response, call, internalError(call.requestId))
  })
}

/** Koa reads the host from an absolute request target. Given two Host headers, this listener and a
 *  proxy may choose different ones. */
const isRooted = ({ url, rawHeaders }: IncomingMessage): boolean =>
  url?.startsWith('/') === true &&
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length === 1

const otherTarget = (url: string) =>
  new Problem('misdirected_request', {
    detail: 'The request must have a path and one host, in the Host header.',
    hint: `Use ${url}.`,
  })

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value.join(', ') : value) ?? null
}

/** Sets default response headers. These headers apply even if an application removes all headers
 *  before it responds to a failure, as Koa does. */
function withHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    for (const [name, value] of Object.entries(headers)) {
      if (!response.hasHeader(name)) response.setHeader(name, value)
    }
    return writeHead(...given)
  }) as typeof response.writeHead
}

function setPublicAddress({ headers }: IncomingMessage, url: string, address: string | null): void {
  const { host, protocol } = new URL(url)
  for (const name of Object.keys(headers)) {
    if (name === 'forwarded' || name.startsWith('x-forwarded-')) delete headers[name]
  }
  headers.host = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  if (address !== null) headers['x-forwarded-for'] = address
}

/** Responds with an HTML page if the client is a browser. */
function refuse(
  { method, header }: AskedFrom,
  response: ServerResponse,
  { requestId, logFields }: NodeCall,
  problem: Problem,
): void {
  const accept = header('accept')
  const call = { surface: 'v1', base: '', method, requestId, rpcId: null, accept } as const
  const { status, body, type, headers } = writeProblem(problem, 'page', call)
  logFields['code'] = problem.code
  // The request's body stays unread.
  const own = { ...headers, 'content-type': type, 'cache-control': 'no-store', connection: 'close' }
  for (const [name, value] of Object.entries(own)) response.setHeader(name, value)
  response.statusCode = status
  response.end(body)
}
