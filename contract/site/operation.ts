// The shape of a row of the site's API. A row is the only place where an endpoint's route, input,
// answers and refusals are stated; the published contract is computed from it, and a test sends
// every example of it to a running gateway.

import type { TObject, TSchema } from 'typebox'
import type { SiteProblemCode } from './problems.ts'
import type { SiteTag } from './tags.ts'

/** In which form an endpoint refuses: RFC 9457, ACP's error, or JSON-RPC's. */
export type SiteForm = 'problem' | 'acp' | 'jsonrpc'

export type SiteAnswer = {
  readonly status: number
  readonly description: string
  /** By media type. */
  readonly content: Readonly<
    Record<string, { readonly schema: TSchema; readonly example?: unknown }>
  >
}

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

export type SiteOperation = {
  readonly method: 'GET' | 'POST'
  /** `/api/things/{id}`. */
  readonly path: `/${string}`
  readonly tag: SiteTag
  readonly form: SiteForm
  readonly summary: string
  readonly description?: string
  /** What each name in braces is. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** The usual one first. */
  readonly answers: readonly [SiteAnswer, ...SiteAnswer[]]
  /** Beyond what the door refuses of every call. */
  readonly refuses?: readonly SiteProblemCode[]
  /** By name; those of a body are published with it. */
  readonly examples: Readonly<Record<string, SiteExample>>
}

export const defineSite = <const T extends Record<string, SiteOperation>>(rows: T): T => rows

/** What a row may refuse. ACP judges versions itself, because its dates are others. */
export function siteRefusalsOf(row: SiteOperation): SiteProblemCode[] {
  return [
    ...(row.form === 'acp' ? [] : (['unsupported_api_version'] as const)),
    ...(row.method === 'POST'
      ? (['idempotency_key_invalid', 'request_timeout', 'payload_too_large'] as const)
      : []),
    ...(row.refuses ?? []),
    'rate_limited',
    'internal_error',
  ]
}
