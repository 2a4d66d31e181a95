// One occasion of each refusal of the site's API, for the published contract.
import { siteLimits } from '../limits.ts'
import { type SiteProblemCode, siteProblems } from '../site/problems.ts'
import { siteVersion } from '../versions.ts'

type Occasion = { detail: string; members?: Readonly<Record<string, unknown>> }

const occasions: Record<SiteProblemCode, Occasion> = {
  invalid_request: { detail: 'limit is not a whole number from 1 to 50.' },
  unsupported_api_version: {
    detail: 'API-Version is no date of a version that is served.',
    members: { supported_versions: [siteVersion] },
  },
  idempotency_key_invalid: {
    detail: 'Idempotency-Key is empty, too long, or holds a character that it may not hold.',
  },
  not_found: { detail: 'There is no endpoint at this path.' },
  method_not_allowed: { detail: 'This path takes GET, HEAD, OPTIONS.' },
  page_gone: {
    detail: 'Taken down on 20 November 2026. What it said is no longer true of the law.',
    members: { instead: '/blog' },
  },
  request_timeout: { detail: 'The body did not end in time.' },
  payload_too_large: {
    detail: `The body is larger than ${siteLimits.bodyBytesMax} bytes.`,
    members: { limit_bytes: siteLimits.bodyBytesMax },
  },
  unsupported_media_type: { detail: 'The body is not sent as JSON.' },
  rate_limited: {
    detail: `The quota of ${siteLimits.ratePerWindow} requests per ${siteLimits.rateWindowSeconds} seconds for this address is used up.`,
  },
  internal_error: {
    detail: 'The failure was logged under request_id.',
    members: { request_id: 'req_01m7wr0q8g8x2v4n6p1s3t5w7y' },
  },
  service_unavailable: { detail: 'A part that this needs does not answer.' },
}

/** The body of a refusal as RFC 9457 has it. */
export function siteProblemExample(code: SiteProblemCode): Readonly<Record<string, unknown>> {
  const { status, title, hint } = siteProblems[code]
  const { detail, members } = occasions[code]
  return { type: `/problems/${code}`, title, status, detail, code, hint, ...members }
}
