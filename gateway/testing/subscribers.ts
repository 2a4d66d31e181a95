// A gateway's realtime endpoint, with its own port and connections, so two such gateways share only
// the database. Also a client that records its messages.
import { socketsOf } from '../websocket/sockets.ts'
import { socketsOnly } from './sockets.ts'
import { connect } from 'node:net'
import { invokeOk } from '#clinical/testing/call.ts'
import type { Fixtures } from '#clinical/testing/fixtures.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { openBroker } from '#clinical/realtime/broker.ts'
import { sql } from '#database/sql.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { openModePools } from '#database/modes.ts'
import { createHostCheck } from '#http/host-check.ts'
import { listen } from '../origins/listen.ts'
import type { Line } from './gateway.ts'
import { openSubscribers } from '#clinical/realtime/subscribers.ts'

export async function openGateway(fixtures: Fixtures, subscribersMax = Number.POSITIVE_INFINITY) {
  const lines: Line[] = []
  const events: string[] = []
  const { urls } = fixtures.database
  const pools = openModePools({ urls, size: 4, name: 'subscribers' })
  let ahead = 0
  const broker = openBroker({
    pools,
    urls,
    now: () => fixtures.context.now() + ahead,
    onError: failure => void events.push(String(failure)),
  })
  const subscriberEndpoint = listen('127.0.0.1', 0)
  const subscribers = openSubscribers({
    broker,
    tokens: embeddedRealtime(fixtures.context.pepper),
    limiter: fixtures.context.limiter,
    base: fixtures.context.base,
    isAllowedHost: createHostCheck(fixtures.context.base, []),
    addressOf: () => '203.0.113.9',
    log: {
      request: line => void lines.push(line),
      event: name => void events.push(name),
      flush() {},
    },
    subscribersMax,
  })
  const sockets = socketsOf({ realtime: subscribers })
  subscriberEndpoint.serve(socketsOnly(sockets), sockets)
  return {
    broker,
    lines,
    events,
    url: `ws://127.0.0.1:${subscriberEndpoint.port}${realtimePath}`,
    http: `http://127.0.0.1:${subscriberEndpoint.port}${realtimePath}`,
    port: subscriberEndpoint.port,
    /** Advances this gateway's clock, and runs its periodic checks. */
    async pass(seconds: number) {
      ahead += seconds * 1000
      await broker.maintain()
    },
    async close() {
      await subscribers.close()
      await subscriberEndpoint.stop(true)
      await Promise.all([pools.test.close(), pools.live.close()])
    },
  }
}

export type Gateway = Awaited<ReturnType<typeof openGateway>>
export type Message = { name: string; id: string; data: Record<string, unknown>; text: string }

export const tokenFor = async (
  fixtures: Fixtures,
  as: string,
  organization?: string,
): Promise<string> =>
  (
    await invokeOk(fixtures, 'createRealtimeToken', {
      as,
      ...(organization === undefined ? {} : { organization }),
    })
  ).token

/** The gateways where an integration has connections, according to the database. */
export const quotaOf = (fixtures: Fixtures, integration: string) =>
  fixtures.owner.use(connection =>
    connection.run(sql`
      select from public.realtime_connections
       where mode = 'test' and integration = ${integration} and expires_at > now()`),
  )

let connected: WebSocket[] = []

/** Closes every connection that a test left open. */
export function hangUp(): void {
  for (const socket of connected) socket.close()
  connected = []
}

/** Connects like a browser. Resolves when the server has sent its greeting or closed. */
export async function subscribe(gateway: Gateway, token: string) {
  const socket = new WebSocket(gateway.url, [realtimeProtocol, `bearer.${token}`])
  connected.push(socket)
  const greeted = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const messages: Message[] = []
  let hello: Record<string, unknown> | null = null
  let looking: (() => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = { ...JSON.parse(String(data)), text: String(data) }
    if (hello === null) {
      hello = message.data
      greeted.resolve()
      return
    }
    messages.push(message)
    for (const look of looking) look()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed.resolve({ code, reason })
    greeted.resolve()
  })
  await greeted.promise
  return {
    socket,
    messages,
    names: () => messages.map(({ name }) => name),
    hello: hello as Record<string, unknown> | null,
    closed: closed.promise,
    /** Resolves once this many messages have arrived. */
    async received(count: number): Promise<Message[]> {
      const done = Promise.withResolvers<void>()
      const look = () => void (messages.length >= count && done.resolve())
      looking.push(look)
      look()
      await done.promise
      looking = looking.filter(one => one !== look)
      return messages
    },
  }
}

/** Inserts this many large events in one statement. */
export const flood = (integration: string, count: number) => sql`
  with s as (
    update test.tenants set last = clock_timestamp() + ${count}::int * interval '1 ms'
     where integration = ${integration} and organization is not null and retired_at is null
    returning id, last
  ), e as (
    insert into test.events (tenant, id, type, resource_type, resource_id, status, created_at)
    select s.id, ulid('evt', s.last - n * interval '1 ms', '0000000000000000'),
           'case.queued.v1', 'case', 'case', repeat('long ', 800), s.last - n * interval '1 ms'
      from s, generate_series(0, ${count - 1}::int) n
    returning 1
  )
  select count(*) from e`

/** Makes all of an integration's events an hour older. */
export const age = (integration: string) => sql`
  update test.events set id = ulid('evt', created_at - interval '1 hour', '0000000000000000')
   where tenant in (select id from test.tenants where integration = ${integration})`

/** A client that stops reading after the greeting, until `ended` is read. */
export async function mute(gateway: Gateway, token: string) {
  const socket = connect(gateway.port, '127.0.0.1')
  socket.write(
    `GET /v1/realtime HTTP/1.1\r\nHost: localhost:${gateway.port}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await new Promise<void>(resolve =>
    socket.on('data', data => {
      if (!data.includes('hello')) return
      socket.pause()
      resolve()
    }),
  )
  return {
    /** The last bytes received before the connection closed. */
    get ended() {
      const ended = Promise.withResolvers<string>()
      let last = ''
      socket.removeAllListeners('data')
      socket.on('data', data => (last = (last + data.toString('latin1')).slice(-200)))
      socket.on('close', () => ended.resolve(last))
      socket.on('error', () => ended.resolve(last))
      socket.resume()
      return ended.promise
    },
  }
}
