// Every response's headers, by its endpoint's group: `api` is the clinical API, `preview` its
// preview, `site` the endpoints for the site and agents, `tools` the clinical tool server, `page`
// pages for people, whose URLs may contain a key, and `file` public files that any cache may store.
import { daySeconds } from '#contract/moments.ts'
import { previewVersion } from '#contract/limits.ts'
import type { Allowance, Policy } from './limits/rate-limiter.ts'

export type HeaderGroup = 'api' | 'preview' | 'site' | 'tools' | 'page' | 'file'

/** Groups that pages of any origin may call. Their endpoints read no cookie, so the browser adds no
 *  authority that the page lacks. The API isn't in the list, because an API key doesn't belong in a
 *  page. */
const open = ['site', 'tools'] as const

export const allowsOrigins = (group: HeaderGroup): boolean => open.some(each => each === group)

/** The headers that other origins' pages may read. */
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
  'WWW-Authenticate',
].join(', ')

type Values = { readonly version: string; readonly policy: Policy }
type Row = {
  readonly groups: readonly HeaderGroup[]
  readonly value: string | ((values: Values) => string)
}
const all = ['api', 'preview', 'site', 'tools', 'page', 'file'] as const

const table: Readonly<Record<string, Row>> = {
  'api-version': { groups: all, value: ({ version }) => version },
  'api-preview': { groups: ['preview'], value: previewVersion },
  'ratelimit-policy': { groups: all, value: ({ policy }) => policyText(policy) },
  'x-content-type-options': { groups: all, value: 'nosniff' },
  'referrer-policy': { groups: ['site', 'page', 'file'], value: 'strict-origin-when-cross-origin' },
  // RateLimit headers belong to one caller, so no cache may reuse the response for another.
  'cache-control': { groups: ['api', 'preview', 'site', 'tools', 'page'], value: 'no-store' },
  'access-control-allow-origin': { groups: open, value: '*' },
  'access-control-expose-headers': { groups: open, value: exposed },
  // A page's URL may contain a key, so no other origin may read or embed the page.
  'cross-origin-resource-policy': { groups: ['page'], value: 'same-origin' },
}

/** The value of RateLimit-Policy. */
export const policyText = ({ policy, quota, window }: Policy) =>
  `"${policy}";q=${quota};w=${window}`

type Pair = readonly [name: string, value: string]

/** The headers of a group that depend only on version and policy. */
export const constantHeaders = (group: HeaderGroup, values: Values): readonly Pair[] =>
  Object.entries(table)
    .filter(([, { groups }]) => groups.includes(group))
    .map(([name, { value }]) => [name, typeof value === 'string' ? value : value(values)])

/** The headers that each response adds. */
type AnswerHeaders = {
  readonly requestId: string
  /** Null if no policy counted the request. */
  readonly allowance: Allowance | null
  /** The value as sent. Null if the group doesn't echo the key. */
  readonly idempotencyKey: string | null
  /** True when the body stays unread, because its bytes would be parsed as the next request. */
  readonly closesConnection: boolean
  readonly more: readonly Pair[]
}

/** Adds a response's own headers to its group's. */
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

/** Constant headers with the media type and quota, cached by media type until the version or policy
 *  changes. */
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

/** Headers of the response to a CORS preflight. */
export const preflightHeaders = (allowed: string): Record<string, string> => ({
  allow: allowed,
  'access-control-allow-methods': allowed,
  // The wildcard doesn't cover Authorization, which some HTTP libraries send to every server.
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': String(daySeconds),
  vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
})

const methodOrder = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The value of Allow: GET adds HEAD, and CORS adds OPTIONS. */
export function allowOf(methods: readonly string[], allowsOrigins: boolean): string {
  const accepted = new Set([
    ...methods,
    ...(methods.includes('GET') ? ['HEAD'] : []),
    ...(allowsOrigins ? ['OPTIONS'] : []),
  ])
  return methodOrder.filter(method => accepted.has(method)).join(', ')
}
