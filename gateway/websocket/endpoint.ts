// The realtime endpoint of a gateway: who reads the events of a tenant for its subscribers, and
// what is measured of it.
import type { Peppers } from '#auth/pepper.ts'
import type { AppContextOptions, OpenAppContext } from '#clinical/context.ts'
import { openBroker } from '#clinical/realtime/broker.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { now } from '#database/clock.ts'
import type { Metrics } from '#http/metrics.ts'
import type { GatewayContext } from '../server/context.ts'
import { describeFailure } from '../server/describe-failure.ts'
import { openSubscribers, type SubscriberParts } from './subscribers.ts'

type RealtimeParts = Pick<SubscriberParts, 'base' | 'isAllowedHost' | 'addressOf'> &
  Pick<AppContextOptions, 'urls'> & { clinic: OpenAppContext; peppers: Peppers }

export function openSubscriberEndpoint(
  { log, metrics }: GatewayContext & { metrics: Metrics },
  { clinic, urls, peppers, ...given }: RealtimeParts,
) {
  const onError = (failure: unknown) => log.event('realtime.failed', describeFailure(failure))
  const sent = (mode: string, frames: number, age: number) => {
    metrics.count('telehealth_realtime_messages_total', { mode }, frames)
    metrics.observe('telehealth_realtime_lag_seconds', { mode }, Math.max(0, age) / 1000)
  }
  const broker = openBroker({ pools: clinic.pools, urls, now, onError, sent })
  metrics.collect(() => [
    { name: 'telehealth_realtime_subscribers', labels: {}, value: broker.subscribers() },
  ])
  return openSubscribers({
    ...given,
    broker,
    tokens: embeddedRealtime(...peppers),
    limiter: clinic.limiter,
    log,
  })
}
