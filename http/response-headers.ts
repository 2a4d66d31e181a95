// The headers that a caller sends to every surface, and those that every answer carries.
import { type Allowance, rateHeaders } from './rate-limiter.ts'
import { refuse } from './refusals.ts'

/** What a page elsewhere may read of an answer. */
const exposed = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'API-Version',
  'Request-Id',
  'Idempotency-Key',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
  'Allow',
  'ETag',
].join(', ')

const always: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  // Nothing here knows anybody by a cookie, so any page may ask on behalf of its reader.
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposed],
]

/**
 * An answer as text, for endpoints that are asked often: the door then makes the response at once,
 * which costs a fifth of adding its headers to one that is made.
 */
export type Plain = {
  readonly type: string
  readonly body: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type Sent = {
  readonly allowance: Allowance
  readonly version: string
  readonly requestId: string
  /** As the caller spelled it. */
  readonly idempotencyKey: string | null
  readonly more: readonly (readonly [name: string, value: string])[]
}

/** Adds to an answer what every answer carries. */
export function setHeaders(response: Response, sent: Sent): Response {
  const { headers } = response
  for (const [name, value] of always) headers.set(name, value)
  const { allowance } = sent
  const left = Math.max(0, allowance.left)
  for (const [name, value] of Object.entries(rateHeaders({ ...allowance, left }))) {
    headers.set(name, value)
  }
  headers.set('api-version', sent.version)
  headers.set('request-id', sent.requestId)
  if (sent.idempotencyKey !== null) headers.set('idempotency-key', sent.idempotencyKey)
  // Each answer is counted against the caller's quota, so it is no one else's to reuse.
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  for (const [name, value] of sent.more) headers.append(name, value)
  return response
}

type Template = { headers: Headers; quota: number; window: number; version: string }

/** By media type: what was the same for the last answers, put together once. */
const templates = new Map<string, Template>()

function templateOf(type: string, { allowance, version }: Pick<Sent, 'allowance' | 'version'>) {
  const { quota, window } = allowance
  const last = templates.get(type)
  if (last?.quota === quota && last.window === window && last.version === version) {
    return last.headers
  }
  const sent = { allowance, version, requestId: '', idempotencyKey: null, more: [] }
  const { headers } = setHeaders(new Response(null, { headers: { 'content-type': type } }), sent)
  templates.set(type, { headers, quota, window, version })
  return headers
}

/** The same as `dress`, from a text. */
export function textResponse(
  { type, body, status = 200, headers: own }: Plain,
  sent: Sent,
): Response {
  const { allowance } = sent
  const response = new Response(body, { status, headers: templateOf(type, sent) })
  const { headers } = response
  const left = Math.max(0, allowance.left)
  headers.set('ratelimit', `"${allowance.policy}";r=${left};t=${allowance.reset}`)
  headers.set('ratelimit-remaining', String(left))
  headers.set('ratelimit-reset', String(allowance.reset))
  headers.set('request-id', sent.requestId)
  if (sent.idempotencyKey !== null) headers.set('idempotency-key', sent.idempotencyKey)
  if (own !== undefined) for (const name in own) headers.set(name, own[name] ?? '')
  for (const [name, value] of sent.more) headers.append(name, value)
  return response
}

/** A text as a response of its own, for whoever has to change it before it is sent. */
export const plainResponse = ({ type, body, status = 200, headers }: Plain): Response =>
  new Response(body, { status, headers: { 'content-type': type, ...headers } })

const day = 86_400

/** What a browser asks before it lets a page elsewhere make the call. */
export function preflight(allowed: string): Response {
  const headers = {
    allow: allowed,
    'access-control-allow-methods': allowed,
    // The star does not cover Authorization, which an agent's library may send to everybody.
    'access-control-allow-headers': '*, Authorization',
    'access-control-max-age': String(day),
    vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
  }
  return new Response(null, { status: 204, headers })
}

/** GET is answered to HEAD as well, and every path to OPTIONS. */
export function allowOf(methods: readonly string[]): string {
  const head = methods.includes('GET') ? ['HEAD'] : []
  return [...new Set([...methods, ...head, 'OPTIONS'])].toSorted().join(', ')
}

/**
 * One pair of quotes is not part of the key: the draft writes a string with them, and most clients
 * without. Throws the refusal of a key that is none.
 */
export function idempotencyKeyOf(sent: string | null): string | null {
  if (sent === null) return null
  const plainResponse = /^"(.*)"$/.exec(sent)?.[1] ?? sent
  if (/^[\x21-\x7e]{1,255}$/.test(plainResponse) && !plainResponse.includes('"'))
    return plainResponse
  throw refuse('idempotency_key_invalid', {
    detail:
      'The Idempotency-Key header must be 1 to 255 printable ASCII characters without spaces.',
  })
}
