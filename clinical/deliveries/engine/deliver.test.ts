// A webhook, from the write that caused it to the receiver's recorded response.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { drip } from '#http/testing/drip.ts'
import { eventTypes, resourceOf, scopeOfResource } from '#contract/events.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/clock.ts'
import { until } from '#http/testing/until.ts'
import { invoke, queuedCase, invokeOk, rivera } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { signature } from './sign.ts'
import { openTestWorker, type TestWorker } from './testing/worker.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { withScopes } from '../../testing/with-scopes.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let receiver: Receiver
let testWorker: TestWorker
let answer: (path: string) => Response | Promise<Response> = () => new Response('thanks')
beforeEach(async () => {
  answer = () => new Response('thanks')
  receiver = openReceiver(({ path }) => answer(path))
  testWorker = await openTestWorker(fixtures)
})
afterEach(async () => {
  await testWorker.stop()
  await receiver.stop()
  expect(fixtures.errors).toEqual([])
  expect(testWorker.linesOf('job.failed')).toEqual([])
  await clearEndpoints(fixtures)
})

const listen = (more: object = {}) =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(), event_types: ['*'], ...more },
  })
const deliveries = async (id: string) =>
  (await invokeOk(fixtures, 'listDeliveries', { id, query: { limit: '100' } })).data

describe('a delivery', () => {
  test('has the body of getEvent, four headers and a valid signature', async () => {
    const { id, secret } = await listen({ event_types: ['patient.created.v1'] })
    const before = Math.floor(now() / 1000)
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    await testWorker.waitForLines('webhook.attempted', 1)
    const [request] = receiver.received
    if (!request) throw new Error('nothing was received')
    const event = JSON.parse(request.body)
    expect((await invoke(fixtures, 'getEvent', { id: event.id })).text).toBe(request.body)
    const [delivery] = await deliveries(id)
    const service = Object.entries(request.headers).filter(([name]) => name.startsWith('service-'))
    expect(Object.fromEntries(service)).toEqual({
      'service-event-id': event.id,
      'service-event-type': 'patient.created.v1',
      'service-delivery-id': delivery.id,
      'service-signature': request.headers['service-signature'] ?? '',
    })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Clinical-Integrations/1',
      'accept-encoding': 'identity',
      host: `a.receiver.example:${receiver.port}`,
    })
    const seconds = Number(/^t=(\d+),/.exec(request.headers['service-signature'] ?? '')?.[1])
    // The delivery was signed between the write and now, however long that took.
    expect([seconds >= before, seconds <= now() / 1000]).toEqual([true, true])
    expect(request.headers['service-signature']).toBe(signature([secret], seconds, request.body))
    expect(delivery).toMatchObject({
      event: event.id,
      event_type: 'patient.created.v1',
      webhook_endpoint: id,
      status: 'delivered',
      attempt: 1,
      http_status: 200,
      response_body: 'thanks',
      error: null,
      next_attempt_at: null,
    })
    expect(delivery.latency_ms).toBeGreaterThanOrEqual(0)
  })

  test('goes once to each endpoint subscribed to its type, and to no other tenant', async () => {
    const all = await listen({ url: receiver.url('/all') })
    await listen({ url: receiver.url('/cases'), event_types: ['case.queued.v1'] })
    const as = fixtures.ben.test
    const body = { url: receiver.url('/ben'), event_types: ['*'] }
    await invokeOk(fixtures, 'createWebhookEndpoint', { as, body })
    await queuedCase(fixtures)
    await testWorker.waitForLines('webhook.attempted', 5)
    const paths = receiver.received.map(one => one.path).sort()
    expect(paths).toEqual(['/all', '/all', '/all', '/all', '/cases'])
    expect(await deliveries(all.id)).toHaveLength(4)
    for (const { id } of (await invokeOk(fixtures, 'listWebhookEndpoints', { as })).data) {
      await invokeOk(fixtures, 'deleteWebhookEndpoint', { as, id })
    }
  })

  test('an endpoint gets no event from before it was created, or while it was disabled', async () => {
    // Events are dispatched if the endpoint is enabled now, even if it wasn't when they were
    // written.
    await testWorker.stop()
    // This endpoint receives all events, so each of them is read.
    const other = await listen({ url: receiver.url('/other') })
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    const { id } = await listen()
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
    const last = await invokeOk(fixtures, 'createPatient', { body: rivera })
    testWorker = await openTestWorker(fixtures)
    await testWorker.waitForLines('webhook.attempted', 4)
    const isDispatched = async () =>
      (await queryAsOwner(fixtures, sql`select test.tenants_to_read()`)).length === 0
    await until(isDispatched)
    expect(await deliveries(other.id)).toHaveLength(3)
    expect(await deliveries(id)).toHaveLength(1)
    const own = receiver.received.filter(one => one.path !== '/other')
    expect(own.map(one => JSON.parse(one.body).resource.id)).toEqual([last.id])
  })

  test('writes one log line, without the body or the secret', async () => {
    await listen({ event_types: ['patient.created.v1'], include_resource: true })
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    const [line] = await testWorker.waitForLines('webhook.attempted', 1)
    expect(Object.keys(line ?? {})).toEqual([
      'event',
      'mode',
      'endpoint',
      'event_id',
      'type',
      'delivery',
      'attempt',
      'outcome',
      'status',
      'error',
      'ms',
    ])
    expect(JSON.stringify(testWorker.lines)).not.toMatch(/Rivera|whsec|thanks/)
  })
})

describe('include_resource', () => {
  test('embeds the resource as of the time of sending', async () => {
    await listen({ event_types: ['patient.created.v1'], include_resource: true })
    const patient = await invokeOk(fixtures, 'createPatient', { body: rivera })
    await testWorker.waitForLines('webhook.attempted', 1)
    const { data } = JSON.parse(receiver.received[0]?.body ?? '{}')
    expect(data).toEqual(patient)
  })

  test('a retry embeds the updated resource, or that it was deleted, with the event’s status', async () => {
    answer = () => new Response('', { status: 500 })
    const { secret } = await listen({
      event_types: ['patient.created.v1'],
      include_resource: true,
    })
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    await testWorker.waitForLines('webhook.attempted', 1)
    await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: 'Grace' } })
    testWorker.advance(61)
    await testWorker.waitForLines('webhook.attempted', 2)
    await invokeOk(fixtures, 'deletePatient', { id })
    testWorker.advance(301)
    await testWorker.waitForLines('webhook.attempted', 3)
    const bodies = receiver.received.map(one => JSON.parse(one.body))
    expect(bodies.map(one => one.data.first_name ?? one.data)).toEqual([
      'Ada',
      'Grace',
      { id, deleted: true },
    ])
    for (const body of bodies) expect(body.status).toBe('active')
    for (const { headers, body } of receiver.received) {
      const seconds = Number(headers['service-signature']?.slice(2, 12))
      expect(headers['service-signature']).toBe(signature([secret], seconds, body))
    }
  })

  test('omits the resource when the clinic no longer grants its scope', async () => {
    await listen({ event_types: ['patient.created.v1'], include_resource: true })
    await withScopes(fixtures, fixtures.ada.integration, ['patients:write'], async () => {
      await invokeOk(fixtures, 'createPatient', { body: rivera })
      await testWorker.waitForLines('webhook.attempted', 1)
    })
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).not.toHaveProperty('data')
  })

  test('every event type can be triggered, is signed, and embeds the resource that polling returns', async () => {
    const { id, secret } = await listen({ event_types: ['webhook_endpoint.disabled.v1'] })
    await listen({ url: receiver.url('/other'), event_types: ['case.declined.v1'] })
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { include_resource: true } })
    for (const type of eventTypes) {
      await invokeOk(fixtures, 'triggerWebhook', { body: { type, webhook_endpoint: id } })
    }
    await testWorker.waitForLines('webhook.attempted', eventTypes.length)
    expect(receiver.received.map(one => one.path)).not.toContain('/other')
    const types = receiver.received.map(one => one.headers['service-event-type'] ?? '')
    expect(types.sort()).toEqual([...eventTypes].sort())
    const query = { include_resource: 'true', limit: '100' }
    const { data } = await invokeOk(fixtures, 'listEvents', { query })
    for (const { headers, body } of receiver.received) {
      const event = JSON.parse(body)
      expect(scopeOfResource[resourceOf(event.type)]).toBeString()
      const polled = [...data, ...(await rest(query, data))].find(one => one.id === event.id)
      expect(polled).toEqual(event)
      const seconds = Number(headers['service-signature']?.slice(2, 12))
      expect(headers['service-signature']).toBe(signature([secret], seconds, body))
    }
  })
})

type EventSummary = { id: string }
/** Returns the pages after the first. */
async function rest(query: Record<string, string>, first: EventSummary[]): Promise<EventSummary[]> {
  const last = first.at(-1)
  if (!last || first.length < 100) return []
  const { data } = await invokeOk(fixtures, 'listEvents', {
    query: { ...query, starting_after: last.id },
  })
  return [...data, ...(await rest(query, data))]
}

describe('the receiver’s response', () => {
  test('only a 2xx status is a success', async () => {
    const { id } = await listen({ event_types: ['order.shipped.v1'] })
    const statuses = [200, 202, 204, 299, 300, 301, 302, 304, 400, 401, 404, 410, 429, 500, 503]
    answer = () => {
      const status = statuses[receiver.received.length - 1] ?? 500
      const headers = { location: receiver.url('/followed'), 'retry-after': '1' }
      return new Response(null, { status, headers })
    }
    for (const at of statuses.keys()) {
      const body = { type: 'order.shipped.v1', webhook_endpoint: id }
      await invokeOk(fixtures, 'triggerWebhook', { body })
      await testWorker.waitForLines('webhook.attempted', at + 1)
    }
    const found = await deliveries(id)
    expect(found.map((one: { http_status: number }) => one.http_status)).toEqual(statuses)
    for (const one of found) {
      expect([one.http_status, one.status]).toEqual([
        one.http_status,
        one.http_status < 300 ? 'delivered' : 'pending',
      ])
    }
    expect(receiver.received.map(one => one.path)).not.toContain('/followed')
  })

  test('its first kilobyte is stored encrypted, whatever its bytes are', async () => {
    const { id } = await listen({ event_types: ['order.shipped.v1'] })
    const answers = [
      new Uint8Array(8192).fill(97),
      Buffer.from('"\\\u0000é🧪<script>'),
      new Uint8Array([0xff, 0xfe, 0x41]),
      Bun.gzipSync(new Uint8Array(5_000_000)),
    ]
    answer = path => {
      const body = answers[Number(path.slice(1))] ?? ''
      const headers: Record<string, string> = path === '/3' ? { 'content-encoding': 'gzip' } : {}
      return new Response(body, { headers })
    }
    for (const at of answers.keys()) {
      await invokeOk(fixtures, 'updateWebhookEndpoint', {
        id,
        body: { url: receiver.url(`/${at}`) },
      })
      const body = { type: 'order.shipped.v1', webhook_endpoint: id }
      await invokeOk(fixtures, 'triggerWebhook', { body })
      await testWorker.waitForLines('webhook.attempted', at + 1)
    }
    const stored = (await deliveries(id)).map((one: { response_body: string }) => one.response_body)
    expect(stored[0]).toBe('a'.repeat(1024))
    expect(stored[1]).toBe('"\\\ufffdé🧪<script>')
    expect(stored[2]).toBe('\ufffd\ufffdA')
    expect(Buffer.byteLength(stored[3] ?? '')).toBeLessThanOrEqual(3 * 1024)
    const rows = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select d::text as row from test.deliveries d`,
    )
    for (const { row } of rows) expect(row).not.toContain('<script>')
  })

  test('a 2xx with a body that never ends is a success', async () => {
    const { id } = await listen({ event_types: ['order.shipped.v1'] })
    answer = () => new Response(drip('x'))
    await invokeOk(fixtures, 'triggerWebhook', {
      body: { type: 'order.shipped.v1', webhook_endpoint: id },
    })
    await testWorker.waitForLines('webhook.attempted', 1)
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', http_status: 200 }])
  })
})
