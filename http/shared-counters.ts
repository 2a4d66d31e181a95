// Where calls are counted: in this process, or in Redis, so that several gateways share one count.
// Redis is never waited for: while it is unavailable each gateway counts by itself, including a
// call that had just been sent to it.
import { Redis } from 'ioredis'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { type Count, countInProcess, type Counter, type OpenCounter } from './counter.ts'
import type { Log } from './log.ts'

export type Counters = {
  readonly open: OpenCounter
  /** Whether counts are shared at the moment; null where Redis is not configured. */
  isShared(): boolean | null
  close(): void
}

/** How long a call waits for Redis before it is counted here; the next ones do not wait at all. */
const timeoutMilliseconds = 50
const probeMilliseconds = 250
const reconnectMillisecondsMax = 2000

export function openCounters(
  redisUrl: string | undefined,
  log: Pick<Log, 'event'>,
  timeout = timeoutMilliseconds,
): Counters {
  if (redisUrl === undefined) return { open: countInProcess, isShared: () => null, close() {} }
  const redis = new Redis(redisUrl, {
    commandTimeout: timeout,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: times => Math.min(50 * 2 ** Math.min(times, 10), reconnectMillisecondsMax),
  })
  const availability = watchRedis(redis, log)
  return {
    open: (name, points, duration) => {
      const shared = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `quota:${name}`,
        points,
        duration,
      })
      return withFallback(
        redisCounter(shared, points),
        countInProcess(name, points, duration),
        availability,
      )
    },
    isShared: () => availability.isUp,
    close: () => availability.close(),
  }
}

type Availability = { readonly isUp: boolean; lost(failure: unknown): void; close(): void }

/** Knows whether Redis answers. While it does not, it is probed until it does. */
function watchRedis(redis: Redis, log: Pick<Log, 'event'>): Availability {
  let isUp = false
  let wasLogged = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const back = () => {
    clearTimeout(timer)
    timer = undefined
    if (!isUp) log.event('redis.connected')
    isUp = true
    wasLogged = false
  }
  const probe = () => {
    timer = setTimeout(() => void redis.ping().then(back, probe), probeMilliseconds).unref()
  }
  const lost = (failure: unknown) => {
    isUp = false
    // Logged once for each outage, which may last for hours.
    const reason = failure instanceof Error ? failure.message : String(failure)
    if (!wasLogged) log.event('redis.unavailable', { reason })
    wasLogged = true
    if (timer === undefined) probe()
  }
  redis.on('ready', back)
  redis.on('error', lost)
  redis.on('end', () => (isUp = false))
  return {
    get isUp() {
      return isUp && redis.status === 'ready'
    },
    lost,
    close() {
      clearTimeout(timer)
      redis.off('error', lost).on('error', () => {})
      redis.disconnect()
    },
  }
}

/** The library's `consume` rejects what is too much; `penalty` counts the same, and only counts. */
function redisCounter(redis: RateLimiterRedis, points: number) {
  const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
    left: points - consumedPoints,
    milliseconds: msBeforeNext,
  })
  return {
    take: async (key: string, count = 1) => countOf(await redis.penalty(key, count)),
    peek: async (key: string) => {
      const state = await redis.get(key)
      return state === null ? undefined : countOf(state)
    },
  }
}

/** Counts in Redis while it answers, and in this process when it does not. */
function withFallback(
  shared: ReturnType<typeof redisCounter>,
  local: Counter,
  availability: Availability,
): Counter {
  const ask = <T>(remote: () => Promise<T>, fallback: () => T | Promise<T>): T | Promise<T> => {
    if (!availability.isUp) return fallback()
    return remote().catch((failure: unknown) => {
      availability.lost(failure)
      return fallback()
    })
  }
  return {
    take: (key, count) =>
      ask(
        () => shared.take(key, count),
        () => local.take(key, count),
      ),
    peek: key =>
      ask(
        () => shared.peek(key),
        () => local.peek(key),
      ),
  }
}
