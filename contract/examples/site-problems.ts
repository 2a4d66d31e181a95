// An example of each of the site API's refusals, for its document.
import { keyForm } from '../idempotency-key.ts'
import { siteLimits } from '../limits.ts'
import { hintOf, type ProblemCodeOf, problems } from '../problems.ts'
import { siteVersion } from '../versions.ts'

type Occasion = { detail: string; members?: Readonly<Record<string, unknown>> }

const occasions: Record<ProblemCodeOf<'site'>, Occasion> = {
  invalid_request: { detail: 'limit must be an integer from 1 to 50.' },
  unsupported_api_version: {
    detail: 'API-Version must be one of supported_versions, or omitted.',
    members: { supported_versions: [siteVersion] },
  },
  idempotency_key_invalid: {
    detail: `The Idempotency-Key header must be ${keyForm}.`,
  },
  cross_site_request: { detail: 'The request came from a page on another site.' },
  not_found: { detail: 'This path does not exist.' },
  method_not_allowed: { detail: 'This path accepts GET, HEAD, OPTIONS.' },
  page_gone: {
    detail: 'Taken down on November 20, 2026. The law it described has changed.',
    members: { instead: '/blog' },
  },
  range_not_satisfiable: { detail: 'Range must begin within the 212340 bytes of the file.' },
  request_timeout: { detail: 'The body did not arrive in time.' },
  payload_too_large: {
    detail: `The body must not be larger than ${siteLimits.bodyBytesMax} bytes.`,
    members: { limit_bytes: siteLimits.bodyBytesMax },
  },
  unsupported_media_type: { detail: 'Content-Type must be application/json.' },
  rate_limited: {
    detail: `The limit of ${siteLimits.ratePerWindow} requests per ${siteLimits.rateWindowSeconds} seconds for this IP address was reached.`,
  },
  internal_error: {
    detail: 'The failure was logged under request_id.',
    members: { request_id: 'req_01m7wr0q8g8x2v4n6p1s3t5w7y' },
  },
  service_unavailable: { detail: 'A service that this endpoint depends on is unavailable.' },
}

/** A refusal's body in RFC 9457 format. */
export function siteProblemExample(code: ProblemCodeOf<'site'>): Readonly<Record<string, unknown>> {
  const { status, title } = problems[code]
  const hint = hintOf(code, 'site', false)
  const { detail, members } = occasions[code]
  return { type: `/problems/${code}`, title, status, detail, code, hint, ...members }
}
