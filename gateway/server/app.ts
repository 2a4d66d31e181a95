// The front door: the only file that knows every room. Around them stands a fence that does not
// depend on the router: the host must be ours, every request has an id, an address and one line in
// the log, and whatever throws becomes a problem and not a stack.
import { Elysia } from 'elysia'
import { Problem } from '#contract/problems.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import { documentEndpoint } from '#clinical/files/documents.ts'
import { uploadEndpoint } from '#clinical/files/upload.ts'
import { clinicalRoutes, type Visit } from '#clinical/pipeline/http.ts'
import { waitingRoom } from '#clinical/visits/waiting-room.ts'
import type { AddressOf } from '#http/client-address.ts'
import type { Documents } from '../static/documents.ts'
import { describeFailure } from '#http/describe-failure.ts'
import type { IsOurs } from '#http/host-check.ts'
import type { Log } from '#http/log.ts'
import type { Content } from './content.ts'
import { problemType, problemWriter } from '#http/problem-writer.ts'
import { newRequestId } from '#http/request-ids.ts'

export type AppParts = {
  context: AppContext
  isOurs: IsOurs
  addressOf: AddressOf
  documents: Documents
  /** Everything that no other room answers: the site, and what stands behind the door. */
  content: Content
  log: Log
}

/** The part of Bun's server that is asked who is calling. */
export type Peers = { requestIP(request: Request): { address: string } | null }

type Handler = { request: Request }

export function createApp(parts: AppParts) {
  const visits = new WeakMap<Request, Arrival>()
  const render = problemWriter(parts.context.base)
  const visitOf = (request: Request) => visits.get(request) ?? new Arrival(() => null)

  const failed = (failure: unknown, { id }: Visit): Response => {
    parts.log.event('request.failed', { request_id: id, ...describeFailure(failure) })
    const problem = new Problem('internal_error', {
      detail: 'The failure was logged under request_id.',
    })
    const { status, body, headers } = render(problem, id)
    const sent = { ...headers, 'request-id': id, 'cache-control': 'no-store' }
    return new Response(body, { status, headers: sent })
  }

  const app = new Elysia({ strictPath: true })
    .onError({ as: 'global' }, ({ error, request }) => failed(error, visitOf(request)))
    .use(clinicalRoutes({ context: parts.context, visitOf, render }))
    .use(waitingRoom(parts.context, visitOf))
  for (const [path, serve] of bytes(parts.context, visitOf)) app.all(path, serve, { parse: 'none' })
  for (const [path, serve] of parts.documents) {
    app.get(path, ({ request }: Handler) => serve(request), { parse: 'none' })
    app.head(path, ({ request }: Handler) => serve(request), { parse: 'none' })
  }
  const content = (request: Request) => parts.content(request, visitOf(request))
  app.all('/*', ({ request }: Handler) => content(request), { parse: 'none' })
  // A page needs no router: what starts like no route of the rooms is the site's.
  const rooms = new Set(
    app.routes.map(route => segmentOf(route.path, 0)).filter(one => one !== '*'),
  )
  const answer = (request: Request, url: string, visit: Arrival) => {
    if (!parts.isOurs(request.headers.get('host')) || !isRooted(url)) {
      return misdirected(parts.context.base, visit.id)
    }
    if (!rooms.has(segmentOf(url, url.indexOf('://') + 3))) return parts.content(request, visit)
    visits.set(request, visit)
    return app.fetch(request)
  }

  return async (request: Request, peers: Peers): Promise<Response> => {
    const started = performance.now()
    const { method, url } = request
    const visit = new Arrival(() =>
      parts.addressOf(peers.requestIP(request)?.address, request.headers.get('x-forwarded-for')),
    )
    let response: Response
    try {
      response = await answer(request, url, visit)
    } catch (failure) {
      // The last net: the router's own faults come out here as well.
      response = failed(failure, visit)
    }
    const milliseconds = performance.now() - started
    const { id, fields } = visit
    const { status } = response
    parts.log.request({ method, url, status, milliseconds, requestId: id, fields })
    return response
  }
}

/** Addresses that are a credential by themselves: where documents are sent, and where they are. */
function bytes(context: AppContext, visitOf: (request: Request) => Visit) {
  const [upload, document] = [uploadEndpoint(context), documentEndpoint(context)]
  type Encrypted = Handler & { params: { token: string } }
  return [
    ['/uploads/:token', ({ request, params }: Encrypted) => upload(request, params.token)],
    [
      '/documents/:token',
      ({ request, params }: Encrypted) => document(request, params.token, visitOf(request)),
    ],
  ] as const
}

/** The first segment of the path that begins at or after `from`, by which the rooms are told apart.
 *  The server has brought the address into its normal form; to parse it again costs more. */
function segmentOf(address: string, from: number): string {
  const start = address.indexOf('/', from) + 1
  let end = start
  while (end < address.length && !endsSegment(address.charCodeAt(end))) end++
  return address.slice(start, end)
}

/** A slash, a question mark or a number sign. */
const endsSegment = (code: number) => code === 0x2f || code === 0x3f || code === 0x23

/** CONNECT names no path, and what names none has no answer here. */
const isRooted = (url: string) => url.startsWith('http://') || url.startsWith('https://')

/** A request as it came in. */
class Arrival implements Visit {
  readonly id = newRequestId()
  readonly fields: Record<string, string> = {}

  constructor(private readonly addressOf: () => string | null) {}

  /** Asked for only where somebody wants it: most pages are read by nobody in particular. */
  get address(): string | null {
    return this.addressOf()
  }

  note(more: Readonly<Record<string, string>>): void {
    for (const name in more) this.fields[name] = more[name] ?? ''
  }
}

/** RFC 9110, section 15.5.20. It is no code of the clinical API: the request never reached it. */
function misdirected(base: string, requestId: string): Response {
  const body = {
    type: 'about:blank',
    title: 'Misdirected Request',
    status: 421,
    detail: 'This server does not serve the host in the Host header.',
    code: 'misdirected_request',
    request_id: requestId,
    hint: `Use ${base}. The operator of this server can add a host with ALLOWED_HOSTS.`,
  }
  const headers = {
    'content-type': problemType,
    'request-id': requestId,
    'cache-control': 'no-store',
    connection: 'close',
  }
  return new Response(JSON.stringify(body), { status: 421, headers })
}
