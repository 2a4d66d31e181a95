// How often one address may call what answers by itself. A quota counts in a window that begins
// with the first call.
import { type Count, countAlone, type OpenCounter, secondsOf } from './counter.ts'
import { type Allowance, policyOf } from './rate-limiter.ts'
import { siteLimits } from '#contract/limits.ts'
import { LRUCache } from 'lru-cache'
import ipaddr from 'ipaddr.js'

export type Quota = {
  /** As RateLimit-Policy says it. */
  readonly policy: string
  /** Takes one call of this address. `left` is -1 when there was none. */
  take(address: string | null): Allowance | Promise<Allowance>
  /** What is left, without taking any. */
  look(address: string | null): Promise<Allowance>
}

export type QuotaOptions = { requests?: number; seconds?: number; counter?: OpenCounter }

export function openQuota(options: QuotaOptions = {}): Quota {
  const quota = options.requests ?? siteLimits.ratePerWindow
  const window = options.seconds ?? siteLimits.rateWindowSeconds
  const calls = (options.counter ?? countAlone)('site', quota, window)
  const allowance = ({ left, milliseconds }: Count): Allowance => ({
    policy: 'default',
    quota,
    window,
    left: Math.max(-1, left),
    reset: secondsOf(milliseconds),
  })
  // Callers come again: an address is parsed once.
  const places = new LRUCache<string, string>({ max: cachedMax, memoMethod: placeOf })
  const cachedPlaceOf = (address: string | null) =>
    address === null ? placeOf(null) : places.memo(address)
  return {
    policy: policyOf({ policy: 'default', quota, window }),
    take(address) {
      const count = calls.take(cachedPlaceOf(address))
      return count instanceof Promise ? count.then(allowance) : allowance(count)
    },
    async look(address) {
      const count = await calls.look(cachedPlaceOf(address))
      const { left, milliseconds } = count ?? { left: quota, milliseconds: window * 1000 }
      return allowance({ left: Math.max(0, left), milliseconds })
    },
  }
}

const cachedMax = 1000

/** A household has one IPv4 address, and as many of IPv6 as it likes within one /64. */
export function placeOf(address: string | null): string {
  if (address === null) return 'unknown'
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return address
  const groups = parsed.toNormalizedString().split(':').slice(0, 4)
  return `${groups.join(':')}::/64`
}
