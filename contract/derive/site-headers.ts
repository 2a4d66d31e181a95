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
    description: 'Pins a version. Left out, the newest answers.',
    schema: { type: 'string', enum: siteVersions.map(({ version }) => version) },
    example: siteVersion,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A key of your choice for this one call, bare or in double quotes. It is echoed.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
} satisfies Node

export const siteAnswerHeaders = {
  'API-Version': {
    description: 'The version that served this answer.',
    required: true,
    schema: { type: 'string', format: 'date' },
    example: siteVersion,
  },
  'Request-Id': {
    description: 'Names this call. Quote it when you report something.',
    required: true,
    schema: text,
    example: 'req_01m7wr0q8g8x2v4n6p1s3t5w7y',
  },
  'RateLimit-Policy': {
    description: `The quota: ${quota} calls in ${window} seconds for each address.`,
    required: true,
    schema: text,
    example: `"default";q=${quota};w=${window}`,
  },
  RateLimit: {
    description: 'Calls that are left, and seconds until there are all again.',
    required: true,
    schema: text,
    example: `"default";r=287;t=42`,
  },
  'RateLimit-Limit': {
    description: 'Calls in a window.',
    required: true,
    schema: count,
    example: quota,
  },
  'RateLimit-Remaining': {
    description: 'Calls left in it.',
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
    description: 'The key of the call, as it was sent.',
    schema: text,
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
  Deprecation: {
    description: 'Since when the version that was pinned is deprecated (RFC 9745).',
    schema: text,
    example: '@1787443200',
  },
  Sunset: {
    description: 'When the version that was pinned ends (RFC 8594).',
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
