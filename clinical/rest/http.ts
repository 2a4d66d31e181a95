// The clinical API and its preview over HTTP: one endpoint for each operation in their tables. From
// the socket to its first query, POST /v1/cases goes through twelve of this repository's functions,
// counting closures, each called by the one above:
//
//   router         http/router.ts           checks the host, sets the ID, writes the log line
//   handler        http/router.ts           called by Elysia for the path
//   answer         http/endpoint-group.ts   sets headers, turns thrown problems into responses
//   answer         here                     turns the HTTP request into a RequestedCall
//   perform        pipeline/perform.ts      handles failures, limits failed credentials
//   authenticate   pipeline/perform.ts      finds the credential, retries if needed
//   use, closure   database/pool.ts         one connection for the whole call
//   performAs      pipeline/perform.ts      limits the caller and checks its permissions
//   performWrite   pipeline/perform-write   validates the input, selects facts, decides, writes
//   query          auth/guard.ts            runs a statement only while the credential is valid
//   run            database/pool.ts         sends it

import { table } from '#contract/api.ts'
import { apiVersion } from '#contract/limits.ts'
import { type CredentialOperation, isWrite } from '#contract/operation.ts'
import { previewTable } from '#contract/preview/operations.ts'
import { Problem } from '#contract/problems.ts'
import type { Answer as HttpAnswer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HeaderGroup } from '#http/headers.ts'
import { matches } from '#http/entity-tag.ts'
import { createEndpointGroup, type EndpointGroup, type OnError } from '#http/endpoint-group.ts'
import { BodyFault, bodyProblem } from '#http/json-body.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { realtimeEndpoint } from '../realtime/upgrade-required.ts'
import { bodyLimits, keepOutcome, requestedBy } from '../pipeline/http-caller.ts'
import { nearPaths } from './near-paths.ts'
import { wrongIdHint } from './path-ids.ts'
import { previewSurface, restSurface } from './surface.ts'
import { type AppContext, perform } from '../pipeline/perform.ts'
import { isUnavailable } from '../pipeline/refuse.ts'
import type { Surface } from '../pipeline/surface.ts'
import type { Outcome, RequestBody } from '../pipeline/requested-call.ts'

/** One API: its surface, and how HTTP reaches it. */
type Api<Id extends string> = {
  readonly surface: Surface<Id>
  readonly rows: Readonly<Record<Id, CredentialOperation>>
  readonly headers: HeaderGroup
  /** Every path under this prefix belongs to this API. */
  readonly below: string
  /** The path of the API's OpenAPI document. */
  readonly document: string
  /** Endpoints that aren't operations. */
  readonly more: readonly Endpoint[]
}

/** Handles every path under /v1 and /preview; paths and methods without an operation get a 404 or
 *  405. */
export const clinicalGroups = (context: AppContext, onError: OnError): EndpointGroup[] => [
  apiGroup(context, onError, {
    surface: restSurface(context.base),
    rows: table,
    headers: 'api',
    below: '/v1',
    document: '/openapi/v1.json',
    more: context.realtime.name === 'embedded' ? [realtimeEndpoint] : [],
  }),
  apiGroup(context, onError, {
    surface: previewSurface(context.base),
    rows: previewTable,
    headers: 'preview',
    below: '/preview',
    document: '/openapi/preview.json',
    more: [],
  }),
]

function apiGroup<Id extends string>(
  context: AppContext,
  onError: OnError,
  api: Api<Id>,
): EndpointGroup {
  const ids = Object.keys(api.rows) as Id[]
  return createEndpointGroup({
    endpoints: [...ids.map(id => operationEndpoint(context, api, id)), ...api.more],
    headers: api.headers,
    surface: 'v1',
    base: context.base,
    bodyLimits,
    version: apiVersion,
    policy: context.limiter.policy,
    unmatched: { below: api.below, problem: request => noSuchPath(context, api.document, request) },
    onError,
    isUnavailable,
  })
}

function operationEndpoint<Id extends string>(
  context: AppContext,
  { surface, rows }: Api<Id>,
  id: Id,
): Endpoint {
  const row = rows[id]
  const hasBody = isWrite(row)
  return {
    path: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    methods: [row.method],
    errorFormat: 'problem',
    operation: id,
    async answer(request): Promise<HttpAnswer> {
      const requested = requestedBy(id, request)
      request.closesConnection = hasBody && request.hasBody
      const readBody = hasBody ? () => bodyOf(request) : undefined
      const outcome = await perform(context, surface, requested, readBody)
      keepOutcome(request, outcome)
      if ('problem' in outcome) throw withIdHint(outcome, row.path, request)
      const { etag } = outcome.headers
      const isKnown =
        etag !== undefined && matches(request.headers.get('if-none-match') ?? '', etag)
      return isKnown ? new Response(null, { status: 304, headers: { etag } }) : outcome
    },
  }
}

/** The connection closes only if the body is never read. */
async function bodyOf(request: HttpRequest): Promise<RequestBody> {
  request.closesConnection = false
  const body = await request.readObject()
  return body instanceof BodyFault
    ? { body: undefined, refusedBody: bodyProblem(body, 'v1', bodyLimits) }
    : { body, refusedBody: null }
}

/** Adds a hint to a 404 whose path contains another resource type's ID or a malformed ID. */
function withIdHint(
  { problem }: Extract<Outcome, { problem: Problem }>,
  path: string,
  { params }: HttpRequest,
): Problem {
  if (problem.code !== 'not_found' || problem.content.hint !== undefined) return problem
  const hint = wrongIdHint(path, params)
  return hint === null ? problem : new Problem('not_found', { ...problem.content, hint })
}

/** Doesn't depend on the credential, so unknown paths get a response before authentication. */
function noSuchPath(
  { base }: AppContext,
  document: string,
  { method, path }: HttpRequest,
): Problem {
  const near = nearPaths(method, path)
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new Problem('not_found', {
    detail: 'This path does not exist.',
    hint: `Paths must match exactly.${meant} The contract is at ${base}${document}.`,
  })
}
