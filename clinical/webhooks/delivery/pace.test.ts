// How soon what waits is sent, and what becomes of attempts when their worker stops. A worker also
// polls once a second: what relied on that would take ten times as long as these tests allow.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { addBacklog, openLoadFixture } from './testing/load.ts'
import { openReceiver, type ReceivedRequest, type Receiver } from './testing/receiver.ts'
import { openTestWorker } from './testing/worker.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let receiver: Receiver
let answer: (received: ReceivedRequest) => Response | Promise<Response>
beforeEach(() => {
  answer = () => new Response()
  receiver = openReceiver(one => answer(one))
})
afterEach(async () => {
  await receiver.stop()
  await queryAsOwner(
    fixtures,
    sql`truncate test.webhook_endpoints, test.endpoint_queues, test.deliveries,
                 test.due_deliveries, test.events`,
  )
})

const listen = async (path = '/hooks'): Promise<string> =>
  (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      body: { url: receiver.url(path), event_types: ['order.shipped.v1'] },
    })
  ).id
const trigger = () => invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
const markAsQuick = () => queryAsOwner(fixtures, sql`update test.endpoint_queues set slow = false`)

describe('what waits is sent as soon as it can be', () => {
  /** The seconds until so many requests have arrived. */
  async function secondsUntil(count: number): Promise<number> {
    const began = performance.now()
    await receiver.waitForRequests(count)
    return (performance.now() - began) / 1000
  }

  test('by a worker with one socket, to quick endpoints with a delivery each', async () => {
    const load = await openLoadFixture(fixtures, 30, receiver.url())
    await markAsQuick()
    await load.emit(1)
    const worker = await openTestWorker(fixtures, { sockets: 1 })
    expect(await secondsUntil(30)).toBeLessThan(10)
    await worker.stop()
  }, 60_000)

  test('to slow endpoints, within their share', async () => {
    const load = await openLoadFixture(fixtures, 60, receiver.url())
    await load.emit(1)
    const worker = await openTestWorker(fixtures, { sockets: 10 })
    expect(await secondsUntil(60)).toBeLessThan(9)
    await worker.stop()
  }, 60_000)

  test('to one endpoint with two slots and a backlog', async () => {
    const id = await listen()
    const worker = await openTestWorker(fixtures, { sockets: 16 })
    await trigger()
    await worker.waitForLines('webhook.attempted', 1)
    await queryAsOwner(fixtures, sql`update test.endpoint_queues set slots = 2`)
    await addBacklog(fixtures, id, 60)
    worker.wake('webhooks.deliver')
    expect(await secondsUntil(61)).toBeLessThan(9)
    await worker.stop()
  }, 60_000)
})

test('a worker that stops lets attempts end for three seconds, and puts the others back', async () => {
  const gate = Promise.withResolvers<void>()
  let cutAt = 0
  answer = async ({ path, aborted }) => {
    if (path === '/late') await gate.promise
    else {
      aborted.addEventListener('abort', () => (cutAt = performance.now()))
      await new Promise(() => undefined)
    }
    return new Response()
  }
  const [late, hanging] = [await listen('/late'), await listen('/hanging')]
  const worker = await openTestWorker(fixtures)
  await trigger()
  await receiver.waitForRequests(2)
  const began = performance.now()
  setTimeout(() => gate.resolve(), 1000)
  await worker.stop()
  const deliveryOf = async (id: string) =>
    (await invokeOk(fixtures, 'listDeliveries', { id })).data[0]
  expect(await deliveryOf(late)).toMatchObject({ status: 'delivered', attempt: 1 })
  expect(await deliveryOf(hanging)).toMatchObject({ status: 'pending', attempt: 0, error: null })
  expect(cutAt - began).toBeWithin(2900, 3900)
  const due = await queryAsOwner(
    fixtures,
    sql`select webhook_endpoint, claims::int, due_at <= clock_timestamp() as is_due
          from test.due_deliveries`,
  )
  expect(due).toEqual([{ webhook_endpoint: hanging, claims: 0, is_due: true }])
  expect(worker.linesOf('webhook.interrupted')).toMatchObject([
    { endpoint: hanging, reason: 'the worker ends' },
  ])
}, 60_000)
