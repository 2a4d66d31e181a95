// The 27 refusals of the clinical API (contract/04, section 1). A code is the contract: callers
// branch on it. Titles are fixed per code; the hint says the next call to make.

const rows = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    hint: 'Fix each entry of errors and send the request again. The same Idempotency-Key may be used.',
  },
  idempotency_key_required: {
    status: 400,
    title: 'An Idempotency-Key header is required',
    hint: 'Send Idempotency-Key with 1 to 255 printable ASCII characters, such as a UUID, and keep it when you retry.',
  },
  organization_required: {
    status: 400,
    title: 'Name the organization',
    hint: 'Send one id of organizations as the Service-Organization header.',
  },
  unauthorized: {
    status: 401,
    title: 'The credential is missing or not valid',
    hint: 'Send Authorization: Bearer followed by an API key. A key in the URL or the body is never read.',
  },
  forbidden: {
    status: 403,
    title: 'This credential may not do that',
    hint: 'Use a test key under /v1/test, and a live key or a live client for live data.',
  },
  insufficient_scope: {
    status: 403,
    title: 'A scope is missing',
    hint: 'Mint a key that holds required_scope, and ask the clinic to grant it. GET /v1/organization lists what you have.',
  },
  organization_not_granted: {
    status: 403,
    title: 'The organization is not granted',
    hint: 'Name an organization that granted this integration access, or leave Service-Organization out when there is one.',
  },
  baa_required: {
    status: 403,
    title: 'A business associate agreement is required',
    hint: 'An owner of the integration accepts the agreement before live calls work. Test keys need none.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    hint: 'Check the id and the path. The contract is at /openapi/v1.json; test and live never see each other.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    hint: 'Use one of the methods in the Allow header.',
  },
  invalid_transition: {
    status: 409,
    title: 'The status does not allow that',
    hint: 'Read the resource again and decide by its current status.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request is still running',
    hint: 'Wait for Retry-After seconds and send the same request with the same key.',
  },
  slot_unavailable: {
    status: 409,
    title: 'The slot is not available',
    hint: 'Choose another start from GET /v1/visits/slots.',
  },
  join_not_open: {
    status: 409,
    title: 'The visit cannot be joined now',
    hint: 'Ask again between opens_at and closes_at.',
  },
  export_not_ready: {
    status: 409,
    title: 'The export is not ready',
    hint: 'Read the export until its status is completed.',
  },
  upload_missing: {
    status: 409,
    title: 'Nothing was uploaded',
    hint: 'PUT the bytes to upload_url with every entry of upload_headers, then confirm.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'The endpoint is disabled',
    hint: 'PATCH the endpoint with status enabled first.',
  },
  endpoint_limit_reached: {
    status: 409,
    title: 'Too many webhook endpoints',
    hint: 'Delete an endpoint that is no longer used.',
  },
  gone: {
    status: 410,
    title: 'The download has expired',
    hint: 'Create a new export.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    hint: 'Send at most limit_bytes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Send JSON',
    hint: 'Send Content-Type: application/json, without content encoding.',
  },
  consent_required: {
    status: 422,
    title: 'Both consents are required',
    hint: 'Record what is missing with POST /v1/patients/{id}/consents and send its id in consent_ids.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    hint: 'Use a new key for a new request; a key belongs to one method, path, query and body.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    hint: 'Wait for Retry-After seconds and send the request again; an Idempotency-Key is still unused.',
  },
  internal_error: {
    status: 500,
    title: 'Something failed on our side',
    hint: 'Nothing was written. Send the same request again, a write with the same key, and quote request_id to support.',
  },
  live_not_available: {
    status: 501,
    title: 'Not available in live mode',
    hint: 'This is a decision of the clinic, made in its own console.',
  },
  service_unavailable: {
    status: 503,
    title: 'Try again shortly',
    hint: 'Send the same request after Retry-After seconds; a write with the same key cannot take effect twice.',
  },
} as const

export type ProblemCode = keyof typeof rows
export const problems: Record<ProblemCode, { status: number; title: string; hint: string }> = rows
export const problemCodes = Object.keys(rows) as ProblemCode[]

/** What is wrong with one value of a request (contract/04, section 3). */
export const faultCodes = [
  'required',
  'unknown_field',
  'wrong_type',
  'invalid_format',
  'invalid_json',
  'not_in_enum',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'not_unique',
  'unknown_reference',
  'mismatch',
  'not_allowed',
  'not_allowed_in_live',
  'invalid_cursor',
  'unsafe_url',
] as const

export type FaultCode = (typeof faultCodes)[number]

export type Fault = { pointer: string; code: FaultCode; message: string }

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
  /** Whether the call that was refused already left its audit row. */
  noted = false
  constructor(
    readonly code: ProblemCode,
    readonly said: Refused = {},
  ) {
    super(code)
  }
}

/** What to do about a fault of a read, which has no Idempotency-Key. */
export const readHint = 'Fix each entry of errors and send the request again.'

/** The refusal for faults found in the request's own values. */
export function invalid(errors: readonly Fault[], hint?: string): Problem {
  const count = errors.length === 1 ? '1 value' : `${errors.length} values`
  const detail = `${count} of the request ${errors.length === 1 ? 'is' : 'are'} not valid.`
  return new Problem('invalid_request', { detail, errors, ...(hint ? { hint } : {}) })
}
