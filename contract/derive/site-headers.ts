// The headers of the site's API, each a component: the same for every endpoint.
import { siteLimits } from '../limits.ts'
import { siteVersion, siteVersions } from '../versions.ts'
import type { Node } from './schemas.ts'

const count = { type: 'integer', minimum: 0 }
const text = { type: 'string' }
const { ratePerWindow: quota, rateWindowSeconds: window } = siteLimits

export const siteRequestHeaders = {
  'API-Version': {
    name: 'API-Version',
    in: 'header',
    required: false,
    description: 'Pins a version. Default: the newest.',
    schema: { type: 'string', enum: siteVersions.map(({ version }) => version) },
    example: siteVersion,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key of your choice for this one request, bare or in double quotes. It is echoed.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
} satisfies Node

export const siteAnswerHeaders = {
  'API-Version': {
    description: 'The API version of the response.',
    required: true,
    schema: { type: 'string', format: 'date' },
    example: siteVersion,
  },
  'Request-Id': {
    description: 'Identifies this request. Quote it to support.',
    required: true,
    schema: text,
    example: 'req_01m7wr0q8g8x2v4n6p1s3t5w7y',
  },
  'RateLimit-Policy': {
    description: `The limit: ${quota} requests per ${window} seconds for each IP address.`,
    required: true,
    schema: text,
    example: `"default";q=${quota};w=${window}`,
  },
  RateLimit: {
    description: 'Requests that remain, and the seconds until the window ends.',
    required: true,
    schema: text,
    example: `"default";r=287;t=42`,
  },
  'RateLimit-Limit': {
    description: 'Requests per window.',
    required: true,
    schema: count,
    example: quota,
  },
  'RateLimit-Remaining': {
    description: 'Requests left in it.',
    required: true,
    schema: count,
    example: 287,
  },
  'RateLimit-Reset': {
    description: 'Seconds until it ends.',
    required: true,
    schema: count,
    example: 42,
  },
  'Idempotency-Key': {
    description: 'The key of the request, as it was sent.',
    schema: text,
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
  Deprecation: {
    description: 'When the pinned version was deprecated (RFC 9745).',
    schema: text,
    example: '@1787443200',
  },
  Sunset: {
    description: 'When the pinned version ends (RFC 8594).',
    schema: text,
    example: 'Sat, 21 Nov 2026 00:00:00 GMT',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next try; never 0.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
} satisfies Node

export type SiteHeader = keyof typeof siteAnswerHeaders

/** On every answer; the last two only in a version that ends. */
export const everySiteHeader: readonly SiteHeader[] = [
  'API-Version',
  'Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
]

export const siteHeaderRefs = (names: readonly SiteHeader[]): Node =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
