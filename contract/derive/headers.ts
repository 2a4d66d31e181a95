// The headers of requests and answers (contract/01, section 2), each a component.

import { ids } from '../examples/resources.ts'
import { idPattern, prefixes } from '../ids.ts'
import { apiVersion, limits } from '../limits.ts'
import type { Node } from './schemas.ts'

const requestId = { type: 'string', pattern: idPattern(prefixes.request) }
const count = { type: 'integer', minimum: 0 }

/** Headers that a caller may or must send, as parameters. */
export const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A key of your choice for this one request, such as a UUID. Send the same key when you ' +
      'retry: the request takes effect once, and you receive the first response again. Kept for at least ' +
      `${limits.idempotencyHoursPromised} hours.`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKeyLengthMax,
      pattern: '^[\\x21-\\x7e]+$',
    },
    example: '7b1c9a52-5d0e-4f6b-9a53-2f7f0b6f2c11',
  },
  'Service-Organization': {
    name: 'Service-Organization',
    in: 'header',
    required: false,
    description: 'The organization to act for. It may be omitted when only one has granted access.',
    schema: { type: 'string', pattern: idPattern(prefixes.organization) },
    example: ids.organization,
  },
  'API-Version': {
    name: 'API-Version',
    in: 'header',
    required: false,
    description: 'Pins the API version. Default: the current one.',
    schema: { type: 'string', enum: [apiVersion] },
    example: apiVersion,
  },
} satisfies Node

const rate = {
  'RateLimit-Policy': {
    description: 'The limit that is nearest to being used up, and its window in seconds.',
    schema: { type: 'string' },
    example: `"default";q=${limits.ratePerWindow};w=${limits.rateWindowSeconds}`,
  },
  RateLimit: {
    description: 'What remains of that limit, and the seconds until its window ends.',
    schema: { type: 'string' },
    example: '"default";r=5987;t=41',
  },
  'RateLimit-Limit': {
    description: 'Requests per window.',
    schema: count,
    example: limits.ratePerWindow,
  },
  'RateLimit-Remaining': { description: 'Requests left in it.', schema: count, example: 5987 },
  'RateLimit-Reset': { description: 'Seconds until it ends.', schema: count, example: 41 },
}

/** Headers of answers. */
export const answerHeaders = {
  'Request-Id': {
    description: 'Identifies this request. Quote it to support.',
    required: true,
    schema: requestId,
    example: ids.request,
  },
  'API-Version': {
    description: 'The API version of the response.',
    required: true,
    schema: { type: 'string' },
    example: apiVersion,
  },
  'Cache-Control': {
    description: 'Always `no-store`: responses must not be cached.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  ...rate,
  Location: {
    description: 'The path of the new resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: `/v1/cases/${ids.case}`,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Original-Request-Id': {
    description: 'On a replay, the Request-Id of the request that took effect.',
    schema: requestId,
    example: ids.request,
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next try; never 0.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750.',
    schema: { type: 'string' },
    example: 'Bearer realm="clinical", error="invalid_token"',
  },
} satisfies Node

export type AnswerHeader = keyof typeof answerHeaders

/** On every answer; the limit's own are absent when no credential was recognised. */
export const everyHeader: readonly AnswerHeader[] = [
  'Request-Id',
  'API-Version',
  'Cache-Control',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

export const headerRefs = (names: readonly AnswerHeader[]): Node =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

export const parameterRef = (name: keyof typeof requestHeaders): Node => ({
  $ref: `#/components/parameters/${name}`,
})
