// How often the endpoints may be called. Every limit counts what only its caller can use up, so
// that a valid credential is never refused because of others.

import { createRateLimiter, networkOf, type RateLimiter } from '#http/rate-limiter.ts'
import type { OpenCounter } from '#http/counter.ts'
import { limits } from '#contract/limits.ts'
import type { Context } from './context.ts'
import { OAuthRefusal } from './refuse.ts'

export type Limiters = {
  /** Calls of one client with one secret, or of one client in one network. */
  readonly tokens: RateLimiter
  /** Registrations of one network. */
  readonly registrations: RateLimiter
  /** Failed authentications of one network. */
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
    failures: limiter('failures', limits.authFailuresPerWindow, limits.authWindowSeconds),
  }
}

/** Counts a call; throws when its quota is used up. */
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

/** An address with too many failed authentications gets this instead of the reason. A client that
 *  authenticates is answered as ever, whatever its neighbors do. */
export async function limitFailures(
  { failures }: Limiters,
  context: Pick<Context, 'status' | 'body' | 'set'>,
  address: string | null,
): Promise<void> {
  if (context.status !== 401) return
  const { left, reset } = await failures.take(networkOf(address))
  if (left >= 0) return
  context.status = 429
  context.set('Retry-After', String(reset))
  context.body = {
    error: 'temporarily_unavailable',
    error_description: `too many failed authentications; try again in ${reset} seconds`,
  }
}

export { networkOf }
