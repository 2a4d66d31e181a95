// Rate limits for the endpoints. Each limit counts only requests that the limited caller makes, so
// a valid credential is never refused because of other callers.

import { createRateLimiter, networkOf, type RateLimiter } from '#http/limits/rate-limiter.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import { limits } from '#contract/limits.ts'
import type { AnswerContext } from './context.ts'
import { OAuthRefusal } from './refuse.ts'
import type { OAuthRequest } from './request.ts'

export type Limiters = {
  /** Requests from one client with one secret, code or refresh token. */
  readonly tokens: RateLimiter
  /** Registrations from one network. */
  readonly registrations: RateLimiter
  /** Reports of leaked keys from one network. */
  readonly reports: RateLimiter
  /** Failed authentications from one network, and one client's invalid tokens from that network. */
  readonly failures: RateLimiter
}

export function createLimiters(counter?: OpenCounter): Limiters {
  const limiter = (name: string, quota: number, window: number) =>
    createRateLimiter(`oauth ${name}`, { policy: name, quota, window }, counter)
  return {
    tokens: limiter('tokens', limits.tokenCallsPerWindow, limits.tokenCallsWindowSeconds),
    registrations: limiter(
      'registrations',
      limits.registrationsPerWindow,
      limits.registrationsWindowSeconds,
    ),
    reports: limiter('reports', limits.keyReportsPerWindow, limits.keyReportsWindowSeconds),
    failures: limiter('failures', limits.authFailuresPerWindow, limits.authWindowSeconds),
  }
}

/** Counts a request; throws when its quota is used up. */
export async function takeOne(limiter: RateLimiter, key: string, what: string): Promise<void> {
  const { left, reset } = await limiter.take(key)
  if (left >= 0) return
  throw new OAuthRefusal(
    'temporarily_unavailable',
    `too many ${what}; try again in ${reset} seconds`,
    {
      headers: { 'retry-after': String(reset) },
    },
  )
}

/** Responds with 429 and no reason to an address with too many failed authentications, and to a
 *  client there with too many invalid codes or refresh tokens. Valid requests still succeed. */
export async function limitFailures(
  { failures }: Limiters,
  context: Pick<AnswerContext, 'status' | 'body' | 'set'>,
  { call, client = '' }: OAuthRequest,
): Promise<void> {
  const isUnknown = context.status === 401
  const { error } = (context.body ?? {}) as { error?: string }
  if (!isUnknown && error !== 'invalid_grant') return
  const network = networkOf(call.address)
  const { left, reset } = await failures.take(isUnknown ? network : `${client} ${network}`)
  if (left >= 0) return
  context.status = 429
  context.set('Retry-After', String(reset))
  context.body = {
    error: 'temporarily_unavailable',
    error_description: `too many failed authentications; try again in ${reset} seconds`,
  }
}
