// Routes every path of every API; all other paths go to the site. For every request it checks the
// host, assigns an id, writes one log line and turns whatever was thrown into a problem.
//
// Elysia matches paths with names, and its `onError` handles what a handler throws. No other
// feature is used: its schemas validate a body before the credential is checked, its HEAD reads a
// whole file to count it, it answers an unknown method with 404, and its `onAfterResponse` has no
// request. So each path is mounted for all methods, Elysia parses no body (`parse: 'none'`), and
// endpoint-group.ts does the rest. A path without names needs no matching: an endpoint there, and a
// page of the site, are answered without Elysia. A 304 takes 11.3 µs of processor time then, and
// 13.0 through it.
import { Elysia } from 'elysia'
import { Problem } from '#contract/problems.ts'
import type { AddressOf } from './client-address.ts'
import { redirectWithoutSlash } from './endpoint.ts'
import { type EndpointGroup, internalError } from './endpoint-group.ts'
import type { HostCheck } from './host-check.ts'
import type { Log } from './log.ts'
import { type ErrorFormat, writeProblem } from './problem-formats.ts'
import { type Params, type Peers, RequestContext } from './request-context.ts'

export type RouterOptions = {
  readonly groups: readonly EndpointGroup[]
  readonly plain?: readonly PlainEndpoint[]
  /** Answers every path that no endpoint serves. */
  fallback(context: RequestContext): Promise<Response> | Response
  readonly isAllowedHost: HostCheck
  /** A refusal of requests that must not reach an endpoint, whatever their path. */
  refuse?(request: Request): Problem | undefined
  readonly addressOf: AddressOf
  /** Whether the listener itself speaks TLS. */
  readonly isTls?: boolean
  newRequestId(): string
  /** The public origin. */
  readonly base: string
  readonly log: Pick<Log, 'request' | 'readsTraceparent'>
  onError(failure: unknown, requestId: string): void
}

/** An endpoint without group headers. It answers `methods`, or every method. */
export type PlainEndpoint = {
  readonly path: string
  readonly methods?: readonly string[]
  answer(context: RequestContext): Promise<Response> | Response
}

export type Router = (request: Request, peers: Peers) => Promise<Response>

type Matched = { request: Request; params: Params }
type Answering = (context: RequestContext) => Promise<Response> | Response

export function createRouter(options: RouterOptions): Router {
  const failed = (failure: unknown, context: RequestContext): Response => {
    options.onError(failure, context.id)
    return problemResponse(internalError(context.id), context, options.base)
  }
  const answer = createDispatch(options, failed)
  const formats = new Map(
    options.groups.flatMap(({ paths }) => paths.map(at => [at.path, at.errorFormat] as const)),
  )
  const isTraced = options.log.readsTraceparent === true

  return async (request, peers) => {
    const started = performance.now()
    const context = new RequestContext(request, options.newRequestId(), peers, options.addressOf)
    const { method, url } = request
    let response: Response
    try {
      const refused = refusalOf(options, request)
      response =
        refused === undefined
          ? await answer(request, context)
          : closing(refused, context, options.base, formats.get(context.path))
    } catch (failure) {
      // Failures of the router itself, and of the fallback.
      response = failed(failure, context)
    }
    const milliseconds = performance.now() - started
    const { id: requestId, logFields: fields, route } = context
    const { status } = response
    const traceparent = isTraced ? request.headers.get('traceparent') : null
    options.log.request({
      method,
      route,
      url,
      status,
      milliseconds,
      requestId,
      fields,
      traceparent,
    })
    return response
  }
}

type Failed = (failure: unknown, context: RequestContext) => Response

type Dispatched = Pick<RouterOptions, 'groups' | 'plain' | 'fallback' | 'isTls'>

/** Leads each path to its endpoint, or to the fallback. */
export function createDispatch(options: Dispatched, failed: Failed) {
  const contexts = new WeakMap<Request, RequestContext>()
  const contextOf = (request: Request): RequestContext => {
    const context = contexts.get(request)
    if (context === undefined) throw new Error('this request has no context')
    return context
  }
  // Where Elysia looks for the path. `false`: behind `http://`, also where the host is short; `true`:
  // from the third letter of a host behind `https://`.
  const settings = { strictPath: true, handler: { standardHostname: options.isTls === true } }
  const app = new Elysia(settings).onError({ as: 'global' }, ({ error, request }) =>
    failed(error, contextOf(request)),
  )
  const exact = new Map<string, Answering>()
  const mount: Mount = (path, answer, unmatched) => {
    if (!/[:*]/.test(path)) {
      exact.set(path, context => {
        context.route = path
        return answer(context)
      })
      return
    }
    const hasNames = path.includes(':')
    const route = path.replaceAll(/:(\w+)/g, '{$1}')
    const handle = ({ request, params }: Matched) => {
      const context = contextOf(request)
      context.route = route
      if (!hasNames) return answer(context)
      context.params = params
      // Ids contain no character that needs encoding, so an encoded path matches no endpoint. Nor
      // does an empty id.
      return /%|\/\//.test(context.path) ? unmatched(context) : answer(context)
    }
    app.all(path, handle as (matched: object) => unknown, { parse: 'none' })
  }
  for (const group of options.groups) mountGroup(group, mount, options.fallback)
  for (const endpoint of options.plain ?? []) mountPlain(endpoint, mount, options.fallback)
  const mayMatch = firstNames(app.routes)
  app.all('/*', ({ request }) => options.fallback(contextOf(request)), { parse: 'none' })
  return (request: Request, context: RequestContext) => {
    const { path } = context
    const own = exact.get(path)
    if (own !== undefined) return own(context)
    if (!mayMatch(path)) return options.fallback(context)
    contexts.set(request, context)
    return app.fetch(request)
  }
}

/** Whether a path may be one of the routes: it begins as one does. Routes of the portal begin with
 *  a name, so there any path may be one. */
function firstNames(routes: readonly { readonly path: string }[]) {
  const firstNameOf = (path: string) => {
    const end = path.indexOf('/', 1)
    return end < 0 ? path : path.slice(0, end)
  }
  const known = new Set(routes.map(({ path }) => firstNameOf(path)))
  if ([...known].some(name => /[:*]/.test(name))) return () => true
  return (path: string) => known.has(firstNameOf(path))
}

type Mount = (path: string, answer: Answering, unmatched: Answering) => void

function mountPlain(
  { path, methods, answer }: PlainEndpoint,
  mount: Mount,
  fallback: Answering,
): void {
  const answerMethods = (context: RequestContext) =>
    methods?.includes(context.request.method) === false ? fallback(context) : answer(context)
  mount(path, answerMethods, answerMethods)
  mount(`${path}/`, redirectWithoutSlash, fallback)
}

function mountGroup(group: EndpointGroup, mount: Mount, fallback: Answering): void {
  const { unmatched } = group.settings
  const elsewhere = unmatched === undefined ? fallback : group.unmatched
  for (const at of group.paths) mount(at.path, context => group.answer(at, context), elsewhere)
  if (unmatched === undefined) return
  mount(unmatched.below, elsewhere, elsewhere)
  mount(`${unmatched.below}/*`, elsewhere, elsewhere)
}

/** False for CONNECT, whose target has no path, and for a target of the other scheme, where Elysia
 *  would look for the path in the wrong place. */
const isRooted = (url: string, { isTls = false }: RouterOptions) =>
  url.startsWith(isTls ? 'https://' : 'http://')

function refusalOf(options: RouterOptions, request: Request): Problem | undefined {
  const refused = options.refuse?.(request)
  if (refused !== undefined) return refused
  const isServed =
    options.isAllowedHost(request.headers.get('host')) && isRooted(request.url, options)
  if (!isServed) return misdirected(options.base)
  const { headers } = request
  return headers.has('trailer') && headers.has('transfer-encoding') ? withTrailer() : undefined
}

/** Bun takes a trailer for a second request, and closes the connection of this one. */
const withTrailer = () =>
  new Problem('invalid_request', {
    detail: 'The body must not announce a trailer: this server reads none.',
    hint: 'Send the request again without Trailer, and with no fields after the last chunk.',
  })

/** The body of a refused request stays unread. */
function closing(
  refused: Problem,
  context: RequestContext,
  base: string,
  format?: ErrorFormat,
): Response {
  context.closesConnection = true
  return problemResponse(refused, context, base, format)
}

/** 421 (RFC 9110, section 15.5.20): the host is not one of this server. */
const misdirected = (base: string) =>
  new Problem('misdirected_request', {
    detail: 'This server does not serve the host in the Host header.',
    hint: `Use ${base}. The operator of this server can add a host with ALLOWED_HOSTS.`,
  })

/** The response to a request that failed outside a group. */
export function problemResponse(
  problem: Problem,
  { id, closesConnection, request }: Pick<RequestContext, 'id' | 'closesConnection' | 'request'>,
  base: string,
  format: ErrorFormat = 'problem',
): Response {
  const { method } = request
  const call = { surface: 'v1', base, method, requestId: id, rpcId: null, accept: null } as const
  const { status, body, type, headers } = writeProblem(problem, format, call)
  const sent = {
    ...headers,
    'content-type': type,
    'request-id': id,
    'cache-control': 'no-store',
    ...(closesConnection ? { connection: 'close' } : {}),
  }
  return new Response(body, { status, headers: sent })
}
