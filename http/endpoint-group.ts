// A group's endpoints share a quota per client address, versions, response headers and error
// formats. An endpoint returns an answer or throws a Problem; the rest happens here.
import { idempotencyKeyIn, keyForm } from '#contract/idempotency-key.ts'
import { Problem, type Surface } from '#contract/problems.ts'
import { acpDateOf } from '#contract/site/acp.ts'
import type { Answer, FileAnswer } from './answer.ts'
import { secondsText } from './limits/counter.ts'
import { type Endpoint, type EndpointPath, pathsOf } from './endpoint.ts'
import { allowsOrigins, constantHeaders, type HeaderGroup, headerTemplates } from './headers.ts'
import { preflightHeaders, setHeaders } from './headers.ts'
import type { BodyLimits } from './json-body.ts'
import { type ErrorFormat, isRead, writeProblem } from './problem-formats.ts'
import {
  networkOf,
  type Policy,
  type RateLimiter,
  RateLimitExceeded,
} from './limits/rate-limiter.ts'
import type { FailedRequest, HttpRequest } from './http-request.ts'
import { type Change, changesSince, deprecationHeaders, downgradeAnswer } from './versions.ts'
import { pinnedVersion, type Versions } from './versions.ts'

export type GroupSettings = {
  readonly endpoints: readonly Endpoint[]
  /** Selects the rows of the header table, and whether pages of any origin may send requests. */
  readonly headers: HeaderGroup
  /** The API whose contract defines the problems. */
  readonly surface: Surface
  /** The origin of problem types. Empty means that types are relative references. */
  readonly base: string
  readonly bodyLimits: BodyLimits
  /** Newest first. If absent, the endpoints check API-Version themselves. */
  readonly versions?: Versions
  readonly changes?: readonly Change[]
  /** The version and policy in the headers of responses that have no version or policy of their
   *  own. */
  readonly version: string
  readonly policy: Policy
  /** Counts requests by client address. If absent, the endpoints count requests themselves. */
  readonly limiter?: RateLimiter
  /** The name under which a request with a valid link is counted, instead of its address, so
   *  neighbors don't share a quota. Null for a request without a link. */
  readonly linkOf?: (request: HttpRequest) => string | null
  /** The problem for paths below `below` that no endpoint serves. */
  readonly unmatched?: {
    readonly below: string
    /** Default: problem+json. */
    readonly format?: ErrorFormat
    problem(request: HttpRequest): Problem
  }
  /** Called for each failure reported as `internal_error` or `service_unavailable`. */
  readonly onError: OnError
  /** Whether the same request may succeed when retried. */
  isUnavailable(failure: unknown): boolean
}

export type OnError = (failure: unknown, request: FailedRequest) => void

export type EndpointGroup = {
  readonly settings: GroupSettings
  readonly paths: readonly EndpointPath[]
  answer(at: EndpointPath, request: HttpRequest): Promise<Response>
  /** Answers paths below the group's root that no endpoint serves. */
  unmatched(request: HttpRequest): Promise<Response> | Response
}

export function createEndpointGroup(settings: GroupSettings): EndpointGroup {
  const templates: Templates = {
    group: headerTemplates(settings.headers),
    page: headerTemplates('page'),
  }
  return {
    settings,
    paths: pathsOf(settings.endpoints, allowsOrigins(settings.headers)),
    async answer(at, request) {
      const { method } = request
      const endpoint = at.methods.get(method)
      const isPreflight =
        method === 'OPTIONS' && endpoint === undefined && allowsOrigins(headersOf(settings, at))
      request.settings = settings
      if (settings.limiter && !isRead(method)) {
        request.sentKey = request.headers.get('idempotency-key')
      }
      if (endpoint?.operation === undefined) request.logFields['endpoint'] = at.path
      else request.logFields['operation'] = endpoint.operation
      const refused = pinVersion(settings, at, request)
      let answer: Answer
      try {
        if (settings.limiter) await count(settings, settings.limiter, request, isPreflight)
        if (isPreflight) answer = preflight(at)
        else {
          if (refused !== undefined) throw refused
          if (endpoint === undefined) throw notAllowed(at, request)
          request.idempotencyKey = idempotencyKeyOf(request.sentKey)
          const result = endpoint.answer(request)
          answer = result instanceof Promise ? await result : result
        }
      } catch (failure) {
        answer = problemAnswer(settings, at.errorFormat, request, failure)
      }
      return respond(settings, templates, at.errorFormat, request, answer)
    },
    unmatched(request) {
      request.settings = settings
      request.version = settings.version
      // The body won't be read.
      request.closesConnection = request.hasBody
      const problem = settings.unmatched?.problem(request) ?? new Problem('not_found')
      const format = settings.unmatched?.format ?? 'problem'
      const answer = problemAnswer(settings, format, request, problem)
      return respond(settings, templates, format, request, answer)
    },
  }
}

/** Sets the requested version; returns a problem if it doesn't exist. */
function pinVersion(
  { version, versions, changes = [] }: GroupSettings,
  { path, errorFormat }: EndpointPath,
  request: HttpRequest,
): Problem | undefined {
  request.version = version
  if (versions === undefined) return undefined
  const pinned = pinnedVersion(request.headers.get('api-version'), versions)
  // ACP endpoints check the header themselves, because ACP has its own version dates. A date of
  // this API still pins this API's version.
  if (pinned instanceof Problem) return errorFormat === 'acp' ? undefined : pinned
  request.version = pinned
  if (changes.length > 0) request.changes = changesSince(pinned, path, changes)
  return undefined
}

/** Preflights aren't counted: browsers send a preflight before each request, so counting preflights
 *  would halve the quota. */
async function count(
  { linkOf }: GroupSettings,
  limiter: RateLimiter,
  request: HttpRequest,
  isPreflight: boolean,
): Promise<void> {
  const caller = linkOf?.(request) ?? networkOf(request.address)
  const allowance = await (isPreflight ? limiter.peek(caller) : limiter.take(caller))
  request.allowance = allowance
  if (allowance.left >= 0) return
  const { quota, window, reset } = allowance
  throw new RateLimitExceeded(
    allowance,
    `The limit of ${quota} requests per ${window} seconds for this IP address was reached.`,
    `Wait ${secondsText(reset)}, then send the request again.`,
  )
}

const preflight = ({ allow }: EndpointPath) =>
  new Response(null, { status: 204, headers: preflightHeaders(allow) })

function notAllowed({ allow }: EndpointPath, request: HttpRequest): Problem {
  // The body won't be read.
  request.closesConnection = request.hasBody
  return new Problem('method_not_allowed', {
    detail: `This path accepts ${allow}.`,
    headers: { allow },
  })
}

/**
 * The key without one pair of quotes, which draft-ietf-httpapi-idempotency-key-header requires and
 * most clients omit. Throws for an invalid key.
 */
function idempotencyKeyOf(sent: string | null): string | null {
  if (sent === null) return null
  const key = idempotencyKeyIn(sent)
  if (key !== null) return key
  const detail = `The Idempotency-Key header must be ${keyForm}.`
  throw new Problem('idempotency_key_invalid', { detail })
}

/** Turns anything thrown into a problem, and reports other errors to `onError`. */
function problemAnswer(
  settings: GroupSettings,
  format: ErrorFormat,
  request: HttpRequest,
  failure: unknown,
): Answer {
  if (!(failure instanceof Problem)) settings.onError(failure, request)
  const problem =
    failure instanceof Problem ? failure : failureProblem(settings, failure, request.id)
  if (problem instanceof RateLimitExceeded) request.allowance = problem.allowance
  request.addLogFields({ code: problem.code })
  const { surface, base } = settings
  const { rpcId } = request
  const written = writeProblem(problem, format, {
    surface,
    base,
    requestId: surface === 'v1' ? request.id : null,
    method: request.method,
    rpcId: rpcId ?? null,
    accept: request.headers.get('accept'),
    acpDate: acpDateOf(request.headers.get('api-version')),
  })
  const { status, headers } = written
  return rpcId === undefined ? new Response(null, { status, headers }) : written
}

function failureProblem(
  { isUnavailable }: GroupSettings,
  failure: unknown,
  requestId: string,
): Problem {
  if (!isUnavailable(failure)) return internalError(requestId)
  return new Problem('service_unavailable', {
    detail: 'A service that this endpoint depends on is unavailable.',
    headers: { 'retry-after': '1' },
  })
}

export const internalError = (requestId: string) =>
  new Problem('internal_error', {
    detail: 'The failure was logged under request_id.',
    members: { request_id: requestId },
  })

type Templates = Readonly<Record<'group' | 'page', ReturnType<typeof headerTemplates>>>

const headersOf = (
  { headers }: GroupSettings,
  { errorFormat }: Pick<EndpointPath, 'errorFormat'>,
): HeaderGroup => (errorFormat === 'page' ? 'page' : headers)

/** Builds the response with all of its group's headers. */
function respond(
  settings: GroupSettings,
  templates: Templates,
  format: ErrorFormat,
  request: HttpRequest,
  answer: Answer,
): Response | Promise<Response> {
  const { version, changes, allowance } = request
  const policy = allowance ?? settings.policy
  let response: Response
  if (answer instanceof Response) {
    response = withConstants(
      answer,
      constantHeaders(headersOf(settings, { errorFormat: format }), { version, policy }),
    )
    if (allowance) response.headers.set('ratelimit-limit', String(policy.quota))
  } else {
    const { type = 'application/json', status = 200, bytes } = answer
    const body = bytes === undefined ? answer.body : null
    const template = templates[format === 'page' ? 'page' : 'group']
    const headers = template(type, version, policy, allowance !== null)
    response = new Response(body, { status, headers })
  }
  setHeaders(response.headers, {
    // ACP clients send their own Request-Id and expect it in the response.
    requestId: (format === 'acp' && clientRequestId(request)) || request.id,
    allowance,
    idempotencyKey: printable(request.sentKey),
    closesConnection: request.closesConnection,
    more: settings.versions ? deprecationHeaders(version, settings.versions) : [],
  })
  if (!(answer instanceof Response)) {
    const { headers, bytes } = answer
    for (const name in headers) response.headers.set(name, headers[name] ?? '')
    if (bytes) return withFile(response, bytes, request.method === 'HEAD')
  }
  return changes.length === 0 ? response : downgradeAnswer(response, changes)
}

/** HEAD is answered like GET: Bun sets Content-Length and omits the body. HEAD doesn't open a file,
 *  because its size is known. */
async function withFile(
  { status, headers }: Response,
  file: NonNullable<FileAnswer['bytes']>,
  isHead: boolean,
): Promise<Response> {
  if (isHead) headers.set('content-length', String(file.size))
  return new Response(isHead ? null : await file.open(), { status, headers })
}

function withConstants(
  response: Response,
  constants: ReturnType<typeof constantHeaders>,
): Response {
  const { headers } = response
  for (const [name, value] of constants) {
    if (name !== 'cache-control' || !headers.has(name)) headers.set(name, value)
  }
  return response
}

const clientRequestId = ({ headers }: HttpRequest) => printable(headers.get('request-id'))

const printable = (text: string | null) =>
  text !== null && /^[\x20-\x7e]{1,257}$/.test(text) ? text : null
