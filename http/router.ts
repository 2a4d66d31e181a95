// Routes every path of every API; all other paths go to the site. For every request, the router
// checks the host, assigns an ID, writes one log line and turns anything thrown into a problem.
//
// Elysia matches the path of every endpoint, and its `onError` handles handlers' errors. No other
// feature is used: its schemas validate a body before the credential is checked, its HEAD reads a
// whole file to count its bytes, it answers an unknown method with 404, and its `onAfterResponse`
// has no request. So each path is mounted for all methods, Elysia parses no body (`parse: 'none'`),
// and endpoint-group.ts does the rest. Only prebuilt files, whose bytes are in memory, bypass all
// of this: they get no request object, ID or promise.
import { Elysia } from 'elysia'
import { apiVersion } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { AddressOf } from './client-address.ts'
import { redirectWithoutSlash } from './endpoint.ts'
import { type EndpointGroup, internalError } from './endpoint-group.ts'
import type { HostCheck } from './host-check.ts'
import { type RequestLog, logRequest } from './log-request.ts'
import { type ErrorFormat, writeProblem } from './problem-formats.ts'
import { splitUrl } from './split-url.ts'
import { type FailedRequest, type Params, type Peers, HttpRequest } from './http-request.ts'

export type RouterOptions = {
  readonly groups: readonly EndpointGroup[]
  readonly plain?: readonly PlainEndpoint[]
  /** Answers every path that no endpoint serves. */
  fallback(request: HttpRequest): Promise<Response> | Response
  /** Answers a path that has a prebuilt file but no endpoint. */
  prebuilt?(raw: Request, path: string): Response | undefined
  /** Probes: endpoints for any host, without limits or log lines. */
  readonly probes?: Readonly<Record<string, () => Response>>
  readonly sockets?: Upgrades | undefined
  /** Changes every other response, one after another. */
  readonly finish?: readonly Finish[]
  readonly isAllowedHost: HostCheck
  /** Returns a problem for requests that must not reach an endpoint. */
  refuse?(raw: Request): Problem | undefined
  readonly addressOf: AddressOf
  /** Whether the listener itself terminates TLS. */
  readonly isTls?: boolean
  newRequestId(): string
  /** The public origin. */
  readonly base: string
  readonly log: RequestLog
  onError(failure: unknown, request: FailedRequest): void
}

/** An endpoint without group headers. Such an endpoint answers `methods`, or every method. */
export type PlainEndpoint = {
  readonly path: string
  readonly methods?: readonly string[]
  answer(request: HttpRequest): Promise<Response> | Response
}

export type Router = (raw: Request, peers: Peers) => Promise<Response> | Response

type Upgrades = {
  /** Whether a request opens a WebSocket. */
  takes(raw: Request): boolean
  /** `server` is Bun's. Undefined once the connection has become a WebSocket. */
  answer(raw: Request, server: never): Promise<Response | undefined>
}

export type Finish = (
  response: Response,
  raw: Request,
  peers: Peers,
) => Response | Promise<Response>

/** Elysia's context. Handlers destructure the context in their parameters, because Elysia reads
 *  their source and otherwise parses query, headers and cookies for them. */
type Matched = { request: Request; params: Params }
type Answering = (request: HttpRequest) => Promise<Response> | Response

export function createRouter(options: RouterOptions): Router {
  const failed = (failure: unknown, request: HttpRequest): Response => {
    options.onError(failure, request)
    return problemResponse(internalError(request.id), request, options.base)
  }
  const { app, requests, paths } = mountAll(options, failed)
  const { finish = [], probes, sockets, addressOf, log } = options
  const formats = new Map(
    options.groups.flatMap(({ paths }) => paths.map(at => [at.path, at.errorFormat] as const)),
  )

  /** One of the site's files, from memory. An endpoint at the same path takes precedence. */
  const fileAt = (raw: Request, path: string): Response | undefined => {
    try {
      const file = paths.has(path) ? undefined : options.prebuilt?.(raw, path)
      if (file && refusalOf(options, raw) === undefined) return file
    } catch {} // A failure here repeats in `answer`, where it's reported.
    return undefined
  }
  const answer = async (request: HttpRequest): Promise<Response> => {
    const { raw } = request
    try {
      const refused = refusalOf(options, raw)
      if (refused !== undefined)
        return closing(refused, request, options.base, formats.get(request.path))
      requests.set(raw, request)
      return await app.fetch(raw)
    } catch (failure) {
      // The router itself or the fallback failed.
      return failed(failure, request)
    }
  }

  return (raw, peers) => {
    const started = performance.now()
    const { path, query } = splitUrl(raw.url)
    const probe = probes && probeOf(probes, raw.method, path + query)
    if (probe !== undefined) return probe
    // For a WebSocket, Bun expects no response.
    if (sockets?.takes(raw)) return sockets.answer(raw, peers as never) as Promise<Response>
    const file = fileAt(raw, path)
    if (file !== undefined) {
      const reads = log.readsAddress === true
      const address = reads ? new HttpRequest(raw, '', peers, addressOf).address : null
      logRequest(log, raw, file.status, started, { route: path, id: null, address })
      return finish.length === 0 ? file : finished(finish, file, raw, peers)
    }
    const request = new HttpRequest(raw, options.newRequestId(), peers, addressOf)
    return answer(request).then(response => {
      logRequest(log, raw, response.status, started, request)
      return finished(finish, response, raw, peers)
    })
  }
}

async function finished(
  changes: readonly Finish[],
  response: Response,
  raw: Request,
  peers: Peers,
) {
  let changed = response
  for (const change of changes) changed = await change(changed, raw, peers)
  return changed
}

function probeOf(probes: NonNullable<RouterOptions['probes']>, method: string, path: string) {
  if (!Object.hasOwn(probes, path) || !['GET', 'HEAD'].includes(method)) return undefined
  return probes[path]?.()
}

type Failed = (failure: unknown, request: HttpRequest) => Response

type Routes = Pick<RouterOptions, 'groups' | 'plain' | 'fallback' | 'isTls'>

/** Answers requests that another listener checks and logs. */
export function createDispatch(routes: Routes, failed: Failed) {
  const { app, requests } = mountAll(routes, failed)
  return (request: HttpRequest): Promise<Response> | Response => {
    requests.set(request.raw, request)
    return app.fetch(request.raw)
  }
}

/** Mounts every endpoint at its path, and the fallback at every other path. */
function mountAll(options: Routes, failed: Failed) {
  const { fallback } = options
  const requests = new WeakMap<Request, HttpRequest>()
  const requestOf = (raw: Request): HttpRequest => {
    const request = requests.get(raw)
    if (request === undefined) throw new Error("this request didn't come through the router")
    return request
  }
  // `standardHostname` sets where Elysia looks for the path: with `false`, right after `http://`,
  // which works for short hosts; with `true`, from the host's third letter after `https://`.
  const settings = { strictPath: true, handler: { standardHostname: options.isTls === true } }
  const app = new Elysia(settings).onError({ as: 'global' }, ({ error, request: raw }) =>
    failed(error, requestOf(raw)),
  )
  const paths = new Set<string>()
  const mount: Mount = (path, answerAt) => {
    paths.add(path)
    const hasNames = path.includes(':')
    const route = path.replaceAll(/:(\w+)/g, '{$1}')
    const match: Match = (raw, params) => {
      const request = requestOf(raw)
      request.route = route
      if (!hasNames) return { request, isOdd: false }
      request.match(params)
      return { request, isOdd: /%|\/\//.test(request.path) }
    }
    const handler = answerAt(match) as (matched: object) => unknown
    app.all(path, handler, { parse: 'none' })
    // Without this route, Elysia itself would answer HEAD for paths without names, by reading the
    // whole response.
    app.head(path, handler, { parse: 'none' })
  }
  for (const group of options.groups) mountGroup(group, mount, fallback)
  for (const endpoint of options.plain ?? []) mountPlain(endpoint, mount, fallback)
  app.all('/*', ({ request: raw }) => fallback(requestOf(raw)), { parse: 'none' })
  return { app, requests, paths }
}

/** A request's match with a path. `isOdd`: the path has an empty ID or an encoded character, which
 *  no ID contains, so it matches no endpoint. */
type Match = (
  raw: Request,
  params: Params,
) => { readonly request: HttpRequest; readonly isOdd: boolean }
type Mount = (
  path: string,
  answerAt: (match: Match) => (matched: Matched) => Promise<Response> | Response,
) => void

function mountPlain(
  { path, methods, answer }: PlainEndpoint,
  mount: Mount,
  fallback: Answering,
): void {
  mount(path, match => ({ request: raw, params }) => {
    const { request } = match(raw, params)
    return methods?.includes(request.method) === false ? fallback(request) : answer(request)
  })
  mount(`${path}/`, match => ({ request: raw, params }) => {
    const { request, isOdd } = match(raw, params)
    return isOdd ? fallback(request) : redirectWithoutSlash(request)
  })
}

function mountGroup(group: EndpointGroup, mount: Mount, fallback: Answering): void {
  const { unmatched } = group.settings
  const elsewhere = unmatched === undefined ? fallback : group.unmatched
  for (const at of group.paths) {
    mount(at.path, match => ({ request: raw, params }) => {
      const { request, isOdd } = match(raw, params)
      return isOdd ? elsewhere(request) : group.answer(at, request)
    })
  }
  if (unmatched === undefined) return
  for (const path of [unmatched.below, `${unmatched.below}/*`]) {
    mount(
      path,
      match =>
        ({ request: raw, params }) =>
          elsewhere(match(raw, params).request),
    )
  }
}

/** False for CONNECT, whose target has no path, and for a target with the other scheme, for which
 *  Elysia would look for the path at the wrong index. */
const isRooted = (url: string, { isTls = false }: RouterOptions) =>
  url.startsWith(isTls ? 'https://' : 'http://')

function refusalOf(options: RouterOptions, raw: Request): Problem | undefined {
  const refused = options.refuse?.(raw)
  if (refused !== undefined) return refused
  const { headers } = raw
  const isServed = options.isAllowedHost(headers.get('host')) && isRooted(raw.url, options)
  if (!isServed) return misdirected(options.base)
  return headers.has('trailer') && headers.has('transfer-encoding') ? withTrailer() : undefined
}

/** Bun reads a trailer as a second request and closes the connection (oven-sh/bun#32887). */
const withTrailer = () =>
  new Problem('invalid_request', {
    detail: "The body must not have trailers, which this server doesn't read.",
    hint: 'Send the request again without Trailer, and with no fields after the last chunk.',
  })

/** Closes the connection, because the refused request's body stays unread. */
function closing(
  refused: Problem,
  request: HttpRequest,
  base: string,
  format?: ErrorFormat,
): Response {
  request.closesConnection = true
  return problemResponse(refused, request, base, format)
}

/** 421 (RFC 9110, section 15.5.20): the host isn't one of this server's. */
const misdirected = (base: string) =>
  new Problem('misdirected_request', {
    detail: 'This server does not serve the host in the Host header.',
    hint: `Use ${base}. The operator can add a host with ALLOWED_HOSTS.`,
  })

/** The response to a request that failed outside a group. */
export function problemResponse(
  problem: Problem,
  { id, closesConnection, method }: Pick<HttpRequest, 'id' | 'closesConnection' | 'method'>,
  base: string,
  format: ErrorFormat = 'problem',
): Response {
  const call = { surface: 'v1', base, method, requestId: id, rpcId: null, accept: null } as const
  const { status, body, type, headers } = writeProblem(problem, format, call)
  const sent = {
    ...headers,
    'content-type': type,
    'request-id': id,
    'api-version': apiVersion,
    'cache-control': 'no-store',
    ...(closesConnection ? { connection: 'close' } : {}),
  }
  return new Response(body, { status, headers: sent })
}
