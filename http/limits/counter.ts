// Counts requests by key in fixed windows. A window starts with its key's first request. Several
// gateways may share their counts (shared-counters.ts).
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
// The package's own index loads every kind of store and takes 6 MB.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'

/** A key's window after a request. */
export type Count = {
  /** Negative once the quota is exceeded. */
  readonly left: number
  /** Milliseconds until the window ends. */
  readonly milliseconds: number
}

/** Whole seconds until a window ends, for headers. */
export const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))

/** Formats a duration for a sentence: "1 second", "2 seconds". */
export const secondsText = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`

export type Counter = {
  /** Counts requests; a negative number reverses an earlier count. */
  take(key: string, count?: number): Promise<Count>
  /** Reads without counting. Undefined if no window is open. */
  peek(key: string): Promise<Count | undefined>
}

export type OpenCounter = (name: string, points: number, seconds: number) => Counter

/** Counts in this process only. */
export const countInProcess: OpenCounter = (_name, points, duration) =>
  counterOf(new RateLimiterMemory({ points, duration }), points)

/** `consume` rejects requests beyond the quota; `penalty` counts without rejecting. */
export function counterOf(limiter: RateLimiterAbstract, points: number): Counter {
  const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
    left: points - consumedPoints,
    milliseconds: msBeforeNext,
  })
  return {
    take: async (key, count = 1) => countOf(await limiter.penalty(key, count)),
    async peek(key) {
      const state = await limiter.get(key)
      return state === null || state.msBeforeNext <= 0 ? undefined : countOf(state)
    },
  }
}
