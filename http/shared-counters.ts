// Where calls are counted: in this process, or in Redis, so that several gateways share one count.
// Redis is never waited for: while it is away each gateway counts alone, and a call that had just
// been sent to it is counted alone as well.
import { Redis } from 'ioredis'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { type Count, countAlone, type Counter, type OpenCounter } from './counter.ts'
import type { Log } from './log.ts'

export type Counters = {
  readonly open: OpenCounter
  /** Whether the shared counts are there; null where none are wanted. */
  isShared(): boolean | null
  close(): void
}

/** How long a call waits for Redis before it is counted here; the next ones do not wait at all. */
const patienceMilliseconds = 50
const probeMilliseconds = 250
const reconnectMillisecondsMax = 2000

export function openCounters(
  redisUrl: string | undefined,
  log: Pick<Log, 'event'>,
  patience = patienceMilliseconds,
): Counters {
  if (redisUrl === undefined) return { open: countAlone, isShared: () => null, close() {} }
  const redis = new Redis(redisUrl, {
    commandTimeout: patience,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: times => Math.min(50 * 2 ** Math.min(times, 10), reconnectMillisecondsMax),
  })
  const line = watched(redis, log)
  return {
    open: (name, points, duration) => {
      const shared = new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `quota:${name}`,
        points,
        duration,
      })
      return insured(sharing(shared, points), countAlone(name, points, duration), line)
    },
    isShared: () => line.isUp,
    close: () => line.close(),
  }
}

type Line = { readonly isUp: boolean; lost(failure: unknown): void; close(): void }

/** Knows whether Redis answers. Away, it is asked now and then until it does. */
function watched(redis: Redis, log: Pick<Log, 'event'>): Line {
  let isUp = false
  let wasSaid = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const back = () => {
    clearTimeout(timer)
    timer = undefined
    if (!isUp) log.event('redis.connected')
    isUp = true
    wasSaid = false
  }
  const probe = () => {
    timer = setTimeout(() => void redis.ping().then(back, probe), probeMilliseconds).unref()
  }
  const lost = (failure: unknown) => {
    isUp = false
    // Once for each time that it went away; it may stay away for hours.
    const reason = failure instanceof Error ? failure.message : String(failure)
    if (!wasSaid) log.event('redis.unavailable', { reason })
    wasSaid = true
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

/** The library refuses what is too much; a penalty counts the same, and only counts. */
function sharing(redis: RateLimiterRedis, points: number) {
  const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
    left: points - consumedPoints,
    milliseconds: msBeforeNext,
  })
  return {
    take: async (key: string, count = 1) => countOf(await redis.penalty(key, count)),
    look: async (key: string) => {
      const state = await redis.get(key)
      return state === null ? undefined : countOf(state)
    },
  }
}

/** Counts there while it answers, and here when it does not. */
function insured(shared: ReturnType<typeof sharing>, alone: Counter, line: Line): Counter {
  const ask = <T>(there: () => Promise<T>, here: () => T | Promise<T>): T | Promise<T> => {
    if (!line.isUp) return here()
    return there().catch((failure: unknown) => {
      line.lost(failure)
      return here()
    })
  }
  return {
    take: (key, count) =>
      ask(
        () => shared.take(key, count),
        () => alone.take(key, count),
      ),
    look: key =>
      ask(
        () => shared.look(key),
        () => alone.look(key),
      ),
  }
}
