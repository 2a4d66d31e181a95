// One endpoint that hangs before a long line, and a thousand that hang: everybody else is served
// meanwhile. FAULT_ROUNDS=50 asks for the sizes of the paper, and then for its times as well: on a
// machine that does other things a time says nothing.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../../testing/call.ts'
import { type Fixtures, openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { accountsOf, deliveriesIn } from './testing/ledger.ts'
import { claim } from './claim.ts'
import { clockOf } from './clock.ts'
import { openLoadFixture, pile } from './testing/load.ts'
import { dispatch } from './dispatch.ts'
import { openReceiver, type Receiver } from './testing/receiver.ts'
import { record } from './record.ts'
import { openTestWorker, type Settings, type TestWorker } from './testing/worker.ts'
import { good } from '../../jobs/testing/worker.ts'

const isWhole = Number(process.env['FAULT_ROUNDS'] ?? 1) >= 50

let fixtures: Fixtures
let receiver: Receiver
/** Requests that wait for the end of the test, now and at most. */
let hanging = { now: 0, most: 0 }
let gate = Promise.withResolvers<void>()
/** When each event came to whoever answers. */
let arrivals = new Map<string, number>()
beforeAll(async () => {
  fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
  receiver = openReceiver(async ({ path, headers, gone }) => {
    if (path === '/hanging') {
      hanging = { now: hanging.now + 1, most: Math.max(hanging.most, hanging.now + 1) }
      const left = Promise.withResolvers<void>()
      gone.addEventListener('abort', () => left.resolve(), { once: true })
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
async function work(settings: Settings): Promise<TestWorker> {
  const working = await openTestWorker(fixtures, settings)
  running.push(working)
  return working
}
/** Whatever hangs is answered, and whoever works stops. */
async function finish(): Promise<void> {
  const stopped = running.map(working => working.stop())
  running = []
  gate.resolve()
  await Promise.all(stopped)
}
afterEach(async () => {
  await finish()
  await queryAsOwner(
    fixtures,
    sql`truncate test.webhook_endpoints, test.endpoint_queues, test.deliveries, test.due_deliveries,
                 test.events, test.outbox`,
  )
  receiver.received.length = 0
  hanging = { now: 0, most: 0 }
  gate = Promise.withResolvers()
  arrivals = new Map()
})
/** In whole runs alone, where the machine does nothing else. */
function inTime(what: string, milliseconds: readonly number[], most: number): void {
  if (!isWhole) return
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  console.log(`${what}: p99 ${Math.round(p99)} ms of ${sorted.length}`)
  expect(p99).toBeLessThan(most)
}

test('one that hangs before a long line holds its slots, and nobody else waits for it', async () => {
  const [others, each, line] = isWhole ? [198, 5, 50_000] : [24, 2, 400]
  const { id } = await listen('/hanging')
  const working = await work({ sockets: 64 })
  await trigger()
  await receiver.heard(1)
  await pile(fixtures, id, line)
  working.wake('webhooks.deliver')
  await receiver.heard(8)
  const loadFixture = await openLoadFixture(fixtures, others, receiver.url('/quick'))
  arrivals = new Map()
  const [before, began] = [receiver.received.length, performance.now()]
  await loadFixture.emit(each)
  working.wake('webhooks.dispatch')
  await receiver.heard(before + others * each)
  const waits = [...arrivals.values()].map(at => at - began)
  expect(hanging).toEqual({ now: 8, most: 8 })
  await finish()
  const { wrong, delivered, pending, ...books } = await accountsOf(
    fixtures.owner,
    deliveriesIn(receiver.received),
  )
  expect(wrong).toEqual([])
  expect(books).toMatchObject({ outbox: 0, failed: 0, receipts: delivered, unrecorded: 0 })
  expect(delivered + pending).toBe(others * each + line + 1)
  expect(delivered).toBeGreaterThanOrEqual(others * each + 8)
  inTime(`${others} others with ${each}`, waits, 2000)
}, 120_000)

test('a thousand that hang hold no more than the share of slow ones, from the first on', async () => {
  const [count, sockets, events] = isWhole ? [1000, 200, 100] : [16, 10, 5]
  const working = await work({ sockets, seconds: isWhole ? 15 : 0.3 })
  const { id } = await listen('/quick')
  await trigger()
  await working.noted('webhook.attempted', 1)
  const loadFixture = await openLoadFixture(fixtures, count, receiver.url('/hanging'))
  await loadFixture.emit(1)
  working.wake('webhooks.dispatch')
  const share = sockets * 0.4
  await receiver.heard(1 + share)
  const waits: number[] = []
  const quick = () => working.attempts().filter(line => line['endpoint'] === id).length
  for (let at = 0; at < events; at++) {
    // Spread over several rounds of those that hang.
    if (isWhole) await Bun.sleep(400)
    const [served, began] = [quick(), performance.now()]
    await trigger()
    while (quick() === served) await Bun.sleep(1)
    waits.push(performance.now() - began)
  }
  const timeouts = () => working.attempts().filter(line => line['error'] === 'timeout').length
  while (timeouts() < count) await Bun.sleep(20)
  expect(hanging.most).toBe(share)
  await finish()
  const { wrong, outbox } = await accountsOf(fixtures.owner, deliveriesIn(receiver.received))
  expect([wrong, outbox]).toEqual([[], 0])
  inTime('a healthy one among a thousand', waits, 2000)
}, 400_000)

test('busy ones that all hang at once leave their room to others long before they are given up', async () => {
  const [busy, sockets, seconds] = isWhole ? [15, 64, 15] : [3, 8, 4]
  const working = await work({ sockets, seconds })
  const { id } = await listen('/quick')
  const lines: string[] = []
  for (let at = 0; at < busy; at++) lines.push((await listen('/hanging')).id)
  gate.resolve()
  await trigger()
  await working.noted('webhook.attempted', busy + 1)
  gate = Promise.withResolvers()
  for (const one of lines) await pile(fixtures, one, 40)
  working.wake('webhooks.deliver')
  while (hanging.now < sockets) await Bun.sleep(2)
  const { id: event } = await trigger()
  const isSent = () =>
    working.attempts().some(line => line['event_id'] === event && line['endpoint'] === id)
  const began = performance.now()
  while (!isSent()) await Bun.sleep(5)
  const waits = [performance.now() - began]
  // Nobody was given up meanwhile: room was made, not waited for.
  expect(working.attempts().filter(line => line['error'] === 'timeout')).toEqual([])
  await finish()
  const { wrong } = await accountsOf(fixtures.owner, deliveriesIn(receiver.received))
  expect(wrong).toEqual([])
  // Those that waited longer have their turn first, and hang as well: two rounds of two seconds.
  inTime(`one beside ${busy} busy ones that hang`, waits, 6000)
}, 60_000)

test('a transaction that one of ours forgets is ended after five seconds, and claims go on', async () => {
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
    const until = performance.now() + (isWhole ? 5500 : 0)
    const free = { all: 8, slow: 8 }
    do {
      await trigger()
      const announced = fixtures.context.realtime.announce('test')
      await pool.use(connection => dispatch(connection, clock, announced))
      const at = performance.now()
      const [claimed] = await pool.use(connection =>
        claim(connection, 'test', clock, free, `at ${at}`),
      )
      waits.push(performance.now() - at)
      expect(claimed?.webhook_endpoint).toBe(id)
      if (claimed)
        await pool.use(connection => record(connection, clock, [{ claimed, attempted: good }]))
    } while (performance.now() < until)
    const left = await queryAsOwner(
      fixtures,
      sql`select from pg_stat_activity where pid = ${pid}::int`,
    )
    expect(left).toHaveLength(isWhole ? 0 : 1)
    if (!isWhole) await held.run(sql`rollback`)
  })
  await pool.close()
  inTime('claims beside a held transaction', waits, 50)
}, 60_000)
