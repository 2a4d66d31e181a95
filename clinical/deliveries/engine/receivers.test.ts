// Tests how receivers that hang, or that respond to later requests first, affect other receivers.

import { afterEach, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { openReceiver } from '#http/testing/receiver.ts'
import { openTestWorker } from './testing/worker.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const listen = async (url: string): Promise<string> =>
  (await invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types: ['*'] } })).id
const trigger = async (): Promise<string> =>
  (await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })).id
const listed = async (id: string, query: Record<string, string> = {}) =>
  (await invokeOk(fixtures, 'listDeliveries', { id, query })).data

test('a receiver that hangs delays no other endpoint of its integration', async () => {
  const gate = Promise.withResolvers<void>()
  const came = new Set<string>()
  const receiver = openReceiver(async ({ path, headers }) => {
    if (path === '/hangs') await gate.promise
    else came.add(headers['service-event-id'] ?? '')
    return new Response()
  })
  const hanging = await listen(receiver.url('/hangs'))
  await listen(receiver.url('/answers'))
  const testWorker = await openTestWorker(fixtures, { sockets: 64 })
  // More deliveries than the hanging endpoint has slots, and more than the worker's share for slow
  // endpoints.
  const written: string[] = []
  for (let at = 0; at < 40; at++) written.push(await trigger())
  await until(() => came.size >= 40)
  expect([...came].toSorted()).toEqual(written.toSorted())
  expect(await listed(hanging, { status: 'pending', limit: '100' })).toHaveLength(40)
  gate.resolve()
  await testWorker.stop()
  await receiver.stop()
}, 30_000)

test('a reader that continues after the last ID misses no delivery, whichever gets a response first', async () => {
  // Responds to each group of held requests in reverse order of arrival.
  let held: (() => void)[] = []
  const answer = () => {
    for (const release of held.toReversed()) release()
    held = []
  }
  const receiver = openReceiver(async () => {
    await new Promise<void>(release => held.push(release))
    return new Response()
  })
  const id = await listen(receiver.url())
  const testWorker = await openTestWorker(fixtures)
  const seen: string[] = []
  const readOn = async () => {
    const query = seen.length > 0 ? { starting_after: seen.at(-1) ?? '' } : {}
    for (const one of await listed(id, query)) seen.push(one.id)
  }
  const events: string[] = []
  for (let at = 0; at < 30; at++) {
    events.push(await trigger())
    await readOn()
    if (held.length >= 5) answer()
    if (at % 3 > 0) continue
    await invokeOk(fixtures, 'redeliverEvent', { id: events[at] ?? '', body: {} })
    await readOn()
  }
  await until(async () => {
    answer()
    return (await listed(id, { status: 'delivered', limit: '100' })).length === 40
  })
  await readOn()
  const all = (await listed(id, { limit: '100' })).map((one: { id: string }) => one.id)
  expect(seen).toEqual(all)
  expect(all).toEqual(all.toSorted())
  await testWorker.stop()
  await receiver.stop()
}, 30_000)
