// Rate limits: calls per integration and mode, and failed authentications per client address. Only
// failures are limited by address: a valid credential is accepted from any address, because others
// behind the same address may be guessing.

import { limits } from '#contract/limits.ts'
import type { Quota } from '#contract/operation.ts'
import { type OpenCounter, secondsText } from '#http/limits/counter.ts'
import {
  type Allowance,
  createRateLimiter,
  networkOf,
  type Policy,
  type RateLimiter,
  RateLimitExceeded,
} from '#http/limits/rate-limiter.ts'

export type RateLimits = {
  /** The policy for calls, named in the headers of responses that no policy counted. */
  readonly policy: Policy
  /** Counts one call against the integration's quota and, if given, the operation's own quota;
   *  throws `rate_limited` when one is used up. Returns the quota with the smaller share left. A
   *  member's call counts against the member's own quota instead, so pages don't use the
   *  integration's quota, and they keep working while its programs are refused. */
  take(integration: string, mode: string, quota?: Quota, member?: string | null): Promise<Allowance>
  /** Whether the address has too many failed authentications with keys. Doesn't count anything. */
  hasFailedTooOften(address: string | null): Promise<boolean>
  /** Counts a failed authentication against its address. When the address has too many, returns the
   *  problem to send instead of `unauthorized`. */
  recordAuthFailure(
    address: string | null,
    kind?: CredentialKind,
  ): Promise<RateLimitExceeded | null>
}

/** Failures with realtime tokens and requests without any credential are counted separately,
 *  because any web page can cause them in the browser of a visitor who shares an address with API
 *  callers. */
type CredentialKind = keyof typeof credentialNames
const credentialNames = {
  key: 'API key',
  none: 'API key',
  realtimeToken: 'realtime token',
} as const

export function createRateLimits(quota: number, counter?: OpenCounter): RateLimits {
  const limiter = (name: string, policy: string, quota: number, window: number) =>
    createRateLimiter(name, { policy, quota, window }, counter)
  const calls = limiter('calls', 'default', quota, limits.rateWindowSeconds)
  const { authFailuresPerWindow, authWindowSeconds } = limits
  const failuresOf = (name: string) =>
    limiter(name, 'auth', authFailuresPerWindow, authWindowSeconds)
  const failures: Record<CredentialKind, RateLimiter> = {
    key: failuresOf('failures'),
    none: failuresOf('no-credential'),
    realtimeToken: failuresOf('realtime-failures'),
  }
  const quotaOf = (name: Quota, quota: number, window: number) => limiter(name, name, quota, window)
  const { exportsPerWindow, redeliveriesPerWindow, triggersPerWindow } = limits
  const quotas: Record<Quota, RateLimiter> = {
    exports: quotaOf('exports', exportsPerWindow, limits.exportsWindowSeconds),
    redeliveries: quotaOf('redeliveries', redeliveriesPerWindow, limits.redeliveriesWindowSeconds),
    triggers: quotaOf('triggers', triggersPerWindow, limits.triggersWindowSeconds),
  }
  return {
    policy: calls.policy,
    async take(integration, mode, operationQuota, member = null) {
      const caller = `${integration}:${mode}`
      const left = await takeOf(calls, member === null ? caller : `${member}:${mode}`)
      if (!operationQuota) return left
      const taken = await takeOf(quotas[operationQuota], caller)
      return taken.left / taken.quota < left.left / left.quota ? taken : left
    },
    async hasFailedTooOften(address) {
      return (await failures.key.peek(networkOf(address))).left <= 0
    },
    async recordAuthFailure(address, kind = 'key') {
      const allowance = await failures[kind].take(networkOf(address))
      return allowance.left < 0 ? tooManyFailures(allowance, credentialNames[kind]) : null
    },
  }
}

async function takeOf(limiter: RateLimiter, key: string): Promise<Allowance> {
  const allowance = await limiter.take(key)
  if (allowance.left < 0) throw exceeded(allowance)
  return allowance
}

function exceeded(allowance: Allowance): RateLimitExceeded {
  const { policy, quota, window, reset } = allowance
  const counted = policy === 'default' ? 'requests' : policy
  return new RateLimitExceeded(
    allowance,
    `The limit of ${quota} ${counted} per ${window} seconds was reached. ${waitText(reset)}`,
  )
}

const tooManyFailures = (allowance: Allowance, credential: string) =>
  new RateLimitExceeded(
    allowance,
    `Too many failed authentications from this IP address. ${waitText(allowance.reset)}`,
    `Send a valid ${credential}: it is accepted right away. Otherwise wait for Retry-After seconds.`,
  )

const waitText = (seconds: number) => `Try again in ${secondsText(seconds)}.`
