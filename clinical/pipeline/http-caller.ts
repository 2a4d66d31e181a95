// What adapters over HTTP share: how a request presents its caller, and what of the outcome its
// context keeps for the headers of the answer and the line of the log.

import type { HttpRequest } from '#http/http-request.ts'
import type { RequestedCall, Outcome } from './requested-call.ts'

const form = /^bearer +(\S+)$/i

/** The bearer token, or null when the header holds none, another scheme or more than one value. */
const bearerOf = (authorization: string | null): string | null =>
  form.exec(authorization?.trim() ?? '')?.[1] ?? null

/** Whether the URL contains a credential. */
const isInAddress = (query: URLSearchParams): boolean =>
  query.has('access_token') || query.has('api_key')

type Presented = Required<
  Pick<RequestedCall<string>, 'token' | 'tokenInAddress' | 'otherScheme' | 'organization'>
> &
  Pick<RequestedCall<string>, 'request' | 'address'>

/** The credential is read from the Authorization header only: a key in a URL would end up in the
 *  logs and caches of every proxy on the way (RFC 6750, section 5.3). */
export function presentedBy(request: HttpRequest): Presented {
  const { headers } = request
  const tokenInAddress = request.search !== '' && isInAddress(request.url.searchParams)
  const token = tokenInAddress ? null : bearerOf(headers.get('authorization'))
  return {
    token,
    tokenInAddress,
    otherScheme: token === null && headers.has('authorization'),
    organization: headers.get('service-organization'),
    request: request.id,
    address: request.address,
  }
}

export function keepOutcome(request: HttpRequest, { allowance, caller }: Outcome): void {
  request.allowance = allowance
  for (const [name, value] of Object.entries(caller)) if (value) request.logFields[name] = value
}
