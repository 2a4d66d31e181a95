// Workers killed at every step, and the database's sessions killed under them. Afterwards every
// event and endpoint have exactly one delivery, it is delivered, its receiver has it, and only a
// death between the POST and its record has sent anything twice. FAULT_ROUNDS asks for more rounds.

import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { workerUrls } from '#database/roles.ts'
import { invokeOk } from '../../testing/call.ts'
import { type Fixtures, openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { accountsOf, deliveriesIn } from './testing/ledger.ts'
import { deadlyHost, type CrashSettings, type Step, steps } from './testing/crash-worker.ts'
import { authority, openReceiver, type Receiver } from './testing/receiver.ts'
import { openTestWorker } from './testing/worker.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1)
const eventsARound = 3
/** Steps at which no request has left yet, so that nothing can come twice. */
const before: ReadonlySet<string> = new Set(['opened', 'resolving'])
/** Longer than a lease: what a dead worker held is due again. */
const afterLease = 40

let fixtures: Fixtures
let receiver: Receiver
let settings: CrashSettings
/** Killed as soon as the receiver has the request. */
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

/** Asserts what must hold when nothing is left to do, and answers how often each event came. */
async function settled(events: readonly string[], endpoints: readonly string[]) {
  const books = await accountsOf(fixtures.owner, deliveriesIn(receiver.received))
  expect(books).toMatchObject({ outbox: 0, pending: 0, failed: 0, wrong: [] })
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

/** Another worker takes over, after the leases of the dead; answers how many leases had run out. */
async function finish(): Promise<number> {
  const working = await openTestWorker(fixtures)
  working.pass(afterLease)
  const began = performance.now()
  for (;;) {
    const [row] = await queryAsOwner<{ open: number }>(
      fixtures,
      sql`select (select count(*) from test.outbox) + (select count(*) from test.due_deliveries)
                 as open`,
    )
    if (Number(row?.open) === 0) break
    if (performance.now() - began > 60_000) throw new Error(JSON.stringify(working.lines))
    await Bun.sleep(20)
  }
  await working.stop()
  return working.linesOf('webhook.lease_expired').length
}

for (const step of [...steps, 'received'] as const) {
  test(
    `a worker that dies when it has ${step}`,
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
        const expired = await finish()
        const counts = await settled(events, [id])
        if (!/^(dispatched|recorded)$/.test(step)) expect(expired).toBeGreaterThan(0)
        if (before.has(step)) expect(counts.every(count => count === 1)).toBe(true)
      }
    },
    60_000 * rounds,
  )
}

test('a delivery that kills whoever takes it is a failed attempt after three deaths, and stops no other', async () => {
  const types = ['order.shipped.v1', 'order.delivered.v1'] as const
  const listen = (url: string, event_types: readonly string[]) =>
    invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types } })
  const deadly = await listen(receiver.url('/deadly', deadlyHost), [types[0]])
  const other = await listen(receiver.url('/other'), types)
  const events: string[] = []
  for (let deaths = 0; deaths < 3; deaths++) {
    // The first goes to both, the others to whom nothing is wrong with.
    const body = { type: types[deaths === 0 ? 0 : 1] }
    events.push((await invokeOk(fixtures, 'triggerWebhook', { body })).id)
    const worker = launch('never')
    await worker.exited
    expect(worker.signalCode).toBe('SIGKILL')
    // The lease of what it held is over.
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
  const working = await openTestWorker(fixtures)
  const attempts = async (count: number) => {
    const found = () => working.attempts().filter(line => line['endpoint'] === deadly.id)
    while (found().length < count) await Bun.sleep(5)
    return found()
  }
  expect(await attempts(1)).toMatchObject([
    { outcome: 'pending', error: 'connection_failed', attempt: 1, status: undefined },
  ])
  const lost = working.linesOf('webhook.lease_expired')
  expect(lost.find(line => line['endpoint'] === deadly.id)).toMatchObject({ claims: 3 })
  const came = () => receiver.received.filter(one => one.path === '/deadly').length
  expect(came()).toBe(0)
  // It is as any other that failed: the ladder goes on, and here the name kills nobody.
  working.pass(61)
  expect((await attempts(2))[1]).toMatchObject({ outcome: 'delivered', attempt: 2 })
  expect(came()).toBe(1)
  await working.stop()
  await finish()
  await settled(events, [other.id])
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
  'sessions of the database that die under a worker lose and repeat nothing on record',
  async () => {
    const listen = (name: string) =>
      invokeOk(fixtures, 'createWebhookEndpoint', {
        body: { url: receiver.url(name), event_types: ['order.shipped.v1'] },
      })
    const endpoints = [await listen('/one'), await listen('/two')]
    const working = await openTestWorker(fixtures)
    const events: string[] = []
    let killed = 0
    for (let round = 0; round < 3 * rounds; round++) {
      events.push((await trigger()).id)
      await working.noted('webhook.attempted', round + 1)
      for (let at = 0; at < eventsARound; at++) events.push((await trigger()).id)
      killed += await killSessions()
    }
    await working.stop()
    await finish()
    expect(killed).toBeGreaterThan(0)
    await settled(
      events,
      endpoints.map(one => one.id),
    )
  },
  60_000 * rounds,
)
