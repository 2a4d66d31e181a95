// Tests one attempt from the claim to the recorded result: the sockets it uses, and when it ends
// without a request.

import ipaddr from 'ipaddr.js'
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import type { Fields } from '../../jobs/job.ts'
import { claim, type ClaimedDelivery } from './claim.ts'
import { clockOf } from './clock.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { attemptStarter } from './start-attempt.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'

const fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
const clock = clockOf()
let receiver: Receiver
beforeEach(() => {
  receiver = openReceiver(() => new Response('taken'))
})
afterEach(async () => {
  await receiver.stop()
  await clearEndpoints(fixtures)
})
afterAll(() => fixtures.close())

/** Creates an endpoint with one delivery, and claims the delivery. */
async function claimOne(): Promise<ClaimedDelivery> {
  const body = { url: receiver.url(), event_types: ['order.shipped.v1'] }
  await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  const announced = fixtures.context.realtime.announce('test')
  const [first] = await fixtures.workerContext.pools.test.use(async connection => {
    await dispatchOnce(connection, clock, announced)
    return claim(connection, 'test', clock, { all: 5, slow: 5 }, 'a claim')
  })
  if (!first) throw new Error('nothing was due')
  return first
}

/** Opens a worker with four sockets. */
function openStarter(pepper = fixtures.context.pepper) {
  const limit = createConcurrencyLimit(4, 15)
  const noted: (Fields & { event: string })[] = []
  /** The modes passed each time a socket was freed. */
  const freed: (string | undefined)[] = []
  const receivers = {
    addresses: {
      resolve: async () => ['127.0.0.1'],
      allowed: [[ipaddr.parse('127.0.0.1'), 32] as const],
    },
    ca: authority.cert,
    seconds: 15,
  }
  const { signal } = new AbortController()
  const encryption = createEncryption([pepper])
  const start = attemptStarter(
    { encryption, receivers, clock },
    limit,
    signal,
    (_worker, mode) => void freed.push(mode),
  )
  const worker = {
    ...fixtures.workerContext,
    note: (event: string, fields: Fields) => void noted.push({ event, ...fields }),
  }
  return {
    limit,
    noted,
    freed,
    start: (claimed: ClaimedDelivery) => start(worker, 'test', [claimed]),
    socketsFree() {
      const { free, release } = limit.reserve()
      release()
      return free.all
    },
  }
}

const dueOf = ({ id }: ClaimedDelivery) =>
  queryAsOwner<{ claim: string | null; claims: number }>(
    fixtures,
    sql`select claim, claims::int from test.due_deliveries where delivery = ${id}`,
  )
const attemptsOf = ({ id }: ClaimedDelivery) =>
  queryAsOwner(
    fixtures,
    sql`select attempt::int, address, signature, latency_ms, error
          from test.delivery_attempts where delivery = ${id}`,
  )
const failures = () => queryAsOwner(fixtures, sql`select from test.failed_events`)

test.each([
  [true, 'test'],
  [false, undefined],
] as const)(
  'an attempt holds no socket while it waits to be recorded (slow endpoint: %p)',
  async (slow, mode) => {
    const claimed = await claimOne()
    const { start, limit, freed, socketsFree } = openStarter()
    let running: Promise<void> | undefined
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(
        sql`select from test.due_deliveries where delivery = ${claimed.id} for update`,
      )
      running = start({ ...claimed, slow })
      expect([socketsFree(), limit.underWay.size]).toEqual([3, 1])
      await until(() => freed.length > 0)
      expect([socketsFree(), limit.underWay.size]).toEqual([4, 1])
      await connection.run(sql`commit`)
    })
    await running
    expect([socketsFree(), limit.underWay.size]).toEqual([4, 0])
    // Only a slow endpoint's response makes the worker check whether that endpoint has more due
    // deliveries.
    expect(freed).toEqual([mode, mode])
    expect(receiver.received).toHaveLength(1)
  },
)

test('an attempt sends nothing and keeps its lease if no key decrypts its secret', async () => {
  const claimed = await claimOne()
  const { start, limit, noted, socketsFree } = openStarter('another pepper than that of the secret')
  await start(claimed)
  expect(receiver.received).toEqual([])
  const { id: delivery, webhook_endpoint: endpoint } = claimed
  expect(noted).toEqual([
    { event: 'webhook.interrupted', mode: 'test', delivery, endpoint, reason: 'Error' },
  ])
  expect(await dueOf(claimed)).toEqual([{ claim: 'a claim', claims: 1 }])
  expect([socketsFree(), limit.underWay.size]).toEqual([4, 0])
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id: endpoint })
  expect(data).toMatchObject([{ status: 'pending', attempt: 0, error: null }])
})

test.each([
  ['whose endpoint was deleted', { url: null }, 'endpoint_deleted'],
  ['that the clinic no longer grants', { body: null, is_granted: false }, 'not_granted'],
  ['whose event is gone', { body: null, is_granted: true }, null],
])(
  'a delivery %s ends without an attempt, and isn’t counted as its endpoint’s failure',
  async (_which, change, error) => {
    const claimed = await claimOne()
    const { start, noted } = openStarter()
    await start({ ...claimed, ...change })
    expect(receiver.received).toEqual([])
    const { data } = await invokeOk(fixtures, 'listDeliveries', { id: claimed.webhook_endpoint })
    expect(data).toMatchObject([
      { status: 'failed', attempt: 0, http_status: null, latency_ms: null, last_attempt_at: null },
    ])
    expect(data[0].error).toBe(error)
    expect(noted).toMatchObject([{ event: 'webhook.attempted', outcome: 'failed', ms: 0 }])
    expect([await attemptsOf(claimed), await dueOf(claimed), await failures()]).toEqual([
      [],
      [],
      [],
    ])
  },
)

test('a delivery is attempted by three workers that crash, and then fails', async () => {
  const third = await claimOne()
  await openStarter().start({ ...third, claims: 3 })
  expect(receiver.received).toHaveLength(1)
  await clearEndpoints(fixtures)
  const fourth = await claimOne()
  const { start, noted } = openStarter()
  await start({ ...fourth, claims: 4 })
  expect(receiver.received).toHaveLength(1)
  expect(noted.map(({ event, claims }) => [event, claims])).toEqual([
    ['webhook.lease_expired', 3],
    ['webhook.attempted', undefined],
  ])
  expect(await attemptsOf(fourth)).toEqual([
    { attempt: 1, address: null, signature: null, latency_ms: 0, error: 'connection_failed' },
  ])
})
