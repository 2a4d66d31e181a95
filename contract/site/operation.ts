// The type of a row in the site's API. A row is the only source of an endpoint's route, input,
// responses and refusals. The OpenAPI document is computed from the rows, and a test sends every
// example to a running gateway.

import type { TObject, TSchema } from 'typebox'
import { type Answer, isWrite, type RouteRow } from '../operation.ts'
import type { ProblemCodeOf } from '../problems.ts'
import type { SiteTag } from './tags.ts'

export type SiteProblemCode = ProblemCodeOf<'site'>

/** The format of an endpoint's errors: RFC 9457, ACP's own, or JSON-RPC's. */
type ErrorFormat = 'problem' | 'acp' | 'jsonrpc'

/** An example request. A test sends the request and expects this status and a documented body. */
export type SiteExample = {
  readonly summary: string
  /** Values for the path parameters. */
  readonly params?: Readonly<Record<string, string>>
  /** The query string, without the question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
}

export type SiteOperation = RouteRow<SiteTag, SiteProblemCode> & {
  readonly method: 'GET' | 'POST'
  readonly form: ErrorFormat
  /** The schema of each path parameter. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly headers?: TObject
  readonly body?: TSchema
  /** Responses, the usual one first. */
  readonly answers: readonly [Answer, ...Answer[]]
  /** Examples by name. Examples with a body are published with the body's schema. */
  readonly examples: Readonly<Record<string, SiteExample>>
}

export const defineSite = <const T extends Record<string, SiteOperation>>(rows: T): T => rows

/** Every refusal code that a row can return. ACP endpoints check their own versions. */
export function siteRefusalsOf(row: SiteOperation): SiteProblemCode[] {
  return [
    ...(row.form === 'acp' ? [] : (['unsupported_api_version'] as const)),
    ...(isWrite(row)
      ? (['idempotency_key_invalid', 'request_timeout', 'payload_too_large'] as const)
      : []),
    ...(row.refuses ?? []),
    'rate_limited',
    'internal_error',
  ]
}
