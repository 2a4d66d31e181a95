// The refusals of the site's API. A code is the contract: callers branch on it. Titles are fixed
// for each code; a hint stands here where it is the same for every occasion.

const rows = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    hint: 'Fix what detail names, and send the request again.',
  },
  unsupported_api_version: {
    status: 400,
    title: 'Unknown API version',
    hint: 'Send one of supported_versions as API-Version, or omit the header for the newest.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    hint: 'Send 1 to 255 printable ASCII characters without spaces, such as a UUID, bare or in double quotes.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    hint: 'Find the endpoint in /openapi.json, or start at /.well-known/api-catalog.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    hint: 'Use one of the methods in the Allow header.',
  },
  page_gone: {
    status: 410,
    title: 'This page was taken down',
    hint: 'Open the page in instead, unless it is null, or find another page in /llms.txt.',
  },
  request_timeout: {
    status: 408,
    title: 'The body did not arrive in time',
    hint: 'Send the whole request again, on a new connection.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    hint: 'Send at most limit_bytes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    hint: 'Send Content-Type: application/json.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    hint: 'Wait for Retry-After seconds, and send the request again.',
  },
  internal_error: {
    status: 500,
    title: 'Something failed on our side',
    hint: 'Send the request again, and quote request_id if it fails again.',
  },
  service_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    hint: 'Send the same request again after Retry-After seconds.',
  },
} as const

export type SiteProblemCode = keyof typeof rows

export const siteProblems: Record<
  SiteProblemCode,
  { status: number; title: string; hint: string }
> = rows

export const siteProblemCodes = Object.keys(rows) as SiteProblemCode[]
