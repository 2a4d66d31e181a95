// A gateway's WebSockets: subscribers' events, video visits' rooms, and metrics for both.
import type { Peppers } from '#auth/pepper.ts'
import type { AppContextOptions, OpenAppContext } from '#clinical/context.ts'
import { openBroker } from '#clinical/realtime/broker.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { openVideo } from '#clinical/rooms/open-video.ts'
import { now } from '#database/clock.ts'
import type { Metrics } from '#http/observe/metrics.ts'
import type { GatewayContext } from '../settings/context.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { subscribersMax } from '#clinical/realtime/open-files.ts'
import { openRooms } from '#clinical/rooms/rooms.ts'
import { socketsOf } from './sockets.ts'
import { openSubscribers, type SubscriberParts } from '#clinical/realtime/subscribers.ts'

type SocketParts = Pick<SubscriberParts, 'base' | 'isAllowedHost' | 'addressOf'> &
  Pick<AppContextOptions, 'urls'> & { clinic: OpenAppContext; peppers: Peppers }

type Context = Pick<GatewayContext, 'config' | 'log'> & { metrics: Metrics }

export function openSockets(context: Context, parts: SocketParts) {
  const { clinic, urls, base, isAllowedHost, addressOf } = parts
  const realtime = openSubscriberEndpoint(context, parts)
  const { pools, files, now: time } = clinic
  const rooms = openRooms({
    context: { pools, files, now: time, video: openVideo(context.config.video) },
    url: urls.live,
    log: context.log,
    base,
    isAllowedHost,
    addressOf,
  })
  context.metrics.collect(() => [
    { name: 'telehealth_room_pages', labels: {}, value: rooms.pages() },
  ])
  return {
    // Clients don't connect here if another realtime provider is configured.
    sockets: socketsOf({
      rooms,
      realtime: clinic.realtime.name === 'embedded' ? realtime : undefined,
    }),
    close: async () => void (await Promise.all([realtime.close(), rooms.close()])),
  }
}

function openSubscriberEndpoint(
  { log, metrics }: Context,
  { clinic, urls, peppers, base, isAllowedHost, addressOf }: SocketParts,
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
    base,
    isAllowedHost,
    addressOf,
    broker,
    tokens: embeddedRealtime(...peppers),
    limiter: clinic.limiter,
    log,
    subscribersMax: subscribersMax(),
  })
}
