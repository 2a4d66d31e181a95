// The clinical API over HTTP: the table, mounted in a loop. Elysia finds the route and nothing
// more: it is given no schema and no hook, and it leaves the body alone (`parse: 'none'`).

import { Elysia } from 'elysia'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { apiVersion } from '#contract/limits.ts'
import { isWrite } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import { modeOf } from '#auth/principal.ts'
import { readBody, type ReadBody } from '#http/json-body.ts'
import { bearerOf, isInAddress } from './bearer.ts'
import type { Answer, OperationRequest } from './operation-request.ts'
import { type AppContext, type Outcome, perform } from './perform.ts'
import { nearPaths } from './near-paths.ts'
import { strangeId } from './path-ids.ts'
import { methodsAt, namesIn } from './routes.ts'

/** What the front door knows of a request before any room sees it. */
export type Visit = {
  /** The id of the request, made by us. */
  id: string
  /** The client's address, where it is known. */
  address: string | null
  /** Adds to the one log line of the request. */
  note(fields: Readonly<Record<string, string>>): void
}

export type ClinicalParts = {
  context: AppContext
  visitOf(request: Request): Visit
  /** The one writer of problem bodies, which is the front door's. */
  render(problem: Problem, requestId: string): Answer
}

const reads = new Set(['GET', 'HEAD'])

/** Every path under /v1: a row's own, and for the rest 404 and 405. */
export function clinicalRoutes(parts: ClinicalParts) {
  const app = new Elysia({ strictPath: true })
  for (const id of operationIds) {
    const { method, path } = table[id]
    const place = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const handler = ({ request }: { request: Request }) => serve(parts, id, request)
    // The router answers HEAD of a GET route with an id by reading the whole answer to count it. A
    // path that is only read is taken whole instead, so that a file need not be opened for it.
    const isOnlyRead = methodsAt(path).every(each => reads.has(each))
    const guarded = ({ request }: { request: Request }) =>
      reads.has(request.method) ? serve(parts, id, request) : unrouted(parts, request)
    if (isOnlyRead) app.all(place, guarded, { parse: 'none' })
    else app.route(method, place, handler, { parse: 'none' })
    if (!isOnlyRead && method === 'GET') app.route('HEAD', place, handler, { parse: 'none' })
  }
  const none = ({ request }: { request: Request }) => unrouted(parts, request)
  app.all('/v1', none, { parse: 'none' }).all('/v1/*', none, { parse: 'none' })
  return app
}

async function serve(
  parts: ClinicalParts,
  operation: OperationId,
  request: Request,
): Promise<Response> {
  const url = new URL(request.url)
  // An id holds nothing that needs encoding, so an encoded path is another path.
  if (url.pathname.includes('%')) return unrouted(parts, request)
  const visit = parts.visitOf(request)
  const { headers } = request
  const stray = isInAddress(url.searchParams)
  const token = stray ? null : bearerOf(headers.get('authorization'))
  // Who is calling is asked while the connection is there: a body that is cut off may end it.
  const { address } = visit
  const read = await bodyOf(operation, request, token)
  const operationRequest: OperationRequest = {
    operation,
    path: url.pathname,
    names: namesIn(table[operation].path, url.pathname),
    query: url.searchParams,
    token,
    tokenInAddress: stray,
    otherScheme: token === null && headers.has('authorization'),
    organization: headers.get('service-organization'),
    version: headers.get('api-version'),
    idempotencyKey: headers.get('idempotency-key'),
    body: read.body,
    refusedBody: read.refused,
    request: visit.id,
    address,
    agent: headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
  }
  const outcome = await perform(parts.context, operationRequest)
  note(visit, operation, outcome)
  const answer =
    'problem' in outcome
      ? parts.render(explained(outcome.problem, operationRequest), visit.id)
      : outcome
  const sending = { rate: outcome.rate, close: read.unread, isHead: request.method === 'HEAD' }
  return respond(parts, visit, answer, sending)
}

const agentLengthMax = 256

/** What is not there because its id is none of its kind says so. */
function explained(problem: Problem, { operation, names }: OperationRequest): Problem {
  if (problem.code !== 'not_found' || problem.said.hint !== undefined) return problem
  const hint = strangeId(operation, names)
  return hint === null ? problem : new Problem('not_found', { ...problem.said, hint })
}

/** A request without the form of a credential does not get its body read. */
async function bodyOf(
  operation: OperationId,
  request: Request,
  token: string | null,
): Promise<ReadBody> {
  const nothing = { body: undefined, refused: null }
  if (!isWrite(table[operation])) return { ...nothing, unread: false }
  if (token === null || modeOf(token) === null) {
    return { ...nothing, unread: request.body !== null }
  }
  return readBody(request)
}

function note(visit: Visit, operation: OperationId, outcome: Outcome): void {
  const fields: Record<string, string> = { operation }
  for (const [name, value] of Object.entries(outcome.caller)) if (value) fields[name] = value
  if ('problem' in outcome) fields['code'] = outcome.problem.code
  visit.note(fields)
}

function hintAt(parts: ClinicalParts, method: string, pathname: string): string {
  const near = nearPaths(method, pathname)
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return `Paths must match exactly.${meant} The contract is at ${parts.context.base}/openapi/v1.json.`
}

/** No such path, or not with this method: said before any credential is read. */
function unrouted(parts: ClinicalParts, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const visit = parts.visitOf(request)
  const methods = methodsAt(pathname)
  const problem =
    methods.length === 0 || pathname.includes('%')
      ? new Problem('not_found', {
          detail: 'This path does not exist.',
          hint: hintAt(parts, request.method, pathname),
        })
      : new Problem('method_not_allowed', {
          detail: `This path accepts ${methods.join(', ')}.`,
          headers: { allow: methods.join(', ') },
        })
  visit.note({ code: problem.code })
  const close = request.body !== null
  return respond(parts, visit, parts.render(problem, visit.id), { rate: {}, close, isHead: false })
}

type Sending = { rate: Record<string, string>; close: boolean; isHead: boolean }

/** The answer with the headers that every answer under /v1 carries. */
async function respond(
  parts: ClinicalParts,
  visit: Visit,
  { status, body, headers, bytes }: Answer,
  { rate, close, isHead }: Sending,
): Promise<Response> {
  // HEAD is answered as GET is: the server counts the body, and leaves it away. A file is not even
  // opened, because its length is known.
  const content = bytes ? (isHead ? null : await bytes.open()) : body
  const init = {
    status,
    headers: commonTo(rate['ratelimit-policy'] ?? parts.context.limiter.policy),
  }
  const response = new Response(content, init)
  const sent = response.headers
  sent.set('request-id', visit.id)
  for (const name in rate) if (name !== 'ratelimit-policy') sent.set(name, rate[name] ?? '')
  for (const name in headers) sent.set(name, headers[name] ?? '')
  // Whoever still owes a body that nobody waits for keeps no connection with it.
  if (close) sent.set('connection', 'close')
  if (bytes && isHead) sent.set('content-length', String(bytes.size))
  return response
}

/** By policy, of which there are as many as limits: what does not change from answer to answer. */
const common = new Map<string, Headers>()

function commonTo(policy: string): Headers {
  let headers = common.get(policy)
  if (headers === undefined) {
    headers = new Headers({
      'content-type': 'application/json',
      'api-version': apiVersion,
      'ratelimit-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    common.set(policy, headers)
  }
  return headers
}
