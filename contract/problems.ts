// Every problem that the platform's APIs return. Codes are stable, so callers can branch on them.
// Each code has one title and a hint about what to do next.

import { consoleProblems } from './console-problems.ts'
import type { Fault } from './faults.ts'
import { keyForm } from './idempotency-key.ts'

/** Where a problem can occur: the clinical API, the site's endpoints and agents, and a clinic's
 *  console. */
export type Surface = 'v1' | 'site' | 'acp' | 'a2a' | 'mcp' | 'console'

const siteAndAgents = ['site', 'acp', 'a2a', 'mcp'] as const
const everywhere = ['v1', ...siteAndAgents] as const

const rows = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    hint: 'Fix each entry in errors and send the request again.',
    writeHint:
      'Fix each entry in errors and send the request again. You can use the same Idempotency-Key.',
    siteHint: 'Fix what detail describes and send the request again.',
    surfaces: everywhere,
  },
  unsupported_api_version: {
    status: 400,
    title: 'Unknown API version',
    hint: 'Send one of supported_versions in API-Version, or omit the header to get the newest.',
    surfaces: ['site', 'a2a', 'mcp'],
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    hint: `Send ${keyForm}, such as a UUID, with or without double quotes.`,
    surfaces: siteAndAgents,
  },
  idempotency_key_required: {
    status: 400,
    title: 'An Idempotency-Key header is required',
    hint: `Send an Idempotency-Key of ${keyForm}, such as a UUID. Send the same one when you retry.`,
  },
  organization_required: {
    status: 400,
    title: 'An organization is required',
    hint: 'Send one of the IDs in organizations in the Service-Organization header.',
  },
  unauthorized: {
    status: 401,
    title: 'The credential is missing or not valid',
    hint: 'Send Authorization: Bearer followed by an API key or an access token. Credentials in the URL or body are ignored. WWW-Authenticate points to the authorization server.',
  },
  forbidden: {
    status: 403,
    title: 'This credential cannot call this operation',
    hint: 'Use a test credential for sandbox operations and a live credential for live data.',
  },
  insufficient_scope: {
    status: 403,
    title: 'A scope is missing',
    hint: "Use a key or an access token with required_scope. If yours has it, then the clinic's grant or the token's member role doesn't include it. GET /v1/organization lists the scopes you have.",
  },
  organization_not_granted: {
    status: 403,
    title: 'The organization is not granted',
    hint: 'Send an organization that has granted this integration access, or omit Service-Organization if only one has.',
  },
  baa_required: {
    status: 403,
    title: 'A business associate agreement is required',
    detail: 'The integration has no business associate agreement in effect.',
    hint: 'Live requests work once an owner of the integration accepts the agreement in the portal, on the Go live page. Test mode needs no agreement.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from a page on another site',
    hint: 'Open the page on this site and submit its form there. Programs must send neither Sec-Fetch-Site nor Origin.',
    surfaces: ['site'],
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'No such resource exists for this integration, organization and mode.',
    hint: 'Check the ID and the path. The API document is at /openapi/v1.json. Test credentials cannot see live data, and live credentials cannot see test data.',
    siteHint: 'Find the endpoint in /openapi.json, or start at /.well-known/api-catalog.',
    surfaces: ['v1', 'site'],
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    hint: 'Use one of the methods in the Allow header.',
    surfaces: everywhere,
  },
  page_gone: {
    status: 410,
    title: 'This page was taken down',
    hint: 'Open the page in the instead field. If it is null, find another page in /llms.txt.',
    surfaces: ['site'],
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range is outside the file',
    hint: 'Send a Range within the length in Content-Range, or omit it to get the whole file.',
    surfaces: ['site'],
  },
  request_timeout: {
    status: 408,
    title: 'The body did not arrive in time',
    hint: 'Send the whole request again, on a new connection.',
    surfaces: siteAndAgents,
  },
  invalid_transition: {
    status: 409,
    title: 'The current status does not allow this operation',
    hint: 'Read the resource again and act on its current status.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request is still running',
    hint: 'Wait for Retry-After seconds, then send the same request with the same key.',
  },
  slot_unavailable: {
    status: 409,
    title: 'The slot is not available',
    hint: 'Choose another start from GET /v1/visits/slots.',
  },
  join_not_open: {
    status: 409,
    title: 'The visit cannot be joined now',
    hint: 'Call GET /v1/visits/{id}/join again between opens_at and closes_at.',
  },
  export_not_ready: {
    status: 409,
    title: 'The export is not ready',
    hint: 'Poll GET /v1/exports/{id} until its status is completed.',
  },
  upload_missing: {
    status: 409,
    title: 'Nothing was uploaded',
    hint: 'PUT the bytes to upload_url with every entry in upload_headers, then confirm the file again.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'The endpoint is disabled',
    hint: 'Enable the endpoint first: PATCH /v1/webhook_endpoints/{id} with status enabled.',
  },
  endpoint_limit_reached: {
    status: 409,
    title: 'Too many webhook endpoints',
    hint: 'Delete an endpoint you no longer use: DELETE /v1/webhook_endpoints/{id}.',
  },
  gone: {
    status: 410,
    title: 'The download has expired',
    hint: 'Create a new export: POST /v1/patients/{id}/exports.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    hint: 'Send at most limit_bytes.',
    surfaces: everywhere,
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    hint: 'Send Content-Type: application/json and no Content-Encoding.',
    siteHint: 'Send Content-Type: application/json.',
    surfaces: ['v1', 'site'],
  },
  foreign_origin: {
    status: 403,
    title: 'The request comes from another origin',
    detail: 'The request has a session for this origin, but no page on this origin sent it.',
    hint: 'Open the page at this URL and try again there.',
    surfaces: [],
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected Request',
    hint: "Use this service's address. Its operator can add a hostname with ALLOWED_HOSTS.",
    surfaces: [],
  },
  consent_required: {
    status: 422,
    title: 'Both consents are required',
    detail: "The case does not have both of the patient's current consents.",
    hint: 'Record each missing consent with POST /v1/patients/{id}/consents and send its ID in consent_ids.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    detail: 'The key was first used with another method, path, query or body.',
    hint: 'Use a new key for each new request. A key belongs to one method, path, query and body.',
  },
  upgrade_required: {
    status: 426,
    title: 'Upgrade Required',
    hint: 'Connect to this URL with a WebSocket.',
    surfaces: [],
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    hint: 'Wait for Retry-After seconds, then send the request again.',
    writeHint:
      'Wait for Retry-After seconds, then send the request again. Its Idempotency-Key is still unused.',
    surfaces: everywhere,
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    hint: 'Send the request again. If it keeps failing, report request_id to the operator.',
    writeHint:
      'Send the request again with the same Idempotency-Key, so it cannot take effect twice. If it keeps failing, report request_id to the operator.',
    surfaces: everywhere,
  },
  live_not_available: {
    status: 501,
    title: 'Not available in live mode',
    detail: 'This operation exists in test mode only.',
    hint: 'Ask the clinic. Only the clinic can do this.',
  },
  service_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    hint: 'Send the same request again after Retry-After seconds.',
    writeHint:
      'Send the same request again after Retry-After seconds. With the same Idempotency-Key, it cannot take effect twice.',
    surfaces: everywhere,
  },
  ...consoleProblems,
} as const

export type ProblemCode = keyof typeof rows

/** The codes that a surface can return. */
export type ProblemCodeOf<S extends Surface> = {
  [Code in ProblemCode]: S extends SurfaceOf<(typeof rows)[Code]> ? Code : never
}[ProblemCode]

type SurfaceOf<Row> = Row extends { surfaces: readonly (infer S)[] } ? S : 'v1'

export type ProblemRow = {
  readonly status: number
  readonly title: string
  /** The default detail. If absent, the title is the detail. */
  readonly detail?: string
  readonly hint: string
  /** The hint for writes to the clinical API, if different. */
  readonly writeHint?: string
  /** The hint on every surface except the clinical API, if different. */
  readonly siteHint?: string
  /** Absent means the clinical API only. Empty means no API document lists it. */
  readonly surfaces?: readonly Surface[]
}

export const problems: Readonly<Record<ProblemCode, ProblemRow>> = rows

export const isOn = (code: ProblemCode, surface: Surface): boolean =>
  (problems[code].surfaces ?? ['v1']).includes(surface)

/** A surface's codes, in table order. */
export const problemCodesOf = <S extends Surface>(surface: S): ProblemCodeOf<S>[] =>
  (Object.keys(rows) as ProblemCode[]).filter((code): code is ProblemCodeOf<S> =>
    isOn(code, surface),
  )

export function hintOf(code: ProblemCode, surface: Surface, isWrite: boolean): string {
  const { hint, siteHint, writeHint } = problems[code]
  if (surface !== 'v1') return siteHint ?? hint
  return (isWrite ? writeHint : undefined) ?? hint
}

/** The content of a refusal. `detail` and `members` are public, so they contain no patient data. */
export type ProblemContent = {
  detail?: string
  hint?: string
  errors?: readonly Fault[]
  members?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** A refusal that the caller can act on. Only adapters convert a Problem to a response body. */
export class Problem extends Error {
  /** Whether the refused call's audit row is already written. */
  isAudited = false
  constructor(
    readonly code: ProblemCode,
    readonly content: ProblemContent = {},
  ) {
    super(code)
  }
}

/** The refusal for invalid values in a request. */
export function invalid(errors: readonly Fault[], hint?: string): Problem {
  const count = errors.length === 1 ? '1 value' : `${errors.length} values`
  const detail = `${count} in the request ${errors.length === 1 ? 'is' : 'are'} not valid.`
  return new Problem('invalid_request', { detail, errors, ...(hint ? { hint } : {}) })
}
