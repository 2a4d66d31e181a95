// The door before everything that answers by itself: the lists, /ask, health, and the endpoints of
// agents. A surface says what it answers; how often it may be asked, in which version, with which
// headers, and what a refusal looks like is the same for all of them and stands here.
import type { Allowance } from './rate-limiter.ts'
import type { Visit } from '#clinical/pipeline/http.ts'
import { type SiteVersions, siteVersions } from '#contract/versions.ts'
import { isAway } from '#database/failures.ts'
import { PoolTimeout } from '#database/pool.ts'
import { Call } from './endpoint-call.ts'
import { type Change, changesSince, comeDown, siteChanges } from './version-changes.ts'
import {
  allowOf,
  plainResponse,
  setHeaders,
  textResponse,
  idempotencyKeyOf,
  type Plain,
  preflight,
} from './response-headers.ts'
import { type Found, type Params, pathFinder } from './path-matcher.ts'
import { type Quota } from './quota.ts'
import { type Form, type RpcId, refuse, Refusal, refused } from './refusals.ts'
import { endsOf, pinned } from './versions.ts'

export type { Plain } from './response-headers.ts'
export type { Form } from './refusals.ts'
export { refuse } from './refusals.ts'

export type Endpoint = {
  /** Exact, or with `:names`, or ending in `/*`. */
  readonly path: string
  /** Others get this surface's own 405 with Allow. HEAD comes with GET, and OPTIONS by itself. */
  readonly methods: readonly string[]
  /** In which form its refusals are written. */
  readonly form: Form
  /**
   * Answers the call; may throw `refuse(code, said)`. HEAD is answered as GET is: the server leaves
   * the body off. What the door adds (see `dress`), an answer does not carry.
   */
  answer(call: EndpointCall): Answer | Promise<Answer>
}

/** A response, or what is quicker where an answer is a text. */
export type Answer = Response | Plain

export type EndpointCall = {
  readonly request: Request
  readonly url: URL
  /** What follows the path in the address, as it was sent: equal texts ask for the same. */
  readonly search: string
  readonly params: Params
  /** The API-Version that serves this call. ACP has dates of its own, and reads the header. */
  readonly version: string
  readonly requestId: string
  /** The Idempotency-Key of a call that changes something, without quotes. */
  readonly idempotencyKey: string | null
  /** The client's address, where it is known. */
  readonly address: string | null
  /** Adds to the one log line of the request. Never what was said. */
  note(fields: Readonly<Record<string, string>>): void
  /** The id of a JSON-RPC call once it was read, so that a refusal of the door's names it. */
  inReplyTo(id: RpcId): void
  /** Bounded (64 KiB unless said) and timed; throws the refusal of what is larger or late. */
  body(bytesMax?: number): Promise<Uint8Array<ArrayBuffer>>
}

export type EndpointRouterOptions = {
  readonly endpoints: readonly Endpoint[]
  readonly quota: Quota
  /** Is told what failed and is answered as `internal_error`. */
  onError(failure: unknown, requestId: string): void
  readonly versions?: SiteVersions
  readonly changes?: readonly Change[]
  readonly bodyMilliseconds?: number
}

export type EndpointRouter = {
  /** The quota, as every answer of the site names it. */
  readonly policy: string
  /** The surface at a path, if there is one. */
  find(path: string): Found<Endpoint> | undefined
  answer(found: Found<Endpoint>, request: Request, visit: Visit): Promise<Response>
}

export function createEndpointRouter(parts: EndpointRouterOptions): EndpointRouter {
  return {
    policy: parts.quota.policy,
    find: pathFinder(parts.endpoints),
    answer: (found, request, visit) => enter(parts, found, request, visit),
  }
}

async function enter(
  parts: EndpointRouterOptions,
  { endpoint, params }: Found<Endpoint>,
  request: Request,
  visit: Visit,
): Promise<Response> {
  const { versions = siteVersions, changes: everyChange = siteChanges, bodyMilliseconds } = parts
  const { headers, method } = request
  const isAsking = method === 'OPTIONS' && !endpoint.methods.includes('OPTIONS')
  const { address } = visit
  // A preflight goes before every call of a browser, and would halve its quota.
  const taken = isAsking ? parts.quota.look(address) : parts.quota.take(address)
  const allowance = taken instanceof Promise ? await taken : taken
  visit.note({ endpoint: endpoint.path })
  const key = isWriting(method) ? headers.get('idempotency-key') : null
  const serving = versionOf(endpoint, headers, versions)
  const version = serving instanceof Refusal ? versions[0].version : serving
  const changes = changesSince(version, endpoint.path, everyChange)
  let call: Call | undefined
  let answer: Answer
  try {
    if (isAsking) answer = preflight(allowOf(endpoint.methods))
    else {
      if (allowance.left < 0) throw tooMany(allowance)
      if (serving instanceof Refusal) throw serving
      if (!takes(endpoint, method)) throw notAllowed(endpoint)
      const known = { request, visit, address, params, version, changes, bodyMilliseconds }
      call = new Call({ ...known, idempotencyKey: idempotencyKeyOf(key) })
      const given = endpoint.answer(call)
      answer = given instanceof Promise ? await given : given
    }
  } catch (failure) {
    answer = refused(endpoint.form, refusalOf(failure, visit, parts.onError), call?.rpcId)
  }
  const sent = {
    allowance,
    version,
    requestId: echoed(endpoint, headers) ?? visit.id,
    idempotencyKey: printable(key),
    more: endsOf(version, versions),
  }
  if (changes.length > 0) return setHeaders(await comeDown(responseOf(answer), changes), sent)
  return answer instanceof Response ? setHeaders(answer, sent) : textResponse(answer, sent)
}

const responseOf = (answer: Answer) => (answer instanceof Response ? answer : plainResponse(answer))

const isWriting = (method: string) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'

const takes = ({ methods }: Endpoint, method: string) =>
  methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))

/** ACP judges the header itself: its dates are not ours. A date of ours is pinned there as well. */
function versionOf(endpoint: Endpoint, headers: Headers, versions: SiteVersions): string | Refusal {
  const version = pinned(headers.get('api-version'), versions)
  return version instanceof Refusal && endpoint.form === 'acp' ? versions[0].version : version
}

/** The last net: whatever was thrown becomes a refusal, and what is none a line in the log. */
function refusalOf(
  failure: unknown,
  visit: Visit,
  onError: EndpointRouterOptions['onError'],
): Refusal {
  if (!(failure instanceof Refusal)) onError(failure, visit.id)
  const refusal = failure instanceof Refusal ? failure : excuse(failure, visit.id)
  visit.note({ code: refusal.code })
  return refusal
}

function excuse(failure: unknown, requestId: string): Refusal {
  // What may succeed when it is simply asked again: the database is away, or everybody waits.
  if (failure instanceof PoolTimeout || isAway(failure)) return away
  return refuse('internal_error', {
    detail: 'The failure was logged under request_id.',
    members: { request_id: requestId },
  })
}

const away = refuse('service_unavailable', {
  detail: 'A service that this endpoint depends on is unavailable.',
  headers: { 'retry-after': '1' },
})

const tooMany = ({ quota, window, reset }: Allowance) =>
  refuse('rate_limited', {
    detail: `The limit of ${quota} requests per ${window} seconds for this IP address is used up.`,
    hint: `Wait ${reset} ${reset === 1 ? 'second' : 'seconds'}, then send the request again.`,
    headers: { 'retry-after': String(reset) },
  })

function notAllowed(endpoint: Endpoint): Refusal {
  const allow = allowOf(endpoint.methods)
  return refuse('method_not_allowed', { detail: `This path accepts ${allow}.`, headers: { allow } })
}

/** ACP callers name their requests themselves, and want the name back. */
const echoed = ({ form }: Endpoint, headers: Headers) =>
  form === 'acp' ? printable(headers.get('request-id')) : null

const printable = (text: string | null) =>
  text !== null && /^[\x20-\x7e]{1,257}$/.test(text) ? text : null
