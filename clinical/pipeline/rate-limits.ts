// Rate limits: of calls for each integration and mode, and of failed authentications for each
// client address, so that keys cannot be guessed.

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
  /** The policy of calls, named in the headers of answers that no policy counted. */
  readonly policy: Policy
  /** Counts one call against the integration's quota and, if given, the operation's own quota;
   *  throws `rate_limited` when one is used up. Returns the one with the smaller share left. */
  take(integration: string, mode: string, quota?: Quota): Promise<Allowance>
  /** Throws when the address has too many failed authentications. Counts nothing. */
  admit(address: string | null): Promise<void>
  /** Counts a failed authentication against its address. */
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
  const quotaOf = (name: Quota, quota: number, window: number) => limiter(name, name, quota, window)
  const { exportsPerWindow, redeliveriesPerWindow, triggersPerWindow } = limits
  const quotas: Record<Quota, RateLimiter> = {
    exports: quotaOf('exports', exportsPerWindow, limits.exportsWindowSeconds),
    redeliveries: quotaOf('redeliveries', redeliveriesPerWindow, limits.redeliveriesWindowSeconds),
    triggers: quotaOf('triggers', triggersPerWindow, limits.triggersWindowSeconds),
  }
  return {
    policy: calls.policy,
    async take(integration, mode, operationQuota) {
      const caller = `${integration}:${mode}`
      const left = await takeOf(calls, caller)
      if (!operationQuota) return left
      const taken = await takeOf(quotas[operationQuota], caller)
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

async function takeOf(limiter: RateLimiter, key: string): Promise<Allowance> {
  const taken = limiter.take(key)
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
