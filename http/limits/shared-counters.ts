// Counts requests in this process, or in Redis so several gateways share one count. While Redis is
// unavailable, each gateway counts its own requests, including one that Redis didn't count in time.
// Decided in docs/decisions/0034-count-in-redis-without-waiting.md.
import type { Redis } from 'ioredis'
import { countInProcess, type Counter, counterOf, type OpenCounter } from './counter.ts'
import type { Log } from '../log.ts'

export type Counters = {
  readonly open: OpenCounter
  /** Whether counts are currently shared; null if Redis isn't configured. */
  isShared(): boolean | null
  close(): void
}

/** After this time, the request is counted in this process, and later requests don't wait for
 *  Redis. */
const timeoutMilliseconds = 50
const probeMilliseconds = 250
const reconnectMillisecondsMax = 2000

export async function openCounters(
  redisUrl: string | undefined,
  log: Pick<Log, 'event'>,
  timeout = timeoutMilliseconds,
): Promise<Counters> {
  if (redisUrl === undefined) return { open: countInProcess, isShared: () => null, close() {} }
  const { Redis } = await import('ioredis')
  const { default: RateLimiterRedis } =
    await import('rate-limiter-flexible/lib/RateLimiterRedis.js')
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
        counterOf(shared, points),
        countInProcess(name, points, duration),
        availability,
      )
    },
    isShared: () => availability.isUp,
    close: () => availability.close(),
  }
}

type Availability = { readonly isUp: boolean; markDown(failure: unknown): void; close(): void }

/** Tracks whether Redis responds, and probes it while it doesn't. */
function watchRedis(redis: Redis, log: Pick<Log, 'event'>): Availability {
  let isUp = false
  let wasLogged = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const markUp = () => {
    clearTimeout(timer)
    timer = undefined
    if (!isUp) log.event('redis.connected')
    isUp = true
    wasLogged = false
  }
  const probe = () => {
    timer = setTimeout(() => void redis.ping().then(markUp, probe), probeMilliseconds).unref()
  }
  const markDown = (failure: unknown) => {
    isUp = false
    // Logged once per outage, which may last for hours.
    const reason = failure instanceof Error ? failure.message : String(failure)
    if (!wasLogged) log.event('redis.unavailable', { reason })
    wasLogged = true
    if (timer === undefined) probe()
  }
  redis.on('ready', markUp)
  redis.on('error', markDown)
  redis.on('end', () => (isUp = false))
  return {
    get isUp() {
      return isUp && redis.status === 'ready'
    },
    markDown,
    close() {
      clearTimeout(timer)
      redis.off('error', markDown).on('error', () => {})
      redis.disconnect()
    },
  }
}

/** Counts in Redis while it responds, otherwise in this process. */
function withFallback(shared: Counter, local: Counter, availability: Availability): Counter {
  const tryRemote = <T>(remote: () => Promise<T>, fallback: () => Promise<T>): Promise<T> => {
    if (!availability.isUp) return fallback()
    return remote().catch((failure: unknown) => {
      availability.markDown(failure)
      return fallback()
    })
  }
  return {
    take: (key, count) =>
      tryRemote(
        () => shared.take(key, count),
        () => local.take(key, count),
      ),
    peek: key =>
      tryRemote(
        () => shared.peek(key),
        () => local.peek(key),
      ),
  }
}
