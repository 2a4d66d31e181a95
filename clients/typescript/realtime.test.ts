// The packed library's subscriptions over real sockets: no event is lost when a connection drops.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { revokeKey } from '#auth/testing/administration.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { openGateway } from '#gateway/testing/subscribers.ts'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { until } from '#http/testing/until.ts'
import { openAbly } from './testing/ably.ts'
import type { EventType } from './src/sdk.ts'
import { sdk } from './testing/package.ts'

type Status = Parameters<
  NonNullable<
    NonNullable<Parameters<InstanceType<typeof sdk.Svc>['realtime']['subscribe']>[0]>['onStatus']
  >
>[0]

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let sockets: Awaited<ReturnType<typeof openGateway>>
let worker: Awaited<ReturnType<typeof openTestWorker>>
beforeAll(async () => {
  gateway = await openTestGateway()
  ;[sockets, worker] = await Promise.all([
    openGateway(gateway.fixtures),
    openTestWorker(gateway.fixtures),
  ])
})
afterAll(async () => {
  await Promise.all([sockets.close(), worker.stop()])
  await gateway.close()
})

/** Connects to the tests' sockets, which have their own port. */
class Socket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(sockets.url, protocols as string[])
  }
}

function clientOf(key: string, maxRetries = 2) {
  const opened: Socket[] = []
  const Recorded = class extends Socket {
    constructor(...parts: ConstructorParameters<typeof Socket>) {
      super(...parts)
      opened.push(this)
    }
  }
  const lists: string[] = []
  let [mayConnect, refused] = [Promise.resolve(), 0]
  const svc = new sdk.Svc({
    apiKey: key,
    maxRetries,
    baseUrl: `http://localhost:${gateway.port}`,
    WebSocket: Recorded as typeof WebSocket,
    fetch: (async (address, init) => {
      if (String(address).endsWith('/v1/realtime/tokens')) await mayConnect
      if (!String(address).includes('/v1/events?')) return fetch(address, init)
      lists.push(String(address))
      if (refused-- > 0) throw new TypeError('fetch failed')
      return fetch(address, init)
    }) as typeof fetch,
  })
  /** Closes the connection, and keeps the next connection from opening until `work` finishes. */
  async function whileAway<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    mayConnect = promise
    const closed = new Promise(done => opened.at(-1)?.addEventListener('close', done))
    opened.at(-1)?.close()
    await closed
    const done = await work()
    resolve()
    return done
  }
  /** Makes the next `count` list requests fail. */
  const refuse = (count: number) => void (refused = count)
  return { svc, whileAway, refuse, lists }
}

/** Collects what a subscription delivers and reports about itself. */
function record(subscription: ReturnType<InstanceType<typeof sdk.Svc>['realtime']['subscribe']>) {
  const ids: string[] = []
  const done = (async () => {
    for await (const { id } of subscription) ids.push(id)
  })()
  return { ids, done }
}

const trigger = async (svc: InstanceType<typeof sdk.Svc>, type: EventType = 'order.shipped.v1') =>
  (await svc.test.webhooks.trigger({ type })).id

test('each event arrives once and in order, even between two connections', async () => {
  const { svc, whileAway } = clientOf(gateway.fixtures.ada.test)
  const statuses: Status[] = []
  const before = await trigger(svc)
  const subscription = svc.realtime.subscribe({ onStatus: one => void statuses.push(one) })
  const { ids, done } = record(subscription)
  await until(() => statuses.some(({ state }) => state === 'connected'))
  const wanted = [await trigger(svc)]
  await until(() => ids.length >= 1)
  wanted.push(...(await whileAway(async () => [await trigger(svc), await trigger(svc)])))
  await until(() => ids.length >= 3)
  wanted.push(await trigger(svc))
  await until(() => ids.length >= 4)
  subscription.close()
  await done
  expect(ids).toEqual(wanted)
  expect(ids).not.toContain(before)
  expect(statuses.flatMap(one => (one.state === 'missed' ? one.count : []))).toEqual([2])
})

test('on request, missed events are counted instead of delivered', async () => {
  const { svc, whileAway } = clientOf(gateway.fixtures.ben.test)
  const statuses: Status[] = []
  const onStatus = (one: Status) => void statuses.push(one)
  const subscription = svc.realtime.subscribe({ onStatus, missed: 'count' })
  const { ids, done } = record(subscription)
  await until(() => statuses.length >= 1)
  await whileAway(async () => {
    for (let made = 0; made < 3; made++) await trigger(svc)
  })
  await until(() => statuses.some(({ state }) => state === 'missed'))
  await until(() => statuses.filter(({ state }) => state === 'connected').length >= 2)
  const last = await trigger(svc)
  await until(() => ids.includes(last))
  subscription.close()
  await done
  expect(statuses.flatMap(one => (one.state === 'missed' ? one.count : []))).toEqual([3])
  expect(ids).toEqual([last])
})

test('a list that is briefly down doesn’t end a subscription or lose events', async () => {
  const { svc, whileAway, refuse } = clientOf(gateway.fixtures.ada.test, 0)
  const statuses: Status[] = []
  const subscription = svc.realtime.subscribe({ onStatus: one => void statuses.push(one) })
  const { ids, done } = record(subscription)
  await until(() => statuses.length >= 1)
  const wanted = await whileAway(async () => {
    refuse(2)
    return [await trigger(svc), await trigger(svc)]
  })
  await until(() => statuses.filter(({ state }) => state === 'connected').length >= 2)
  wanted.push(await trigger(svc))
  await until(() => ids.length >= 3)
  subscription.close()
  await done
  expect(ids).toEqual(wanted)
  const lost = statuses.flatMap(one => (one.state === 'disconnected' ? one.reason : []))
  expect(lost.slice(-2)).toEqual(['ConnectionError', 'ConnectionError'])
})

test('missed events of other types are read once', async () => {
  const { svc, whileAway, lists } = clientOf(gateway.fixtures.ada.test)
  const statuses: Status[] = []
  const onStatus = (one: Status) => void statuses.push(one)
  const connected = (times: number) =>
    until(() => statuses.filter(({ state }) => state === 'connected').length === times)
  const subscription = svc.realtime.subscribe({ onStatus, types: ['case.approved.v1'] })
  const { done } = record(subscription)
  await connected(1)
  await whileAway(() => trigger(svc))
  await connected(2)
  await whileAway(async () => undefined)
  await connected(3)
  subscription.close()
  await done
  expect(lists).toHaveLength(1)
})

test('since delivers older events first, and types filters events', async () => {
  const { svc } = clientOf(gateway.fixtures.ada.test)
  const types = ['case.approved.v1'] as const
  const first = await svc.test.webhooks.trigger({ type: 'case.queued.v1' })
  const wanted = [await trigger(svc, 'case.approved.v1')]
  const found: [string, boolean][] = []
  for await (const { event, isMissed } of svc.realtime
    .subscribe({ since: first.created_at, types })
    .messages()) {
    found.push([event.id, isMissed])
    if (found.length === 2) break
    await trigger(svc)
    wanted.push(await trigger(svc, 'case.approved.v1'))
  }
  expect(found).toEqual([
    [wanted[0] ?? '', true],
    [wanted[1] ?? '', false],
  ])
})

test('an event that arrives both ways while the list is read is delivered once', async () => {
  const { svc } = clientOf(gateway.fixtures.ada.test)
  const start = await svc.test.webhooks.trigger({ type: 'order.shipped.v1' })
  const wanted: string[] = []
  const frames: string[] = []
  const Watched = class extends Socket {
    constructor(...parts: ConstructorParameters<typeof Socket>) {
      super(...parts)
      this.addEventListener('message', ({ data }) => frames.push(String(data)))
    }
  }
  const racing = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: `http://localhost:${gateway.port}`,
    WebSocket: Watched as typeof WebSocket,
    fetch: (async (address, init) => {
      // Writes an event after the connection opens and before the list is read.
      if (String(address).includes('/v1/events?') && wanted.length === 0) {
        const id = await trigger(svc)
        wanted.push(id)
        await until(() => frames.some(frame => frame.includes(id)))
      }
      return fetch(address, init)
    }) as typeof fetch,
  })
  const subscription = racing.realtime.subscribe({ since: start.created_at })
  const { ids, done } = record(subscription)
  await until(() => ids.length > 0)
  wanted.push(await trigger(svc))
  await until(() => ids.includes(wanted[1] ?? ''))
  subscription.close()
  await done
  expect(ids).toEqual(wanted)
})

test('a revoked key ends the loop with the reason', async () => {
  const { ben, owner } = gateway.fixtures
  const { svc } = clientOf(ben.test)
  const statuses: Status[] = []
  const { done } = record(svc.realtime.subscribe({ onStatus: one => void statuses.push(one) }))
  await until(() => statuses.length >= 1)
  await owner.use(connection => revokeKey(connection, ben.testKey))
  await expect(done).rejects.toThrow('4002 credential revoked')
})

test('a token signed with an Ably key connects to Ably, whose frames become events', async () => {
  const channel = 'integration:int_x:org_x:test'
  const ably = openAbly(channel)
  const text = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const token = `${text({ alg: 'HS256', kid: 'app.key' })}.${text({})}.signature`
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const answer = { token, channel, capability: 'subscribe', mode: 'test', expires_at }
  const addresses: string[] = []
  const svc = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: `http://localhost:${gateway.port}`,
    WebSocket: class extends WebSocket {
      constructor(address: string | URL) {
        addresses.push(new URL(address).origin)
        super(`ws://localhost:${ably.port}/${new URL(address).search}`)
      }
    } as typeof WebSocket,
    fetch: ((address, init) =>
      String(address).endsWith('/v1/realtime/tokens')
        ? Promise.resolve(Response.json(answer, { status: 201 }))
        : fetch(address, init)) as typeof fetch,
  })
  const statuses: Status[] = []
  const subscription = svc.realtime.subscribe({ onStatus: one => void statuses.push(one) })
  const { ids, done } = record(subscription)
  await until(() => statuses.length >= 1)
  const first = await svc.test.webhooks.trigger({ type: 'order.shipped.v1' })
  ably.publish(first)
  await until(() => ids.length >= 1)
  // This event's message is lost with the connection, so the client reads the event from the list.
  const second = await trigger(svc)
  ably.attached[0]?.close()
  await until(() => ids.length >= 2)
  subscription.close()
  await done
  await ably.close()
  expect(ids).toEqual([first.id, second])
  expect([addresses[0], ably.asked[0]]).toEqual([
    'wss://realtime.ably.io',
    `?${new URLSearchParams({ accessToken: token, format: 'json', v: '2' })}`,
  ])
})

test('without WebSocket, the error says what to pass', () => {
  const { svc } = clientOf(gateway.fixtures.ada.test)
  const whole = globalThis.WebSocket
  const bare = new sdk.Svc({ apiKey: 'svc_sk_test_x' })
  try {
    Object.assign(globalThis, { WebSocket: undefined })
    expect(() => bare.realtime.subscribe()).toThrow('as the WebSocket option')
  } finally {
    Object.assign(globalThis, { WebSocket: whole })
  }
  expect(svc.mode).toBe('test')
})
