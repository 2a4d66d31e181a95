// Behavior over several days: the retry schedule to the second, secrets rotated along the way, and
// disabling an endpoint that never responds. Tests advance the jobs' clock.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { now } from '#database/clock.ts'
import { invoke, queuedCase, invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { addBacklog } from './testing/load.ts'
import { openReceiver, type ReceivedRequest, type Receiver } from '#http/testing/receiver.ts'
import { signature } from './sign.ts'
import { openTestWorker, type TestWorker } from './testing/worker.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'

const retrySchedule = [0, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400]
const hour = 3600
const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let receiver: Receiver
let testWorker: TestWorker
let answer: (received: ReceivedRequest) => Response | Promise<Response>
const refuse = () => new Response('not now', { status: 503 })

beforeAll(async () => {
  const { pathname } = new URL(fixtures.database.url)
  const name = sql([`alter database ${pathname.slice(1)} set timezone`] as never)
  await queryAsOwner(fixtures, sql`${name} = 'America/New_York'`)
})
beforeEach(async () => {
  answer = refuse
  receiver = openReceiver(one => (one.path === '/drain' ? new Response() : answer(one)))
  testWorker = await openTestWorker(fixtures)
})
afterEach(async () => {
  await testWorker.stop()
  await receiver.stop()
  expect(testWorker.linesOf('job.failed')).toEqual([])
  await clearEndpoints(fixtures)
})

const listen = (path = '/hooks', types: readonly string[] = ['order.shipped.v1']) =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(path), event_types: types },
  })
const trigger = (webhook_endpoint: string) =>
  invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1', webhook_endpoint } })
const deliveries = async (id: string) =>
  (await invokeOk(fixtures, 'listDeliveries', { id, query: { limit: '100' } })).data
const attemptsAt = (id: string) => testWorker.attempts().filter(line => line['endpoint'] === id)
const attempted = async (id: string, count: number) => {
  for (let all = 0; attemptsAt(id).length < count;) {
    all = testWorker.attempts().length
    if (attemptsAt(id).length < count) await testWorker.waitForLines('webhook.attempted', all + 1)
  }
}
/** Waits until everything due has been claimed, as shown by a probe delivery that becomes due
 *  later. */
async function drain(): Promise<void> {
  const { id } = await listen('/drain')
  await trigger(id)
  await attempted(id, 1)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
}
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

describe('retry schedule', () => {
  test('a delivery has nine attempts at the published intervals, and then fails', async () => {
    // The schedule spans the start of daylight saving time in the database's time zone.
    const night = Date.parse('2027-03-14T07:00:00Z')
    testWorker.advance(Math.floor((night - now()) / 1000) - 2 * 24 * hour)
    const { id } = await listen()
    await trigger(id)
    for (const [at] of retrySchedule.entries()) {
      await attempted(id, at + 1)
      const [delivery] = await deliveries(id)
      expect(delivery).toMatchObject({
        attempt: at + 1,
        http_status: 503,
        response_body: 'not now',
      })
      const wait = retrySchedule[at + 1]
      if (wait === undefined) {
        expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
        continue
      }
      expect(delivery.status).toBe('pending')
      const { last_attempt_at, next_attempt_at } = delivery
      expect(secondsBetween(last_attempt_at, next_attempt_at)).toBe(wait)
      // Nothing is sent before it's due; once due, it's sent immediately.
      testWorker.advance(wait - 20)
      await drain()
      expect(attemptsAt(id)).toHaveLength(at + 1)
      testWorker.advance(20)
    }
    testWorker.advance(30 * 24 * hour)
    await drain()
    expect(attemptsAt(id)).toHaveLength(retrySchedule.length)
    expect(retrySchedule.reduce((sum, wait) => sum + wait)).toBe(246_960)
    const ids = new Set(receiver.received.map(one => one.headers['service-event-id']))
    expect(ids.size).toBe(1 + retrySchedule.length)
  }, 60_000)

  test('every attempt has a new timestamp and signature, and no attempt follows a success', async () => {
    const { id, secret } = await listen()
    await trigger(id)
    await attempted(id, 1)
    testWorker.advance(60)
    await attempted(id, 2)
    answer = () => new Response('at last')
    testWorker.advance(300)
    await attempted(id, 3)
    const stamps = receiver.received.map(({ headers, body }) => {
      const header = headers['service-signature'] ?? ''
      const t = Number(header.slice(2, 12))
      expect(header).toBe(signature([secret], t, body))
      return t
    })
    const [first = 0, second = 0, third = 0] = stamps
    expect(second - first).toBeGreaterThanOrEqual(60)
    expect(third - second).toBeGreaterThanOrEqual(300)
    expect(new Set(receiver.received.map(one => one.headers['service-delivery-id'])).size).toBe(1)
    expect(await deliveries(id)).toMatchObject([
      { status: 'delivered', attempt: 3, next_attempt_at: null, response_body: 'at last' },
    ])
  })

  test('an event is delivered even if its wake-up is lost, because workers also poll', async () => {
    const { id } = await listen()
    const silent = { notify: () => undefined, close: async () => undefined }
    const context = { ...fixtures.context, wakeUps: { test: silent, live: silent } }
    const body = { type: 'order.shipped.v1', webhook_endpoint: id }
    expect((await invoke({ ...fixtures, context }, 'triggerWebhook', { body })).status).toBe(201)
    await attempted(id, 1)
  })

  test('redeliver creates a new delivery after a success and after a failure', async () => {
    const { id } = await listen()
    const { id: event } = await trigger(id)
    await attempted(id, 1)
    answer = () => new Response()
    await invokeOk(fixtures, 'redeliverEvent', { id: event, body: { webhook_endpoint: id } })
    await attempted(id, 2)
    await invokeOk(fixtures, 'redeliverEvent', { id: event })
    await attempted(id, 3)
    const found = await deliveries(id)
    expect(found.map((one: { status: string }) => one.status)).toEqual([
      'pending',
      'delivered',
      'delivered',
    ])
    const sent = receiver.received.map(one => one.headers)
    expect(new Set(sent.map(one => one['service-event-id'])).size).toBe(1)
    expect(new Set(sent.map(one => one['service-delivery-id'])).size).toBe(3)
  })

  test('a reset sandbox’s events aren’t sent', async () => {
    const { id } = await listen('/hooks', ['case.queued.v1'])
    await queuedCase(fixtures)
    await attempted(id, 1)
    await invokeOk(fixtures, 'resetSandbox')
    testWorker.advance(60)
    await attempted(id, 2)
    expect(receiver.received).toHaveLength(1)
    // The API hides the delivery along with the sandbox, until a worker deletes it.
    expect(await deliveries(id)).toEqual([])
    const [row] = await queryAsOwner(
      fixtures,
      sql`select status, attempt from test.deliveries where webhook_endpoint = ${id}`,
    )
    expect(row).toEqual({ status: 'failed', attempt: 1 })
  })
})

describe('secret rotation', () => {
  test('deliveries are signed with the new and the old secret for 24 hours, never with a third', async () => {
    answer = () => new Response()
    const { id, secret: first } = await listen()
    const nextSignature = async () => {
      const sent = attemptsAt(id).length
      await trigger(id)
      await attempted(id, sent + 1)
      const last = receiver.received.at(-1)
      const header = last?.headers['service-signature'] ?? ''
      const t = Number(header.slice(2, 12))
      return (secrets: string[]) => header === signature(secrets, t, last?.body ?? '')
    }
    expect((await nextSignature())([first])).toBe(true)
    const { secret: second } = await invokeOk(fixtures, 'rotateWebhookSecret', { id })
    expect((await nextSignature())([second, first])).toBe(true)
    const { secret: third } = await invokeOk(fixtures, 'rotateWebhookSecret', { id })
    expect((await nextSignature())([third, second])).toBe(true)
    // Checks ten minutes before the grace period ends, and again a second after its end. Once the
    // probe delivery has been dispatched, the clock has certainly moved.
    testWorker.advance(24 * hour - 600)
    await drain()
    expect((await nextSignature())([third, second])).toBe(true)
    testWorker.advance(601)
    await drain()
    expect((await nextSignature())([third])).toBe(true)
  })
})

describe('twenty consecutive failed events', () => {
  /** Makes this many events fail, each at its last attempt. */
  async function fail(id: string, count: number): Promise<void> {
    const before = attemptsAt(id).length
    for (let at = 0; at < count; at++) await trigger(id)
    await attempted(id, before + count)
    await queryAsOwner(
      fixtures,
      sql`update test.deliveries set attempt = 8
           where webhook_endpoint = ${id} and status = 'pending'`,
    )
    testWorker.advance(61)
    await attempted(id, before + 2 * count)
  }

  test('disable the endpoint, and notify the other endpoints of the integration', async () => {
    const { id } = await listen('/dead')
    const sibling = await listen('/alive', ['webhook_endpoint.disabled.v1'])
    await listen('/all', ['webhook_endpoint.disabled.v1'])
    await fail(id, 19)
    expect((await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status).toBe('enabled')
    answer = () => new Response()
    const delivered = attemptsAt(id).length
    await trigger(id)
    await attempted(id, delivered + 1)
    answer = ({ path }) => (path === '/dead' ? refuse() : new Response())
    await fail(id, 19)
    expect((await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status).toBe('enabled')
    await fail(id, 1)
    await attempted(sibling.id, 1)
    const endpoint = await invokeOk(fixtures, 'getWebhookEndpoint', { id })
    expect(endpoint).toMatchObject({ status: 'disabled', disabled_at: endpoint.updated_at })
    const query = { type: 'webhook_endpoint.disabled.v1', include_resource: 'true' }
    const { data } = await invokeOk(fixtures, 'listEvents', { query })
    expect(data).toMatchObject([
      {
        resource: { type: 'webhook_endpoint', id },
        status: 'disabled',
        previous_status: 'enabled',
        data: endpoint,
      },
    ])
    const notified = receiver.received.filter(
      one => one.headers['service-event-type'] === 'webhook_endpoint.disabled.v1',
    )
    expect(notified.map(one => one.path).sort()).toEqual(['/alive', '/all'])
    const pending = await invokeOk(fixtures, 'listDeliveries', { id, query: { status: 'pending' } })
    expect(pending.data).toEqual([])
    const again = { id, body: { status: 'enabled' } }
    expect((await invokeOk(fixtures, 'updateWebhookEndpoint', again)).status).toBe('enabled')
    expect(await queryAsOwner(fixtures, sql`select from test.failed_events`)).toHaveLength(0)
    // Only one of forty failures disabled the endpoint.
    const lines = testWorker.linesOf('webhook.disabled')
    expect(lines.filter(line => line['endpoint'] === id)).toHaveLength(1)
  }, 60_000)

  test('an endpoint disabled with 500 pending deliveries gets no more; three running ones are recorded', async () => {
    const gate = Promise.withResolvers<void>()
    answer = () => new Response()
    const { id } = await listen()
    // An endpoint counts as slow until its first response.
    await trigger(id)
    await attempted(id, 1)
    answer = () => gate.promise.then(refuse)
    const settled = () =>
      queryAsOwner<{ status: string; error: string | null; attempt: number; count: number }>(
        fixtures,
        sql`select status, error, attempt, count(*)::int from test.deliveries
             where webhook_endpoint = ${id} group by 1, 2, 3 order by 1, 3`,
      )
    await queryAsOwner(
      fixtures,
      sql`update test.endpoint_queues set slots = 3 where webhook_endpoint = ${id}`,
    )
    await addBacklog(fixtures, id, 503)
    testWorker.wake('webhooks.deliver')
    await receiver.waitForRequests(1 + 3)
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    gate.resolve()
    await attempted(id, 1 + 3)
    testWorker.advance(90 * 24 * hour)
    await drain()
    expect(await settled()).toEqual([
      { status: 'delivered', error: null, attempt: 1, count: 1 },
      { status: 'failed', error: 'endpoint_disabled', attempt: 0, count: 500 },
      { status: 'failed', error: null, attempt: 1, count: 3 },
    ])
    expect(receiver.received.filter(one => one.path === '/hooks')).toHaveLength(1 + 3)
  })
})
