// What adapters over HTTP share: how a request presents its caller, and what of the outcome its
// context keeps for the headers of the answer and the line of the log.

import type { RequestContext } from '#http/request-context.ts'
import type { OperationRequest, Outcome } from './request.ts'

const form = /^bearer +(\S+)$/i

/** The bearer token, or null when the header holds none, another scheme or more than one value. */
const bearerOf = (authorization: string | null): string | null =>
  form.exec(authorization?.trim() ?? '')?.[1] ?? null

/** Whether the URL contains a credential. */
const isInAddress = (query: URLSearchParams): boolean =>
  query.has('access_token') || query.has('api_key')

type Presented = Required<
  Pick<OperationRequest<string>, 'token' | 'tokenInAddress' | 'otherScheme' | 'organization'>
> &
  Pick<OperationRequest<string>, 'request' | 'address'>

/** The credential is read from the Authorization header only: a key in a URL would end up in the
 *  logs and caches of every proxy on the way (RFC 6750, section 5.3). */
export function presentedBy(request: RequestContext): Presented {
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

export function keepOutcome(request: RequestContext, { allowance, caller }: Outcome): void {
  request.allowance = allowance
  for (const [name, value] of Object.entries(caller)) if (value) request.logFields[name] = value
}
