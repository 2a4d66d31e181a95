// Tests what live mode sends after an agreement lapses, and after a grant is revoked.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { runIntoLock } from '../../testing/races.ts'
import { claim, type ClaimedDelivery } from './claim.ts'
import { clockOf } from './clock.ts'
import { hold } from './hold.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { openTestWorker, type TestWorker } from './testing/worker.ts'

const fixtures = useFixtures()
const clock = clockOf()
const as = () => fixtures.ada.live
const pool = () => fixtures.workerContext.pools.live
const free = { all: 16, slow: 16 }
let names = 0
let endpoint = ''
let worker: TestWorker | undefined
let owner: ConnectionPool

beforeAll(async () => {
  owner = openPool({ url: fixtures.database.url, size: 1, name: 'accepting' })
  const body = { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] }
  endpoint = (await invokeOk(fixtures, 'createWebhookEndpoint', { as: as(), body })).id
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await accept()
  await queryAsOwner(fixtures, sql`delete from live.due_deliveries`)
  await queryAsOwner(fixtures, sql`delete from live.deliveries`)
  await queryAsOwner(
    fixtures,
    sql`update live.endpoint_queues set next_due = 'infinity', is_full = false, slots = 8`,
  )
})
afterAll(async () => {
  await owner.close()
  expect(fixtures.errors).toEqual([])
})

const lapse = () =>
  queryAsOwner(
    fixtures,
    sql`update auth.agreements set ends_at = clock_timestamp() - interval '1 ms'
         where integration = ${fixtures.ada.integration} and ends_at is null`,
  )
/** Uses its own connection, because it may wait for a lock. */
const accept = () =>
  owner.use(connection =>
    connection.run(sql`insert into auth.agreements (id, integration, version)
        select 'baa_of_hold_' || ${++names}::int, ${fixtures.ada.integration}, '2026-11-22'
         where not exists (select from auth.agreements
                            where integration = ${fixtures.ada.integration} and ends_at is null)`),
  )
/** Writes as the clinic's console would, because a write there needs no agreement from the
 *  integration. */
const write = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    await invokeOk(fixtures, 'createPatient', { as: as(), body: rivera })
  }
}
type ListedDelivery = { id: string; status: string; error: string | null; attempt: number }
const deliveries = () =>
  queryAsOwner<ListedDelivery>(
    fixtures,
    sql`select id, status, error, attempt::int from live.deliveries order by id`,
  )
const nextDue = async () => {
  const [queue] = await queryAsOwner<{ held: boolean }>(
    fixtures,
    sql`select next_due = 'infinity' as held from live.endpoint_queues
         where webhook_endpoint = ${endpoint}`,
  )
  return queue?.held === true ? 'held' : 'due'
}
const failures = () => queryAsOwner(fixtures, sql`select event from live.failed_events`)
const take = () =>
  pool().use(connection => claim(connection, 'live', clock, free, `hold ${++names}`))
/** Released deliveries have due times in microseconds, but claims compare milliseconds. */
async function takeReleased(): Promise<ClaimedDelivery[]> {
  let taken: ClaimedDelivery[] = []
  await until(async () => (taken = await take()).length > 0)
  return taken
}
const begin = () =>
  pool().use(connection =>
    dispatchOnce(connection, clock, fixtures.context.realtime.announce('live'), {
      mode: 'live',
      free,
      name: `hold ${++names}`,
    }),
  )
const putBack = (held: readonly ClaimedDelivery[]) =>
  pool().use(connection => hold(connection, clock, held))

test('a lapsed agreement holds deliveries as pending, and a new one sends each once', async () => {
  await write(6)
  await lapse()
  worker = await openTestWorker(fixtures)
  // Deliveries written before the lapse continue, no matter what the clinic writes.
  await until(async () => (await deliveries()).length >= 6 && (await nextDue()) === 'held')
  expect((await deliveries()).map(one => [one.status, one.attempt])).toEqual(
    Array.from({ length: 6 }, () => ['pending', 0]),
  )
  expect(worker.attempts()).toEqual([])
  expect(await failures()).toEqual([])
  const refused = await invoke(fixtures, 'listDeliveries', { as: as(), id: endpoint })
  expect(refused.code).toBe('baa_required')
  await accept()
  await worker.waitForLines('webhook.attempted', 6)
  const inOrder = (await deliveries()).map(one => one.id)
  const claimed = worker.attempts().map(one => String(one['delivery']))
  expect(claimed.toSorted()).toEqual(inOrder)
}, 60_000)

test('a lapsed agreement holds nothing in test mode: deliveries are written, claimed and sent', async () => {
  const body = { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] }
  const ofTest = { as: fixtures.ada.test, body }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', ofTest)
  await write(1)
  await lapse()
  worker = await openTestWorker(fixtures)
  await invokeOk(fixtures, 'createPatient', { as: fixtures.ada.test, body: rivera })
  const [attempted] = await worker.waitForLines('webhook.attempted', 1)
  expect(attempted).toMatchObject({ mode: 'test' })
  await until(async () => (await deliveries()).length >= 1 && (await nextDue()) === 'held')
  expect(worker.attempts().filter(({ mode }) => mode !== 'test')).toEqual([])
  expect(worker.linesOf('webhook.held').filter(({ mode }) => mode !== 'live')).toEqual([])
  const listed = await invokeOk(fixtures, 'listDeliveries', { as: fixtures.ada.test, id })
  expect(listed.data.map((one: ListedDelivery) => one.attempt)).toEqual([1])
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { as: fixtures.ada.test, id })
}, 60_000)

test('held deliveries are claimed in the order they were written', async () => {
  await write(4)
  await lapse()
  const { claimed } = await begin()
  expect(claimed.map(one => one.is_held)).toEqual([true, true, true, true])
  await putBack(claimed.toReversed())
  expect(await take()).toEqual([])
  await accept()
  const again = await takeReleased()
  expect(again.map(one => one.is_held)).toEqual([false, false, false, false])
  expect(again.map(one => [one.id, one.claims])).toEqual(
    (await deliveries()).map(one => [one.id, 1]),
  )
})

test('an agreement accepted while a worker holds deliveries isn’t missed', async () => {
  await write(1)
  await lapse()
  const { claimed } = await begin()
  await runIntoLock<unknown>(
    fixtures,
    sql`select from live.endpoint_queues where webhook_endpoint = ${endpoint} for update`,
    [() => putBack(claimed), accept],
  )
  expect(await nextDue()).toBe('due')
  expect(await takeReleased()).toHaveLength(1)
})

test('a hold that the database refuses throws in the requesting worker', async () => {
  await write(1)
  await lapse()
  const { claimed } = await begin()
  const unknown = claimed.map(one => ({ ...one, own: 'none' }))
  await expect(putBack(unknown)).rejects.toThrow('invalid input syntax for type bigint')
})

test('a revoked grant ends waiting deliveries, without an attempt or a failure', async () => {
  await write(2)
  const of = sql`integration = ${fixtures.ada.integration} and mode = 'live'`
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'revoked' where ${of}`)
  worker = await openTestWorker(fixtures)
  await until(async () => (await deliveries()).filter(one => one.status === 'failed').length >= 2)
  expect((await deliveries()).map(one => [one.error, one.attempt])).toEqual([
    ['not_granted', 0],
    ['not_granted', 0],
  ])
  expect(await failures()).toEqual([])
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'active' where ${of}`)
})

/** Opens two workers with few sockets. Live mode can't reach a receiver on this machine, so every
 *  attempt ends at the address check, which `resolve` may delay. */
async function openTraffic(resolve: () => Promise<string[]>) {
  let begun = 0
  const counted = () => {
    begun++
    return resolve()
  }
  const workers = [
    await openTestWorker(fixtures, { sockets: 5, resolve: counted }),
    await openTestWorker(fixtures, { sockets: 5, resolve: counted }),
  ]
  const count = async (statement: ReturnType<typeof sql>) => {
    const [found] = await queryAsOwner<{ count: string }>(fixtures, statement)
    return Number(found?.count)
  }
  return {
    linesOf: (event: string) => workers.flatMap(one => one.linesOf(event)),
    /** Returns the deliveries of all attempts, including repeats. */
    attempted: () =>
      workers
        .flatMap(one => one.attempts())
        // Log lines also report deliveries that ended without an attempt.
        .filter(({ error }) => error === 'blocked_address')
        .map(({ delivery }) => String(delivery)),
    begun: () => begun,
    /** Tests whether every event has a delivery, and none is claimed or due. */
    isQuiet: async () =>
      (await count(sql`
        select (select count(*) from live.unread_since(array(select live.tenants_to_read())))
             + (select count(*) from live.due_deliveries where claim is not null)
             + (select count(*) from live.endpoint_queues
                 where next_due <= clock_timestamp()) as count`)) === 0,
    stop: () => Promise.all(workers.map(one => one.stop())),
  }
}

test('two workers under load: no delivery is attempted while the agreement is lapsed, and each only once', async () => {
  const traffic = await openTraffic(async () => ['127.0.0.1'])
  const [over, refusals] = [new AbortController(), new Set<string | null>()]
  let written = 0
  const write = async () => {
    const answer = await invoke(fixtures, 'createPatient', { as: as(), body: rivera })
    if (answer.status === 201) written++
    else refusals.add(answer.code)
  }
  // Writes stay a little ahead of attempts.
  const mayWrite = () => over.signal.aborted || written < traffic.attempted().length + 16
  const writers = Array.from({ length: 2 }, async () => {
    while (!over.signal.aborted) {
      await write()
      await until(mayWrite, 5)
    }
  })
  for (let round = 1; round <= 3; round++) {
    await until(() => traffic.attempted().length >= round * 8)
    await lapse()
    await write()
    await until(traffic.isQuiet)
    const [tried, all] = [traffic.attempted(), await deliveries()]
    for (const { id, attempt, status } of all)
      expect([id, attempt, status]).toEqual([id, tried.includes(id) ? 1 : 0, 'pending'])
    await accept()
  }
  over.abort()
  await Promise.all(writers)
  await until(() => traffic.attempted().length >= written)
  await until(traffic.isQuiet)
  const ids = (await deliveries()).map(one => one.id)
  expect([ids.length, traffic.attempted().toSorted()]).toEqual([written, ids.toSorted()])
  expect([...refusals]).toEqual(['baa_required'])
  expect(traffic.linesOf('webhook.held').length).toBeGreaterThan(0)
  await traffic.stop()
}, 60_000)

test('two workers under load: after a grant is revoked, running attempts finish and no more start', async () => {
  const { promise, resolve: release } = Promise.withResolvers<string[]>()
  const traffic = await openTraffic(() => promise)
  await write(30)
  await until(() => traffic.begun() >= 2)
  const of = sql`integration = ${fixtures.ada.integration} and mode = 'live'`
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'revoked' where ${of}`)
  release(['127.0.0.1'])
  const states = async () => (await deliveries()).map(one => [one.status, one.error, one.attempt])
  await until(async () =>
    (await states()).every(([status, , attempt]) => status === 'failed' || attempt === 1),
  )
  await until(traffic.isQuiet)
  const tried = traffic.attempted()
  for (const { id, status, error, attempt } of await deliveries()) {
    expect([id, status, error, attempt]).toEqual(
      tried.includes(id) ? [id, 'pending', 'blocked_address', 1] : [id, 'failed', 'not_granted', 0],
    )
  }
  expect([tried.length, new Set(tried).size]).toEqual([traffic.begun(), traffic.begun()])
  // Both workers together have fewer sockets than there were writes.
  expect((await states()).length).toBe(30)
  expect(tried.length).toBeLessThanOrEqual(10)
  expect(await failures()).toEqual([])
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'active' where ${of}`)
  await traffic.stop()
}, 60_000)
