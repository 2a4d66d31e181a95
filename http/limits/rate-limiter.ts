// Limits each key's requests in a window that starts with its first request.
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Problem } from '#contract/problems.ts'
import { type Count, countInProcess, type OpenCounter, secondsOf } from './counter.ts'

export type Policy = {
  readonly policy: string
  readonly quota: number
  /** Seconds. */
  readonly window: number
}

/** One key's remaining quota, for the RateLimit headers. */
export type Allowance = Policy & {
  /** -1 if no quota was left for this request. */
  readonly left: number
  readonly reset: number
}

export type RateLimiter = {
  readonly policy: Policy
  /** Counts one request from this key. */
  take(key: string): Promise<Allowance>
  /** Returns the remaining quota without counting a request. */
  peek(key: string): Promise<Allowance>
}

/** `name` must be the same on all gateways that share counts. */
export function createRateLimiter(
  name: string,
  policy: Policy,
  counter: OpenCounter = countInProcess,
): RateLimiter {
  const { quota, window } = policy
  const calls = counter(name, quota, window)
  const allowance = ({ left, milliseconds }: Count): Allowance => ({
    ...policy,
    left: Math.max(-1, left),
    reset: secondsOf(milliseconds),
  })
  return {
    policy,
    take: async key => allowance(await calls.take(key)),
    async peek(key) {
      const count = await calls.peek(key)
      const { left, milliseconds } = count ?? { left: quota, milliseconds: window * 1000 }
      return allowance({ left: Math.max(0, left), milliseconds })
    },
  }
}

/** Thrown when a policy's quota is used up. */
export class RateLimitExceeded extends Problem {
  readonly allowance: Allowance

  constructor(allowance: Allowance, detail: string, hint?: string) {
    super('rate_limited', {
      detail,
      ...(hint === undefined ? {} : { hint }),
      headers: { 'retry-after': String(allowance.reset) },
    })
    this.allowance = { ...allowance, left: 0 }
  }
}

const cachedMax = 1000
const cachedNetworks = new LRUCache<string, string>({ max: cachedMax })

/** One client's network: an IPv4 address, or an IPv6 address's /64 prefix. */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown'
  if (!address.includes(':')) return address
  let network = cachedNetworks.get(address)
  if (network === undefined) {
    network = uncachedNetworkOf(address)
    cachedNetworks.set(address, network)
  }
  return network
}

function uncachedNetworkOf(address: string): string {
  const groups = ipaddr.parse(address).toNormalizedString().split(':').slice(0, 4)
  return `${groups.join(':')}::/64`
}
