// Response headers, each with the API whose document lists it.

import { ids } from './examples/resources.ts'
import { idPattern, prefixes } from './ids.ts'
import { apiVersion, limits, previewVersion, siteLimits } from './limits.ts'
import type { ApiName } from './operation.ts'
import { siteVersion } from './versions.ts'

/** When a header is sent: always, or with a write, a created resource, a response that can be
 *  revalidated, a temporary refusal or a 401. */
export type Occasion = 'every' | 'write' | 'created' | 'tagged' | 'wait' | 'challenge'

export type HeaderRow = {
  readonly api: ApiName
  readonly on: Occasion
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: unknown
}

const requestId = { type: 'string', pattern: idPattern(prefixes.request) }
const count = { type: 'integer', minimum: 0 }

/** Response headers. Rate limit headers are absent if the credential was not recognized. */
export const answerHeaders: readonly HeaderRow[] = [
  {
    api: 'clinical',
    on: 'every',
    name: 'Request-Id',
    description: 'Identifies this request. Include it when you contact us.',
    required: true,
    schema: requestId,
    example: ids.request,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'API-Version',
    description: 'The API version of the response.',
    required: true,
    schema: { type: 'string' },
    example: apiVersion,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'Cache-Control',
    description: 'Always `no-store`: responses must not be cached.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'RateLimit-Policy',
    description: 'The limit closest to being used up, and its window in seconds.',
    schema: { type: 'string' },
    example: `"default";q=${limits.ratePerWindow};w=${limits.rateWindowSeconds}`,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'RateLimit',
    description: 'How much of that limit remains, and the seconds until its window ends.',
    schema: { type: 'string' },
    example: '"default";r=5987;t=41',
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'RateLimit-Limit',
    description: 'Requests per window.',
    schema: count,
    example: limits.ratePerWindow,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'RateLimit-Remaining',
    description: 'Requests left in the window.',
    schema: count,
    example: 5987,
  },
  {
    api: 'clinical',
    on: 'every',
    name: 'RateLimit-Reset',
    description: 'Seconds until the window ends.',
    schema: count,
    example: 41,
  },
  {
    api: 'clinical',
    on: 'created',
    name: 'Location',
    description: 'The path of the new resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: `/v1/cases/${ids.case}`,
  },
  {
    api: 'clinical',
    on: 'tagged',
    name: 'ETag',
    description: 'Identifies the bytes of the response. Send it back in If-None-Match.',
    required: true,
    schema: { type: 'string' },
    example: '"5pY0bTfyBIl4LbYvSgzPQJjzJ3cY9W7zT2m1yT8bQ0s"',
  },
  {
    api: 'clinical',
    on: 'write',
    name: 'Idempotent-Replayed',
    description: '`true` if this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  {
    api: 'clinical',
    on: 'write',
    name: 'Original-Request-Id',
    description: 'On a replay, the Request-Id of the request that took effect.',
    schema: requestId,
    example: ids.request,
  },
  {
    api: 'clinical',
    on: 'wait',
    name: 'Retry-After',
    description: 'Whole seconds to wait before you retry. Never 0.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  {
    api: 'clinical',
    on: 'challenge',
    name: 'WWW-Authenticate',
    description: 'The challenge (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="clinical", error="invalid_token"',
  },
  {
    api: 'preview',
    on: 'every',
    name: 'API-Preview',
    description: 'The preview version.',
    required: true,
    schema: { type: 'string' },
    example: previewVersion,
  },
  {
    api: 'site',
    on: 'every',
    name: 'API-Version',
    description: 'The API version of the response.',
    required: true,
    schema: { type: 'string', format: 'date' },
    example: siteVersion,
  },
  {
    api: 'site',
    on: 'every',
    name: 'Request-Id',
    description: 'Identifies this request. Include it when you contact us.',
    required: true,
    schema: { type: 'string' },
    example: 'req_01m7wr0q8g8x2v4n6p1s3t5w7y',
  },
  {
    api: 'site',
    on: 'every',
    name: 'RateLimit-Policy',
    description: `The limit: ${siteLimits.ratePerWindow} requests per ${siteLimits.rateWindowSeconds} seconds for each IP address.`,
    required: true,
    schema: { type: 'string' },
    example: `"default";q=${siteLimits.ratePerWindow};w=${siteLimits.rateWindowSeconds}`,
  },
  {
    api: 'site',
    on: 'every',
    name: 'RateLimit',
    description: 'Requests left in the window, and the seconds until it ends.',
    required: true,
    schema: { type: 'string' },
    example: `"default";r=287;t=42`,
  },
  {
    api: 'site',
    on: 'every',
    name: 'RateLimit-Limit',
    description: 'Requests per window.',
    required: true,
    schema: count,
    example: siteLimits.ratePerWindow,
  },
  {
    api: 'site',
    on: 'every',
    name: 'RateLimit-Remaining',
    description: 'Requests left in the window.',
    required: true,
    schema: count,
    example: 287,
  },
  {
    api: 'site',
    on: 'every',
    name: 'RateLimit-Reset',
    description: 'Seconds until the window ends.',
    required: true,
    schema: count,
    example: 42,
  },
  {
    api: 'site',
    on: 'write',
    name: 'Idempotency-Key',
    description: "The request's key, as it was sent.",
    schema: { type: 'string' },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
  {
    api: 'site',
    on: 'every',
    name: 'Deprecation',
    description: 'When the requested version was deprecated (RFC 9745).',
    schema: { type: 'string' },
    example: '@1787443200',
  },
  {
    api: 'site',
    on: 'every',
    name: 'Sunset',
    description: 'When the requested version stops working (RFC 8594).',
    schema: { type: 'string' },
    example: 'Sat, 21 Nov 2026 00:00:00 GMT',
  },
  {
    api: 'site',
    on: 'wait',
    name: 'Retry-After',
    description: 'Whole seconds to wait before you retry. Never 0.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
]
