// How often one may call the API: each integration in each mode, and each address that sends
// refused credentials, so that a key cannot be guessed.

import { limits } from '#contract/limits.ts'
import type { Quota } from '#contract/operation.ts'
import type { OpenCounter } from '#http/counter.ts'
import {
  type Allowance,
  createRateLimiter,
  networkOf,
  type Policy,
  type RateLimiter,
  RateLimitExceeded,
} from '#http/rate-limiter.ts'

export type RateLimits = {
  /** The policy of every call, for answers that counted against none. */
  readonly policy: Policy
  /** Takes one call of the integration's, and one of the quota that the operation has beside it;
   *  throws `rate_limited` when none is left. Answers the one that is nearer its end. */
  take(integration: string, mode: string, quota?: Quota): Promise<Allowance>
  /** Throws when an address sent too many refused credentials. Takes nothing. */
  admit(address: string | null): Promise<void>
  /** Counts a refused credential against its address. */
  recordAuthFailure(address: string | null): Promise<void>
}

export function createRateLimits(quota: number, counter?: OpenCounter): RateLimits {
  const limiter = (name: string, policy: string, quota: number, window: number) =>
    createRateLimiter(name, { policy, quota, window }, counter)
  const calls = limiter('calls', 'default', quota, limits.rateWindowSeconds)
  const failures = limiter(
    'failures',
    'auth',
    limits.authFailuresPerWindow,
    limits.authWindowSeconds,
  )
  const own = (name: Quota, quota: number, window: number) => limiter(name, name, quota, window)
  const { exportsPerWindow, redeliveriesPerWindow, triggersPerWindow } = limits
  const quotas: Record<Quota, RateLimiter> = {
    exports: own('exports', exportsPerWindow, limits.exportsWindowSeconds),
    redeliveries: own('redeliveries', redeliveriesPerWindow, limits.redeliveriesWindowSeconds),
    triggers: own('triggers', triggersPerWindow, limits.triggersWindowSeconds),
  }
  return {
    policy: calls.policy,
    async take(integration, mode, also) {
      const who = `${integration}:${mode}`
      const left = await takeOf(calls, who)
      if (!also) return left
      const taken = await takeOf(quotas[also], who)
      return taken.left / taken.quota < left.left / left.quota ? taken : left
    },
    async admit(address) {
      const allowance = await failures.peek(networkOf(address))
      if (allowance.left <= 0) throw exceeded(allowance)
    },
    async recordAuthFailure(address) {
      await failures.take(networkOf(address))
    },
  }
}

async function takeOf(limiter: RateLimiter, who: string): Promise<Allowance> {
  const taken = limiter.take(who)
  const allowance = taken instanceof Promise ? await taken : taken
  if (allowance.left < 0) throw exceeded(allowance)
  return allowance
}

function exceeded(allowance: Allowance): RateLimitExceeded {
  const { policy, quota, window, reset } = allowance
  const counted = policy === 'default' ? 'requests' : policy
  const limit =
    policy === 'auth'
      ? 'Too many failed authentications from this IP address.'
      : `The limit of ${quota} ${counted} per ${window} seconds is used up.`
  const wait = `Try again in ${reset} ${reset === 1 ? 'second' : 'seconds'}.`
  return new RateLimitExceeded(allowance, `${limit} ${wait}`)
}
