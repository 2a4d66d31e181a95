// The header table: which headers every answer carries, by the group of its endpoint. `api` is the
// clinical API, `site` the endpoints of the site and its agents, `file` a file that anyone may
// cache.
import type { Allowance, Policy } from './rate-limiter.ts'

export type HeaderGroup = 'api' | 'site' | 'file'

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

type Values = { readonly version: string; readonly policy: Policy }
type Row = {
  readonly groups: readonly HeaderGroup[]
  readonly value: string | ((values: Values) => string)
}
const all = ['api', 'site', 'file'] as const

const table: Readonly<Record<string, Row>> = {
  'api-version': { groups: all, value: ({ version }) => version },
  'ratelimit-policy': { groups: all, value: ({ policy }) => policyText(policy) },
  'x-content-type-options': { groups: all, value: 'nosniff' },
  'referrer-policy': { groups: ['site', 'file'], value: 'strict-origin-when-cross-origin' },
  // Each answer is counted against its caller's quota, so it is no one else's to reuse.
  'cache-control': { groups: ['api', 'site'], value: 'no-store' },
  // Nothing on the site knows anybody by a cookie, so any page may ask on behalf of its reader.
  'access-control-allow-origin': { groups: ['site'], value: '*' },
  'access-control-expose-headers': { groups: ['site'], value: exposed },
}

/** As RateLimit-Policy says it. */
export const policyText = ({ policy, quota, window }: Policy) =>
  `"${policy}";q=${quota};w=${window}`

type Pair = readonly [name: string, value: string]

/** The headers of a group that are the same for one answer after another. */
export const constantHeaders = (group: HeaderGroup, values: Values): readonly Pair[] =>
  Object.entries(table)
    .filter(([, { groups }]) => groups.includes(group))
    .map(([name, { value }]) => [name, typeof value === 'string' ? value : value(values)])

/** Beside these, each answer has its own: */
export type AnswerHeaders = {
  readonly requestId: string
  /** Of the call; null where it counted against no policy. */
  readonly allowance: Allowance | null
  /** As the caller spelled it, where the group echoes it. */
  readonly idempotencyKey: string | null
  /** The bytes of a body that nobody reads would be taken for the next request. */
  readonly closesConnection: boolean
  readonly more: readonly Pair[]
}

/** Sets what each answer has of its own beside the template of its group. */
export function setHeaders(headers: Headers, own: AnswerHeaders): void {
  headers.set('request-id', own.requestId)
  const { allowance } = own
  if (allowance !== null) {
    const left = Math.max(0, allowance.left)
    headers.set('ratelimit', `"${allowance.policy}";r=${left};t=${allowance.reset}`)
    headers.set('ratelimit-remaining', String(left))
    headers.set('ratelimit-reset', String(allowance.reset))
  }
  if (own.idempotencyKey !== null) headers.set('idempotency-key', own.idempotencyKey)
  if (own.closesConnection) headers.set('connection', 'close')
  for (const [name, value] of own.more) headers.append(name, value)
}

type Template = { readonly headers: Headers; readonly version: string; readonly policy: Policy }

/** Constant headers with a media type and the quota of a counted call, put together when one of
 *  them is another than for the last answer of that type. */
export function headerTemplates(group: HeaderGroup) {
  const counted = new Map<string, Template>()
  const uncounted = new Map<string, Template>()
  return (type: string, version: string, policy: Policy, isCounted: boolean): Headers => {
    const templates = isCounted ? counted : uncounted
    const last = templates.get(type)
    if (last?.version === version && isSame(last.policy, policy)) return last.headers
    const headers = new Headers()
    for (const [name, value] of constantHeaders(group, { version, policy })) {
      headers.set(name, value)
    }
    headers.set('content-type', type)
    if (isCounted) headers.set('ratelimit-limit', String(policy.quota))
    templates.set(type, { headers, version, policy })
    return headers
  }
}

const isSame = (one: Policy, other: Policy) =>
  one.quota === other.quota && one.window === other.window && one.policy === other.policy

const day = 86_400

/** What a browser asks before it lets a page elsewhere make the call. */
export const preflightHeaders = (allowed: string): Record<string, string> => ({
  allow: allowed,
  'access-control-allow-methods': allowed,
  // The star does not cover Authorization, which an agent's library may send to everybody.
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': String(day),
  vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
})

const methodOrder = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** As Allow lists them. GET is answered to HEAD as well; OPTIONS where other origins may call. */
export function allowOf(methods: readonly string[], allowsOrigins: boolean): string {
  const taken = new Set([
    ...methods,
    ...(methods.includes('GET') ? ['HEAD'] : []),
    ...(allowsOrigins ? ['OPTIONS'] : []),
  ])
  return methodOrder.filter(method => taken.has(method)).join(', ')
}
