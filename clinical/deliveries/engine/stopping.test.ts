// Tests how attempts end when their worker stops.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { openReceiver, type ReceivedRequest, type Receiver } from '#http/testing/receiver.ts'
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

test('a stopping worker lets attempts finish for three seconds, and puts the others back', async () => {
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
  const stopped = worker.stop()
  gate.resolve()
  await stopped
  const deliveryOf = async (id: string) =>
    (await invokeOk(fixtures, 'listDeliveries', { id })).data[0]
  expect(await deliveryOf(late)).toMatchObject({ status: 'delivered', attempt: 1 })
  expect(await deliveryOf(hanging)).toMatchObject({ status: 'pending', attempt: 0, error: null })
  expect(cutAt - began).toBeGreaterThan(2900)
  const due = await queryAsOwner(
    fixtures,
    sql`select webhook_endpoint, claims::int, due_at <= clock_timestamp() as is_due
          from test.due_deliveries`,
  )
  expect(due).toEqual([{ webhook_endpoint: hanging, claims: 0, is_due: true }])
  expect(worker.linesOf('webhook.interrupted')).toMatchObject([
    { endpoint: hanging, reason: 'the worker is stopping' },
  ])
}, 60_000)
