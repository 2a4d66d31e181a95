// Kills workers at every step, and their database sessions. Afterward, each event must have exactly
// one delivery per endpoint, delivered and received. Only a crash between the POST and the record
// of its result may cause a second POST. FAULT_ROUNDS sets the number of rounds.

import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { type Fixtures, openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { ledgerOf, deliveriesIn } from './testing/ledger.ts'
import { deadlyHost, type CrashSettings, type Step, steps } from './testing/crash-worker.ts'
import { authority, openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { openTestWorker } from './testing/worker.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1)
const eventsARound = 3
/** The steps before the request is sent, where nothing can be received twice. */
const beforeSending: ReadonlySet<string> = new Set(['opened', 'resolving'])
/** Longer than a lease, so a killed worker's claims are due again. */
const afterLease = 40

let fixtures: Fixtures
let receiver: Receiver
let settings: CrashSettings
/** The worker to kill once the receiver has its request. */
let victim: Bun.Subprocess | undefined
beforeAll(async () => {
  fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
  receiver = openReceiver(async () => {
    victim?.kill('SIGKILL')
    if (victim !== undefined) await victim.exited
    return new Response('thanks')
  }, authority.sign('*.receiver.example'))
  const { database, context } = fixtures
  settings = { urls: workerUrls(database.urls), pepper: context.pepper, ca: authority.cert }
})
afterEach(() => clearEndpoints(fixtures))
afterAll(async () => {
  await receiver.stop()
  await fixtures.close()
})

const launch = (step: Step | 'received' | 'never') =>
  Bun.spawn(
    [
      process.execPath,
      path.join(import.meta.dir, 'testing/crash-worker.ts'),
      step,
      JSON.stringify(settings),
    ],
    { stdout: 'ignore', stderr: 'inherit' },
  )
const trigger = () => invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })

/** Asserts that everything was delivered once, and returns how often each event was received. */
async function expectSettled(events: readonly string[], endpoints: readonly string[]) {
  const ledger = await ledgerOf(fixtures.owner, deliveriesIn(receiver.received))
  expect(ledger).toMatchObject({ unread: 0, pending: 0, failed: 0, wrong: [] })
  const rows = await queryAsOwner<{ attempt: number }>(
    fixtures,
    sql`select attempt from test.deliveries
         where event = any (${events}::text[]) and webhook_endpoint = any (${endpoints}::text[])`,
  )
  expect(rows.map(row => row.attempt)).toEqual(events.flatMap(() => endpoints.map(() => 1)))
  return events.map(
    event =>
      receiver.received.filter(one => one.headers['service-event-id'] === event).length /
      endpoints.length,
  )
}

/** Runs another worker until nothing is due, and returns how many expired leases it found. */
async function runToEnd(): Promise<number> {
  const testWorker = await openTestWorker(fixtures)
  testWorker.advance(afterLease)
  await until(async () => {
    const [row] = await queryAsOwner<{ open: number }>(
      fixtures,
      sql`select (select count(*)::int from test.unread_since(array(select test.tenants_to_read()))) + (select count(*) from test.due_deliveries)
                 as open`,
    )
    return Number(row?.open) === 0
  })
  await testWorker.stop()
  return testWorker.linesOf('webhook.lease_expired').length
}

for (const step of [...steps, 'received'] as const) {
  test(
    `a worker killed at the step "${step}" loses no delivery`,
    async () => {
      const body = { url: receiver.url(`/${step}`), event_types: ['order.shipped.v1'] }
      const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
      for (let round = 0; round < rounds; round++) {
        const events: string[] = []
        for (let at = 0; at < eventsARound; at++) events.push((await trigger()).id)
        const worker = launch(step)
        if (step === 'received') victim = worker
        await worker.exited
        victim = undefined
        expect(worker.signalCode).toBe('SIGKILL')
        const expired = await runToEnd()
        const counts = await expectSettled(events, [id])
        if (!/^(dispatched|recorded)$/.test(step)) expect(expired).toBeGreaterThan(0)
        if (beforeSending.has(step)) expect(counts.every(count => count === 1)).toBe(true)
      }
    },
    60_000 * rounds,
  )
}

test('a delivery that crashes its worker three times fails, and doesn’t block others', async () => {
  const types = ['order.shipped.v1', 'order.delivered.v1'] as const
  const listen = (url: string, event_types: readonly string[]) =>
    invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types } })
  const deadly = await listen(receiver.url('/deadly', deadlyHost), [types[0]])
  const other = await listen(receiver.url('/other'), types)
  const events: string[] = []
  for (let deaths = 0; deaths < 3; deaths++) {
    // The first event goes to both endpoints, and the others go only to the working endpoint.
    const body = { type: types[deaths === 0 ? 0 : 1] }
    events.push((await invokeOk(fixtures, 'triggerWebhook', { body })).id)
    const worker = launch('never')
    await worker.exited
    expect(worker.signalCode).toBe('SIGKILL')
    // Expires the killed worker's leases.
    await queryAsOwner(
      fixtures,
      sql`with held as (
              update test.due_deliveries set due_at = now() where claim is not null
              returning webhook_endpoint
            )
            update test.endpoint_queues set next_due = now()
             where webhook_endpoint in (select webhook_endpoint from held)`,
    )
  }
  const testWorker = await openTestWorker(fixtures)
  const attempts = async (count: number) => {
    const found = () => testWorker.attempts().filter(line => line['endpoint'] === deadly.id)
    await until(() => found().length >= count, 5)
    return found()
  }
  expect(await attempts(1)).toMatchObject([
    { outcome: 'pending', error: 'connection_failed', attempt: 1, status: undefined, ms: 0 },
  ])
  const expired = testWorker.linesOf('webhook.lease_expired')
  expect(expired.find(line => line['endpoint'] === deadly.id)).toMatchObject({ claims: 3 })
  const requests = () => receiver.received.filter(one => one.path === '/deadly').length
  expect(requests()).toBe(0)
  // The delivery is retried like any other failure; resolving the name doesn't kill this worker.
  testWorker.advance(61)
  expect((await attempts(2))[1]).toMatchObject({ outcome: 'delivered', attempt: 2 })
  expect(requests()).toBe(1)
  await testWorker.stop()
  await runToEnd()
  await expectSettled(events, [other.id])
}, 60_000)

const killSessions = async () =>
  (
    await queryAsOwner(
      fixtures,
      sql`select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and usename = 'app_worker_test'`,
    )
  ).length

test(
  'killing a worker’s database sessions loses no delivery and records none twice',
  async () => {
    const listen = (name: string) =>
      invokeOk(fixtures, 'createWebhookEndpoint', {
        body: { url: receiver.url(name), event_types: ['order.shipped.v1'] },
      })
    const endpoints = [await listen('/one'), await listen('/two')]
    const testWorker = await openTestWorker(fixtures)
    const events: string[] = []
    let killed = 0
    for (let round = 0; round < 3 * rounds; round++) {
      events.push((await trigger()).id)
      await testWorker.waitForLines('webhook.attempted', round + 1)
      for (let at = 0; at < eventsARound; at++) events.push((await trigger()).id)
      killed += await killSessions()
    }
    await testWorker.stop()
    await runToEnd()
    expect(killed).toBeGreaterThan(0)
    await expectSettled(
      events,
      endpoints.map(one => one.id),
    )
  },
  60_000 * rounds,
)
