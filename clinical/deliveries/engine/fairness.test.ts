// Endpoints that hang, even a thousand of them, and an endpoint with a long backlog must not delay
// other endpoints. FAULT_ROUNDS=50 runs the full sizes and asserts times, which needs an otherwise
// idle machine.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { type Fixtures, openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { ledgerOf, deliveriesIn } from './testing/ledger.ts'
import { claim } from './claim.ts'
import { clockOf } from './clock.ts'
import { openLoadFixture, addBacklog } from './testing/load.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { record } from './record.ts'
import { openTestWorker, type Settings, type TestWorker } from './testing/worker.ts'
import { accepted } from '../../jobs/testing/worker.ts'

const isFull = Number(process.env['FAULT_ROUNDS'] ?? 1) >= 50

let fixtures: Fixtures
let receiver: Receiver
/** How many requests are being held until the test ends, and the most so far. */
let hanging = { now: 0, most: 0 }
let gate = Promise.withResolvers<void>()
/** When the healthy endpoint received each delivery. */
let arrivals = new Map<string, number>()
beforeAll(async () => {
  fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
  receiver = openReceiver(async ({ path, headers, aborted }) => {
    if (path === '/hanging') {
      hanging = { now: hanging.now + 1, most: Math.max(hanging.most, hanging.now + 1) }
      const left = Promise.withResolvers<void>()
      aborted.addEventListener('abort', () => left.resolve(), { once: true })
      await Promise.race([gate.promise, left.promise])
      hanging.now--
    } else arrivals.set(headers['service-delivery-id'] ?? '', performance.now())
    return new Response()
  })
})
afterAll(async () => {
  await receiver.stop()
  await fixtures.close()
})

const listen = (path: string) =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(path), event_types: ['order.shipped.v1'] },
  })
const trigger = () => invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
let running: TestWorker[] = []
async function startWorker(settings: Settings): Promise<TestWorker> {
  const testWorker = await openTestWorker(fixtures, settings)
  running.push(testWorker)
  return testWorker
}
/** Responds to the held requests, and stops the workers. */
async function stopAll(): Promise<void> {
  const stopped = running.map(testWorker => testWorker.stop())
  running = []
  gate.resolve()
  await Promise.all(stopped)
}
afterEach(async () => {
  await stopAll()
  await queryAsOwner(
    fixtures,
    sql`truncate test.webhook_endpoints, test.endpoint_queues, test.deliveries, test.due_deliveries,
                 test.events`,
  )
  receiver.received.length = 0
  hanging = { now: 0, most: 0 }
  gate = Promise.withResolvers()
  arrivals = new Map()
})
/** Checks only in full runs, on an otherwise idle machine. */
function expectP99(what: string, milliseconds: readonly number[], most: number): void {
  if (!isFull) return
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  console.log(`${what}: p99 ${Math.round(p99)} ms of ${sorted.length}`)
  expect(p99).toBeLessThan(most)
}

test('fairness: an endpoint that hangs before a long backlog does not delay other endpoints', async () => {
  const [others, each, backlog] = isFull ? [198, 5, 50_000] : [24, 2, 400]
  const { id } = await listen('/hanging')
  const testWorker = await startWorker({ sockets: 64 })
  await trigger()
  await receiver.waitForRequests(1)
  await addBacklog(fixtures, id, backlog)
  testWorker.wake('webhooks.deliver')
  await receiver.waitForRequests(8)
  const loadFixture = await openLoadFixture(fixtures, others, receiver.url('/quick'))
  arrivals = new Map()
  const [before, began] = [receiver.received.length, performance.now()]
  await loadFixture.emit(each)
  testWorker.wake('webhooks.dispatch')
  await receiver.waitForRequests(before + others * each)
  const waits = [...arrivals.values()].map(at => at - began)
  expect(hanging).toEqual({ now: 8, most: 8 })
  await stopAll()
  const { wrong, delivered, pending, ...ledger } = await ledgerOf(
    fixtures.owner,
    deliveriesIn(receiver.received),
  )
  expect(wrong).toEqual([])
  expect(ledger).toMatchObject({ unread: 0, failed: 0, receipts: delivered, unrecorded: 0 })
  expect(delivered + pending).toBe(others * each + backlog + 1)
  expect(delivered).toBeGreaterThanOrEqual(others * each + 8)
  expectP99(`${others} others with ${each}`, waits, 2000)
}, 120_000)

test('fairness: a thousand hanging endpoints hold at most the slow endpoints’ share', async () => {
  const [count, sockets, events] = isFull ? [1000, 200, 100] : [16, 10, 5]
  const testWorker = await startWorker({ sockets, seconds: isFull ? 15 : 0.3 })
  const { id } = await listen('/quick')
  await trigger()
  await testWorker.waitForLines('webhook.attempted', 1)
  const loadFixture = await openLoadFixture(fixtures, count, receiver.url('/hanging'))
  await loadFixture.emit(1)
  testWorker.wake('webhooks.dispatch')
  const share = sockets * 0.4
  await receiver.waitForRequests(1 + share)
  const waits: number[] = []
  const quick = () => testWorker.attempts().filter(line => line['endpoint'] === id).length
  const timeouts = () => testWorker.attempts().filter(line => line['error'] === 'timeout').length
  for (let at = 0; at < events; at++) {
    // Spreads the events over several timeouts of the hanging endpoints.
    if (isFull) await until(() => timeouts() >= at * 2)
    const [served, began] = [quick(), performance.now()]
    await trigger()
    await until(() => quick() !== served, 1)
    waits.push(performance.now() - began)
  }
  await until(() => timeouts() >= count, 20)
  expect(hanging.most).toBe(share)
  await stopAll()
  const { wrong, unread } = await ledgerOf(fixtures.owner, deliveriesIn(receiver.received))
  expect([wrong, unread]).toEqual([[], 0])
  expectP99('a healthy one among a thousand', waits, 2000)
}, 400_000)

test('fairness: busy endpoints that hang together release sockets to others before they time out', async () => {
  const [busy, sockets] = isFull ? [15, 64] : [3, 8]
  const testWorker = await startWorker({ sockets, seconds: 15 })
  const { id } = await listen('/quick')
  const lines: string[] = []
  for (let at = 0; at < busy; at++) lines.push((await listen('/hanging')).id)
  gate.resolve()
  await trigger()
  await testWorker.waitForLines('webhook.attempted', busy + 1)
  gate = Promise.withResolvers()
  for (const one of lines) await addBacklog(fixtures, one, 40)
  testWorker.wake('webhooks.deliver')
  await until(() => hanging.now >= sockets, 2)
  const { id: event } = await trigger()
  const isSent = () =>
    testWorker.attempts().some(line => line['event_id'] === event && line['endpoint'] === id)
  const began = performance.now()
  await until(isSent, 5)
  const waits = [performance.now() - began]
  // No attempt timed out: the sockets were released earlier.
  expect(testWorker.attempts().filter(line => line['error'] === 'timeout')).toEqual([])
  await stopAll()
  const { wrong } = await ledgerOf(fixtures.owner, deliveriesIn(receiver.received))
  expect(wrong).toEqual([])
  // Endpoints that waited longer are served first. They hang too, in two rounds of two seconds.
  expectP99(`one beside ${busy} busy ones that hang`, waits, 6000)
}, 60_000)

test('an idle transaction of a worker is ended after five seconds, and claims continue', async () => {
  const pool = openPool({
    url: fixtures.database.urls.worker_test,
    size: 2,
    name: 'held',
    path: 'test, public',
  })
  const { id } = await listen('/quick')
  const waits: number[] = []
  await pool.use(async held => {
    const [setting] = await held.run(sql`show idle_in_transaction_session_timeout`)
    expect(setting).toEqual({ idle_in_transaction_session_timeout: '5s' })
    const [{ pid } = { pid: 0 }] = await held.run<{ pid: number }>(
      sql`select pg_backend_pid() as pid`,
    )
    await held.run(sql`begin isolation level repeatable read`)
    await held.run(sql`select count(*) from due_deliveries`)
    const clock = clockOf()
    const deadline = performance.now() + (isFull ? 5500 : 0)
    const free = { all: 8, slow: 8 }
    do {
      await trigger()
      const announced = fixtures.context.realtime.announce('test')
      await pool.use(connection => dispatchOnce(connection, clock, announced))
      const at = performance.now()
      const [claimed] = await pool.use(connection =>
        claim(connection, 'test', clock, free, `at ${at}`),
      )
      waits.push(performance.now() - at)
      expect(claimed?.webhook_endpoint).toBe(id)
      if (claimed)
        await pool.use(connection => record(connection, clock, [{ claimed, attempted: accepted }]))
    } while (performance.now() < deadline)
    const left = await queryAsOwner(
      fixtures,
      sql`select from pg_stat_activity where pid = ${pid}::int`,
    )
    expect(left).toHaveLength(isFull ? 0 : 1)
    if (!isFull) await held.run(sql`rollback`)
  })
  await pool.close()
  expectP99('claims beside a held transaction', waits, 50)
}, 60_000)
