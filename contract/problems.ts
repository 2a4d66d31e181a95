// Every problem that an API of the platform answers with, once. A code is the contract: callers
// branch on it. Titles are fixed for each code; the hint says the next call to make.

import { consoleProblems } from './console-problems.ts'
import type { Fault } from './faults.ts'
import { keyForm } from './idempotency-key.ts'

/** Where a problem may be answered: the clinical API, the site's endpoints and its agents, and the
 *  console of a clinic. */
export type Surface = 'v1' | 'site' | 'acp' | 'a2a' | 'mcp' | 'console'

const siteAndAgents = ['site', 'acp', 'a2a', 'mcp'] as const
const everywhere = ['v1', ...siteAndAgents] as const

const rows = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    hint: 'Fix each entry of errors and send the request again.',
    writeHint:
      'Fix each entry of errors and send the request again. The same Idempotency-Key may be used.',
    siteHint: 'Fix what detail names, and send the request again.',
    surfaces: everywhere,
  },
  unsupported_api_version: {
    status: 400,
    title: 'Unknown API version',
    hint: 'Send one of supported_versions as API-Version, or omit the header for the newest.',
    surfaces: ['site', 'a2a', 'mcp'],
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    hint: `Send ${keyForm}, such as a UUID, bare or in double quotes.`,
    surfaces: siteAndAgents,
  },
  idempotency_key_required: {
    status: 400,
    title: 'An Idempotency-Key header is required',
    hint: `Send an Idempotency-Key of ${keyForm}, such as a UUID, and the same one when you retry.`,
  },
  organization_required: {
    status: 400,
    title: 'An organization must be named',
    hint: 'Send one of the ids in organizations in the Service-Organization header.',
  },
  unauthorized: {
    status: 401,
    title: 'The credential is missing or not valid',
    hint: 'Send Authorization: Bearer followed by an API key or an access token. One in the URL or the body is ignored. WWW-Authenticate leads to the server that gives tokens.',
  },
  forbidden: {
    status: 403,
    title: 'This credential cannot call this operation',
    hint: 'Use a credential of test mode for operations of the sandbox, and one of live mode for live data.',
  },
  insufficient_scope: {
    status: 403,
    title: 'A scope is missing',
    hint: 'Use a key or an access token that has required_scope. If yours has it, the grant of the clinic lacks it, or the role of the member whom the token acts for. GET /v1/organization lists the scopes you have.',
  },
  organization_not_granted: {
    status: 403,
    title: 'The organization is not granted',
    hint: 'Name an organization that has granted this integration access, or omit Service-Organization when only one has.',
  },
  baa_required: {
    status: 403,
    title: 'A business associate agreement is required',
    detail: 'The integration has no business associate agreement in force.',
    hint: 'Live calls work once an owner of the integration has accepted the agreement in the portal, on the page Go live. Test mode needs none.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from a page of another site',
    hint: 'Open the page of this site and send its form there. A program sends neither Sec-Fetch-Site nor Origin.',
    surfaces: ['site'],
  },
  not_found: {
    status: 404,
    title: 'Not found',
    detail: 'No such resource exists for this integration, organization and mode.',
    hint: 'Check the id and the path. The contract is at /openapi/v1.json. A credential of test mode cannot see live data, nor one of live mode test data.',
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
    hint: 'Open the page that instead names, unless it is null, or find another page in /llms.txt.',
    surfaces: ['site'],
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range is not in the file',
    hint: 'Send a Range within the length that Content-Range names, or none for the whole file.',
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
    hint: 'Read the resource again, and act on its current status.',
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
    hint: 'Call again between opens_at and closes_at: GET /v1/visits/{id}/join.',
  },
  export_not_ready: {
    status: 409,
    title: 'The export is not ready',
    hint: 'Poll GET /v1/exports/{id} until its status is completed.',
  },
  upload_missing: {
    status: 409,
    title: 'Nothing was uploaded',
    hint: 'PUT the bytes to upload_url with every entry of upload_headers, then confirm the file again.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'The endpoint is disabled',
    hint: 'Enable the endpoint first: PATCH /v1/webhook_endpoints/{id} with status enabled.',
  },
  endpoint_limit_reached: {
    status: 409,
    title: 'Too many webhook endpoints',
    hint: 'Delete an endpoint that you no longer use: DELETE /v1/webhook_endpoints/{id}.',
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
    hint: 'Send Content-Type: application/json, and no Content-Encoding.',
    siteHint: 'Send Content-Type: application/json.',
    surfaces: ['v1', 'site'],
  },
  foreign_origin: {
    status: 403,
    title: 'The request comes from another origin',
    detail: 'It carries a session of this origin, and no page of this origin sent it.',
    hint: 'Open the page at this address, and do it there.',
    surfaces: [],
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected Request',
    hint: 'Use the address of this service. Its operator may add a name with ALLOWED_HOSTS.',
    surfaces: [],
  },
  consent_required: {
    status: 422,
    title: 'Both consents are required',
    detail: 'The case does not name both current consents.',
    hint: 'Record what is missing with POST /v1/patients/{id}/consents and send its id in consent_ids.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    detail: 'The key was first used with another method, path, query or body.',
    hint: 'Use a new key for a new request. A key belongs to one method, path, query and body.',
  },
  upgrade_required: {
    status: 426,
    title: 'Upgrade Required',
    hint: 'Open this address as a WebSocket.',
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
    title: 'Something failed on our side',
    hint: 'Send the request again, and report request_id to the operator if it fails again.',
    writeHint:
      'Send the request again with the same Idempotency-Key: it cannot take effect twice. If it fails again, report request_id to the operator.',
    surfaces: everywhere,
  },
  live_not_available: {
    status: 501,
    title: 'Not available in live mode',
    detail: 'This operation exists in test mode only.',
    hint: 'Ask the clinic: only the clinic can do it.',
  },
  service_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    hint: 'Send the same request again after Retry-After seconds.',
    writeHint:
      'Send the same request again after Retry-After seconds. With the same Idempotency-Key it cannot take effect twice.',
    surfaces: everywhere,
  },
  ...consoleProblems,
} as const

export type ProblemCode = keyof typeof rows

/** The codes that one surface may answer with. */
export type ProblemCodeOf<S extends Surface> = {
  [Code in ProblemCode]: S extends SurfaceOf<(typeof rows)[Code]> ? Code : never
}[ProblemCode]

type SurfaceOf<Row> = Row extends { surfaces: readonly (infer S)[] } ? S : 'v1'

export type ProblemRow = {
  readonly status: number
  readonly title: string
  /** The detail where a refusal gives none of its own; absent: the title. */
  readonly detail?: string
  readonly hint: string
  /** The hint for writes of the clinical API, where it is another. */
  readonly writeHint?: string
  /** The hint of every surface but the clinical API, where it is another. */
  readonly siteHint?: string
  /** Absent: the clinical API alone. Empty: answered before any, so no contract lists it. */
  readonly surfaces?: readonly Surface[]
}

export const problems: Readonly<Record<ProblemCode, ProblemRow>> = rows

export const isOn = (code: ProblemCode, surface: Surface): boolean =>
  (problems[code].surfaces ?? ['v1']).includes(surface)

/** In the order of the table. */
export const problemCodesOf = <S extends Surface>(surface: S): ProblemCodeOf<S>[] =>
  (Object.keys(rows) as ProblemCode[]).filter((code): code is ProblemCodeOf<S> =>
    isOn(code, surface),
  )

export function hintOf(code: ProblemCode, surface: Surface, isWrite: boolean): string {
  const { hint, siteHint, writeHint } = problems[code]
  if (surface !== 'v1') return siteHint ?? hint
  return (isWrite ? writeHint : undefined) ?? hint
}

/** What a refusal may say beyond its code. `detail` and `members` are public: no patient value. */
export type Refused = {
  detail?: string
  hint?: string
  errors?: readonly Fault[]
  members?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** A refusal that is the caller's affair. Only an adapter turns it into a body. */
export class Problem extends Error {
  /** Whether the audit row of the refused call is already written. */
  isAudited = false
  constructor(
    readonly code: ProblemCode,
    readonly content: Refused = {},
  ) {
    super(code)
  }
}

/** The refusal for faults found in the request's own values. */
export function invalid(errors: readonly Fault[], hint?: string): Problem {
  const count = errors.length === 1 ? '1 value' : `${errors.length} values`
  const detail = `${count} of the request ${errors.length === 1 ? 'is' : 'are'} not valid.`
  return new Problem('invalid_request', { detail, errors, ...(hint ? { hint } : {}) })
}
