// The shape of a row of the site's API. A row is the only place where an endpoint's route, input,
// answers and refusals are stated; the published contract is computed from it, and a test sends
// every example of it to a running gateway.

import type { TObject, TSchema } from 'typebox'
import { type Answer, isWrite, type RouteRow } from '../operation.ts'
import type { SiteProblemCode } from './problems.ts'
import type { SiteTag } from './tags.ts'

/** The format of an endpoint's errors: RFC 9457, ACP's own, or JSON-RPC's. */
export type ErrorFormat = 'problem' | 'acp' | 'jsonrpc'

/** A request that shows the endpoint. A test sends it and wants this status and a stated shape. */
export type SiteExample = {
  readonly summary: string
  /** For the names in braces of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** As it stands in the address, without the question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
}

export type SiteOperation = RouteRow<SiteTag, SiteProblemCode> & {
  readonly method: 'GET' | 'POST'
  readonly form: ErrorFormat
  /** What each name in braces is. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly headers?: TObject
  readonly body?: TSchema
  /** The usual one first. */
  readonly answers: readonly [Answer, ...Answer[]]
  /** By name; those of a body are published with it. */
  readonly examples: Readonly<Record<string, SiteExample>>
}

export const defineSite = <const T extends Record<string, SiteOperation>>(rows: T): T => rows

/** What a row may refuse. ACP judges versions itself, because its dates are others. */
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
