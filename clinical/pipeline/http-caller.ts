// Shared by HTTP adapters: reads a request's credential, and keeps the parts of the outcome that
// the response headers and the log line need.

import { limits } from '#contract/limits.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { BodyLimits } from '#http/json-body.ts'
import type { RequestedCall, Outcome } from './requested-call.ts'

const form = /^bearer +(\S+)$/i

/** Returns the bearer token, or null if the header has none, another scheme or more than one
 *  value. */
const bearerOf = (authorization: string | null): string | null =>
  form.exec(authorization?.trim() ?? '')?.[1] ?? null

/** Whether the URL contains a credential. */
const isInAddress = (query: URLSearchParams): boolean =>
  query.has('access_token') || query.has('api_key')

type Presented = Required<
  Pick<RequestedCall<string>, 'token' | 'tokenInAddress' | 'otherScheme' | 'organization'>
> &
  Pick<RequestedCall<string>, 'request' | 'address'>

/** Reads the credential only from the Authorization header: a key in a URL would end up in the logs
 *  and caches of every proxy on the way (RFC 6750, section 5.3). */
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

export const bodyLimits: BodyLimits = {
  bytesMax: limits.bodyBytesMax,
  depthMax: limits.bodyDepthMax,
  takesJsonSuffix: false,
  milliseconds: limits.bodySecondsMax * 1000,
}

export function requestedBy<Id extends string>(
  operation: Id,
  request: HttpRequest,
): RequestedCall<Id> {
  const { headers } = request
  return {
    // Read before the body, because Bun can't return the address after the connection closes.
    ...presentedBy(request),
    operation,
    path: request.path,
    names: request.params,
    query: request.url.searchParams,
    version: headers.get('api-version'),
    idempotencyKey: headers.get('idempotency-key'),
    body: undefined,
    refusedBody: null,
    agent: headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
  }
}

const agentLengthMax = 256
