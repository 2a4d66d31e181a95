// An event stream over real sockets, while the event list or the channel is unavailable.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestWorker } from '#clinical/deliveries/engine/testing/worker.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { age, openGateway } from '#gateway/testing/subscribers.ts'
import { until } from '#http/testing/until.ts'
import { type Api, openApi } from '../api/client.ts'
import { openProxy } from '../../testing/proxy.ts'
import { CommandError } from '../errors.ts'
import { stream } from './stream.ts'

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
/** A stream ends only with an error, so each stream's next call fails once the tests are over. */
const over = new AbortController()
const streams: Promise<unknown>[] = []
afterAll(async () => {
  over.abort()
  await sockets.close()
  await Promise.all(streams)
  await worker.stop()
  await gateway.close()
})

const fail = () => {
  throw new CommandError('unavailable', 'the API could not be reached')
}

type Settings = { since?: string; channel?: string }

/** Follows a key's events. `faults` run before the next lists and tokens. */
function follow(key: string, { since, channel }: Settings = {}) {
  const baseUrl = `http://localhost:${gateway.port}`
  const real = openApi({ baseUrl, version: '0', timeoutMs: 10_000, secret: async () => key })
  const faults: Record<'beforeList' | 'beforeToken', (() => Promise<void> | void)[]> = {
    beforeList: [],
    beforeToken: [],
  }
  const api: Api = {
    // The tests' sockets have their own port.
    underWay: () => undefined,
    now: () => real.now(),
    baseUrl: channel ?? `http://localhost:${sockets.port}`,
    async call(call) {
      over.signal.throwIfAborted()
      if (call.path === '/v1/realtime/tokens') await faults.beforeToken.shift()?.()
      return real.call(call)
    },
    async *pages(call, cursor) {
      over.signal.throwIfAborted()
      await faults.beforeList.shift()?.()
      yield* real.pages(call, cursor)
    },
  }
  const [ids, words]: [string[], string[]] = [[], []]
  const say = (word: string) => () => void words.push(word)
  const trigger = async () => {
    const call = { method: 'POST', path: '/v1/test/webhooks/trigger' } as const
    const { body } = await real.call({ ...call, body: { type: 'order.shipped.v1' } })
    return body as { id: string; created_at: string }
  }
  const start = () => {
    const streamed = stream({
      api,
      backfill: true,
      ...(since === undefined ? {} : { since }),
      onEvent: async ({ event }) => void ids.push(event.id),
      onSubscribed: say('subscribed'),
      onMissed: count => void words.push(`missed ${count}`),
      onLost: say('lost'),
      onBack: say('back'),
      onPolling: say('polling'),
      times: { reconnectMaxMs: 50 },
    }).catch((error: unknown) => {
      if (error !== over.signal.reason) throw error
    })
    streams.push(streamed)
  }
  return { faults, ids, words, trigger, start }
}

test('since: a list that can’t be read at first is read later from the same time', async () => {
  const { test: key } = gateway.fixtures.ada
  const { trigger } = follow(key)
  await trigger()
  const first = await trigger()
  const second = await trigger()
  const { faults, ids, words, start } = follow(key, { since: first.created_at })
  faults.beforeList.push(fail)
  start()
  await until(() => ids.length > 0)
  const third = await trigger()
  await until(() => ids.includes(third.id))
  expect(ids).toEqual([second.id, third.id])
  expect(words).toEqual(['subscribed', 'lost', 'back'])
})

test('events that arrive while missed ones can’t be read don’t replace them', async () => {
  const key = gateway.fixtures.ben.test
  const proxy = await openProxy(`http://localhost:${sockets.port}`)
  const beside = follow(key)
  beside.start()
  const one = follow(key, { channel: proxy.base })
  const { faults, ids, words, trigger } = one
  one.start()
  await until(() => words.length + beside.words.length >= 2)
  const open = sockets.broker.subscribers()
  const wanted: string[] = []
  const write = async () => {
    const { id } = await trigger()
    wanted.push(id)
    await until(() => beside.ids.includes(id))
  }
  faults.beforeToken.push(write, fail)
  faults.beforeList.push(async () => {
    await write()
    fail()
  })
  proxy.cut()
  void proxy.join()
  await until(() => ids.length >= 2)
  expect(ids).toEqual(wanted)
  expect(words).toEqual(['subscribed', 'lost', 'missed 2', 'back'])
  await until(() => sockets.broker.subscribers() === open)
  proxy.close()
}, 30_000)

test('without a channel, only new events are read, even after a failure', async () => {
  const { faults, ids, words, trigger, start } = follow(gateway.fixtures.ada.test, {
    channel: 'http://localhost:1',
  })
  await trigger()
  // Makes the sandbox's events older than a minute.
  await gateway.fixtures.owner.use(connection =>
    connection.run(age(gateway.fixtures.ada.integration)),
  )
  start()
  await until(() => words.includes('polling'))
  faults.beforeList.push(fail)
  await until(() => faults.beforeList.length === 0)
  const { id } = await trigger()
  await until(() => ids.length > 0 || words.length > 2)
  expect(ids).toEqual([id])
}, 30_000)
