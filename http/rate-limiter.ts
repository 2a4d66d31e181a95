// How often one may call (contract/04, section 6): each integration in each mode, and each address
// that sends refused credentials, so that a key cannot be guessed.

import { limits } from '#contract/limits.ts'
import type { Quota } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import { countAlone, type Counter, type OpenCounter, secondsOf } from './counter.ts'

/** What is left of a policy: what the RateLimit headers say. */
export type Allowance = {
  policy: string
  quota: number
  window: number
  left: number
  reset: number
}

export type Limiter = {
  /** The policy of every call, for answers that counted against none. */
  readonly policy: string
  /** Takes one call of the integration's, and one of the quota that the operation has beside it;
   *  throws `rate_limited` when none is left. Answers the one that is nearer its end. */
  take(integration: string, mode: string, quota?: Quota): Promise<Allowance>
  /** Throws when an address sent too many refused credentials. Takes nothing. */
  admit(address: string): Promise<void>
  /** Counts a refused credential against its address. */
  recordAuthFailure(address: string): Promise<void>
}

/** Nothing is left of a policy, and what its headers say. */
export class Exhausted extends Problem {
  constructor(
    seconds: number,
    readonly allowance: Allowance,
  ) {
    super('rate_limited', {
      detail: `${exceeded(allowance)} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      headers: { 'retry-after': String(seconds) },
    })
  }
}

/** Which limit was reached. */
function exceeded({ policy, quota, window }: Allowance): string {
  if (policy === 'auth') return 'Too many failed authentications from this IP address.'
  const counted = policy === 'default' ? 'requests' : policy
  return `The limit of ${quota} ${counted} per ${window} seconds is used up.`
}

export function openLimiter(quota: number, open: OpenCounter = countAlone): Limiter {
  const window = limits.rateWindowSeconds
  const calls = open('calls', quota, window)
  const failures = open('failures', limits.authFailuresPerWindow, limits.authWindowSeconds)
  const all: Policy = { counter: calls, policy: 'default', quota, window }
  const special = (policy: Quota, quota: number, window: number): Policy => ({
    counter: open(policy, quota, window),
    policy,
    quota,
    window,
  })
  const specials: Record<Quota, Policy> = {
    exports: special('exports', limits.exportsPerWindow, limits.exportsWindowSeconds),
    redeliveries: special(
      'redeliveries',
      limits.redeliveriesPerWindow,
      limits.redeliveriesWindowSeconds,
    ),
    triggers: special('triggers', limits.triggersPerWindow, limits.triggersWindowSeconds),
  }
  return {
    policy: policyOf(all),
    async take(integration, mode, also) {
      const who = `${integration}:${mode}`
      const left = await takeOf(all, who)
      if (!also) return left
      const taken = await takeOf(specials[also], who)
      return taken.left / taken.quota < left.left / left.quota ? taken : left
    },
    async admit(address) {
      const count = await failures.look(address)
      if (count !== undefined && count.left <= 0) {
        const reset = secondsOf(count.milliseconds)
        throw new Exhausted(reset, { ...auth, left: 0, reset })
      }
    },
    async recordAuthFailure(address) {
      await failures.take(address)
    },
  }
}

type Policy = Pick<Allowance, 'policy' | 'quota' | 'window'> & { counter: Counter }

async function takeOf({ counter, ...policy }: Policy, who: string): Promise<Allowance> {
  const count = await counter.take(who)
  const reset = secondsOf(count.milliseconds)
  const allowance = { ...policy, left: Math.max(0, count.left), reset }
  if (count.left < 0) throw new Exhausted(reset, allowance)
  return allowance
}

const auth = {
  policy: 'auth',
  quota: limits.authFailuresPerWindow,
  window: limits.authWindowSeconds,
}

export const policyOf = ({
  policy,
  quota,
  window,
}: Pick<Allowance, 'policy' | 'quota' | 'window'>) => `"${policy}";q=${quota};w=${window}`

/** The five headers of a policy, spelled as the content API spells them. */
export const rateHeaders = (a: Allowance): Record<string, string> => ({
  'ratelimit-policy': policyOf(a),
  ratelimit: `"${a.policy}";r=${a.left};t=${a.reset}`,
  'ratelimit-limit': String(a.quota),
  'ratelimit-remaining': String(a.left),
  'ratelimit-reset': String(a.reset),
})
