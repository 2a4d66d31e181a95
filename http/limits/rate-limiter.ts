// Limits the calls of each key in a window that starts with its first call.
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

/** The remaining quota of one key, for the RateLimit headers. */
export type Allowance = Policy & {
  /** -1 if none was left for this call. */
  readonly left: number
  readonly reset: number
}

export type RateLimiter = {
  readonly policy: Policy
  /** Counts one call of this key. */
  take(key: string): Promise<Allowance>
  /** The remaining quota, without counting a call. */
  peek(key: string): Promise<Allowance>
}

/** `counter` counts under `name`, which is the same for all gateways that share counts. */
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

/** The quota of a policy is used up. */
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

/** The network of one client: an IPv4 address, or the /64 prefix of an IPv6 address. */
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
