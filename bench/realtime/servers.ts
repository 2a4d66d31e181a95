// The realtime benchmark's servers, each in a separate process: the gateway's subscriber endpoint,
// the worker that dispatches events, or a bare WebSocket broadcast. Settings are read from standard
// input, because they contain passwords.
import { socketsOf } from '#gateway/websocket/sockets.ts'
import { socketsOnly } from '#gateway/testing/sockets.ts'
import { createRateLimits } from '#clinical/pipeline/rate-limits.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { openBroker } from '#clinical/realtime/broker.ts'
import { runWorker } from '#clinical/jobs/run.ts'
import { webhookJobs } from '#clinical/deliveries/engine/jobs.ts'
import { limits } from '#contract/limits.ts'
import { realtimePath } from '#contract/realtime.ts'
import { createEncryption } from '#database/encryption.ts'
import { now } from '#database/clock.ts'
import { createHostCheck } from '#http/host-check.ts'
import { listen } from '#gateway/origins/listen.ts'
import { createLog } from '#http/log.ts'
import { openSubscribers } from '#clinical/realtime/subscribers.ts'
import { openModePools } from '#database/modes.ts'
import { epoch } from '../harness/clock.ts'

export type RealtimeSettings = {
  kind: 'gateway' | 'worker' | 'bare'
  port: number
  urls: { test: string; live: string }
  pepper: string
}

const failed = (failure: unknown) => console.error(failure)

function openSubscriberServer({ port, urls, pepper }: RealtimeSettings): void {
  const pools = openModePools({ urls, size: 10, name: 'gateway' })
  const base = `http://localhost:${port}`
  const subscribers = openSubscribers({
    broker: openBroker({ pools, urls, now, onError: failed }),
    tokens: embeddedRealtime(pepper),
    limiter: createRateLimits(limits.ratePerWindow),
    base,
    isAllowedHost: createHostCheck(base, []),
    addressOf: () => '127.0.0.1',
    log: createLog('json'),
    subscribersMax: Number.POSITIVE_INFINITY,
  })
  const sockets = socketsOf({ realtime: subscribers })
  listen('127.0.0.1', port).serve(socketsOnly(sockets), sockets)
}

async function openWorker({ port, urls, pepper }: RealtimeSettings): Promise<void> {
  await runWorker({
    urls,
    poolSize: 4,
    jobs: webhookJobs({
      encryption: createEncryption([pepper]),
      realtime: embeddedRealtime(pepper),
      receivers: {
        addresses: { resolve: async () => [], allowed: [] },
        ca: undefined,
        seconds: limits.webhookAttemptSeconds,
      },
      sockets: 64,
    }),
    note: () => undefined,
    describe: failure => ({ failure: String(failure) }),
  })
  Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response('open') })
}

/** A message as long as ours. `at` is when it was published. */
const messageOf = (id: string) =>
  JSON.stringify({ id, at: epoch(), data: 'as long as an event is '.repeat(13) })

function openBare({ port }: RealtimeSettings): void {
  let next = 0
  const server = Bun.serve<{ topic: string }>({
    port,
    hostname: '127.0.0.1',
    fetch(request, server) {
      const { pathname, searchParams } = new URL(request.url)
      const topic = searchParams.get('topic') ?? ''
      if (pathname === realtimePath && server.upgrade(request, { data: { topic } })) return
      const count = Number(searchParams.get('count') ?? 0)
      const topics = Number(searchParams.get('topics') ?? 1)
      for (let at = 0; at < count; at++) {
        const id = `message ${next}`
        server.publish(`${next++ % topics}`, messageOf(id))
      }
      return new Response('open')
    },
    websocket: {
      open(socket) {
        socket.subscribe(socket.data.topic)
        socket.send(messageOf('hello'))
      },
      message: () => undefined,
    },
  })
  if (server.port !== port) throw new Error('The server must listen on the given port.')
}

if (import.meta.main) {
  const settings: RealtimeSettings = await Bun.stdin.json()
  if (settings.kind === 'gateway') openSubscriberServer(settings)
  else if (settings.kind === 'bare') openBare(settings)
  else await openWorker(settings)
}
