// A claim's lease: how long it lasts, what ends it, and what a stopping worker leaves behind.

import ipaddr from 'ipaddr.js'
import { afterAll, afterEach, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { claim, type ClaimedDelivery, recallExpired, release } from './claim.ts'
import { clockOf } from './clock.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { postpone } from './poison-guard.ts'
import { attemptStarter } from './start-attempt.ts'
import { authority, openReceiver } from '#http/testing/receiver.ts'

const fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
const worker = fixtures.workerContext
afterAll(() => fixtures.close())
afterEach(() => clearEndpoints(fixtures))

const clock = clockOf()
const claimAt = (name: string, seconds = 0) =>
  worker.pools.test.use(async connection => {
    const at = clockOf(() => seconds)
    await recallExpired(connection, at)
    return claim(connection, 'test', at, { all: 5, slow: 5 }, name)
  })
const dueDelivery = async (id: string) =>
  (
    await queryAsOwner<{ claim: string | null; claims: number; due: number }>(
      fixtures,
      sql`select claim, claims, (extract(epoch from due_at) * 1000)::float8 as due
            from test.due_deliveries where delivery = ${id}`,
    )
  )[0]

/** Creates an endpoint with one delivery, and claims the delivery. */
async function claimed(url = 'https://hooks.brand.example/'): Promise<ClaimedDelivery> {
  const body = { url, event_types: ['order.shipped.v1'] }
  await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  const announced = fixtures.context.realtime.announce('test')
  await worker.pools.test.use(connection => dispatchOnce(connection, clock, announced))
  const [first] = await claimAt('the first worker')
  if (!first) throw new Error('nothing was due')
  return first
}

test('lease: lasts 30 seconds, twice as long as an attempt may last', async () => {
  const first = await claimed()
  expect(((await dueDelivery(first.id))?.due ?? 0) - first.moment).toBe(30_000)
  expect(await claimAt('another worker', 15)).toEqual([])
  const [second] = await claimAt('another worker', 31)
  expect(second).toMatchObject({ id: first.id, claims: 2, claim: 'another worker' })
})

test('lease: a worker with an expired lease doesn’t release the next one’s claim', async () => {
  const first = await claimed()
  await claimAt('the next worker', 31)
  const next = await dueDelivery(first.id)
  await worker.pools.test.use(connection => release(connection, first))
  expect(await dueDelivery(first.id)).toEqual(next)
  expect(next).toMatchObject({ claim: 'the next worker', claims: 2 })
})

test('lease: an attempt cut off when its worker stops isn’t counted, and is due immediately', async () => {
  const receiver = openReceiver(() => new Promise(() => undefined))
  const first = await claimed(receiver.url())
  const cut = new AbortController()
  const start = attemptStarter(
    {
      encryption: createEncryption([fixtures.context.pepper]),
      receivers: {
        addresses: {
          resolve: async () => ['127.0.0.1'],
          allowed: [[ipaddr.parse('127.0.0.1'), 32]],
        },
        ca: authority.cert,
        seconds: 15,
      },
      clock,
    },
    createConcurrencyLimit(4, 15),
    cut.signal,
    () => undefined,
  )
  const noted: unknown[] = []
  const noting: typeof worker = { ...worker, note: (...line) => void noted.push(line) }
  const running = start(noting, 'test', [first])
  await receiver.waitForRequests(1)
  cut.abort()
  await running
  const id = first.webhook_endpoint
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id })
  expect(data).toMatchObject([
    { id: first.id, status: 'pending', attempt: 0, error: null, last_attempt_at: null },
  ])
  const [next] = await claimAt('the next worker')
  expect(next).toMatchObject({ id: first.id, claims: 1 })
  // A released claim leaves no expired lease; only an unreleased one does.
  const { id: delivery } = first
  const expired = ['webhook.lease_expired', { mode: 'test', delivery, endpoint: id, claims: 1 }]
  const interrupted = { mode: 'test', delivery, endpoint: id, reason: 'the worker is stopping' }
  expect(noted).toEqual([['webhook.interrupted', interrupted]])
  await start(noting, 'test', [{ ...first, claims: 2 }])
  expect(noted).toContainEqual(expired)
  await receiver.stop()
})

test('lease: a recall makes only the queues of expired claims due', async () => {
  const body = { url: 'https://hooks.brand.example/', event_types: ['order.shipped.v1'] }
  for (let n = 0; n < 2; n++) await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  const { pools } = worker
  const announced = fixtures.context.realtime.announce('test')
  const [first] = await pools.test.use(async connection => {
    await dispatchOnce(connection, clock, announced)
    return claim(connection, 'test', clock, { all: 1, slow: 1 }, 'one of two')
  })
  const recall = (seconds: number) =>
    pools.test.use(connection =>
      recallExpired(
        connection,
        clockOf(() => seconds),
      ),
    )
  const own = sql`webhook_endpoint = ${first?.webhook_endpoint ?? ''}`
  const dues = () =>
    queryAsOwner<{ due: string }>(
      fixtures,
      sql`select next_due::text as due from test.endpoint_queues order by ${own} desc`,
    )
  // An unclaimed delivery may wait for an agreement.
  await queryAsOwner(fixtures, sql`update test.endpoint_queues set next_due = 'infinity'`)
  await recall(15)
  expect(await dues()).toEqual([{ due: 'infinity' }, { due: 'infinity' }])
  await recall(31)
  const [recalled, other] = await dues()
  expect(recalled?.due).not.toBe('infinity')
  expect(other?.due).toBe('infinity')
  // The endpoint's queue keeps its earlier turn, and isn't moved behind other queues.
  await queryAsOwner(
    fixtures,
    sql`update test.endpoint_queues set next_due = '2026-01-02T03:04:05Z' where ${own}`,
  )
  const before = await dues()
  await recall(31)
  expect(await dues()).toEqual(before)
})

test('lease: of two deliveries in one claim, a released one is due at the given time', async () => {
  const body = { url: 'https://hooks.brand.example/', event_types: ['order.shipped.v1'] }
  await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  await claimed()
  const [one, other] = await claimAt('both', 31)
  if (!one || !other) throw new Error('expected two due deliveries')
  const [kept, before] = [await dueDelivery(other.id), Date.now()]
  await worker.pools.test.use(connection => release(connection, one, 5000))
  const released = await dueDelivery(one.id)
  expect([released?.claim, released?.claims]).toEqual([null, one.claims - 1])
  expect(released?.due).toBeWithin(before + 4990, Date.now() + 5010)
  expect(await dueDelivery(other.id)).toEqual(kept)
})

test('lease: a postponed last attempt is due in a tenth of a second, and no claim is counted', async () => {
  const [first, before] = [await claimed(), Date.now()]
  await postpone(worker, 'webhooks.deliver', 'test', [first])
  const postponed = await dueDelivery(first.id)
  expect([postponed?.claim, postponed?.claims]).toEqual([null, 0])
  expect(postponed?.due).toBeWithin(before + 90, Date.now() + 110)
})

test('lease: a recall that the database refuses throws in the requesting worker', async () => {
  const never = { ...clock, now: sql`'never'::timestamptz` }
  const recalled = worker.pools.test.use(connection => recallExpired(connection, never))
  await expect(recalled).rejects.toThrow('invalid input syntax')
})
