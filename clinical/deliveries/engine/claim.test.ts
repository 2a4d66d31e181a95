// Tests which endpoints a claim serves, and how many deliveries it takes for each endpoint.

import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { runIntoLock } from '../../testing/races.ts'
import { claim, type ClaimedDelivery, recallExpired, release } from './claim.ts'
import { clockOf } from './clock.ts'
import { openReceiver } from '#http/testing/receiver.ts'
import { type AttemptResult, record } from './record.ts'
import { openTestWorker } from './testing/worker.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { accepted } from '../../jobs/testing/worker.ts'

const fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
const worker = fixtures.workerContext.pools.test
const clock = clockOf()
afterAll(() => fixtures.close())
afterEach(() => clearEndpoints(fixtures))

/** Creates an endpoint with this many due deliveries. */
async function backlog(count: number, url = 'https://hooks.brand.example/'): Promise<string> {
  const body = { url, event_types: ['order.failed.v1'] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  const event = await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  await invokeOk(fixtures, 'redeliverEvent', { id: event.id, body: { webhook_endpoint: id } })
  await queryAsOwner(
    fixtures,
    sql`with one as (select d.* from test.deliveries d where d.webhook_endpoint = ${id}),
        more as (
          insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                       redelivery, next_attempt_at, created_at)
          select tenant, ulid('dlv', created_at + n * interval '1 ms', public.ulid_random()), event,
                 event_tenant, event_type, webhook_endpoint, true, next_attempt_at, created_at
            from one, generate_series(1, ${count - 1}::int) n
          returning tenant, id, webhook_endpoint, next_attempt_at)
        insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at)
        select tenant, id, webhook_endpoint, next_attempt_at from more`,
  )
  return id
}

let claims = 0
const take = (all: number, slow = all) =>
  worker.use(connection => claim(connection, 'test', clock, { all, slow }, `claim ${++claims}`))
const recorded = async (claimed: ClaimedDelivery, attempted: AttemptResult) =>
  (await worker.use(connection => record(connection, clock, [{ claimed, attempted }])))[0]
const countOf = (taken: readonly { webhook_endpoint: string }[], id: string) =>
  taken.filter(one => one.webhook_endpoint === id).length
const markAsQuick = () => queryAsOwner(fixtures, sql`update test.endpoint_queues set slow = false`)
const slotsOf = async (id: string) =>
  (
    await queryAsOwner<{ slots: number }>(
      fixtures,
      sql`select slots from test.endpoint_queues where webhook_endpoint = ${id}`,
    )
  )[0]?.slots

describe('a claim', () => {
  test('serves every endpoint, however long one’s backlog is', async () => {
    const long = await backlog(500)
    const short = [await backlog(1), await backlog(2), await backlog(1)]
    const taken = await take(12)
    for (const id of short) expect(countOf(taken, id)).toBeGreaterThanOrEqual(1)
    expect(countOf(taken, long)).toBeGreaterThanOrEqual(1)
    expect(taken.length).toBeLessThanOrEqual(12)
  })

  test('never exceeds an endpoint’s slots, even with concurrent claims', async () => {
    const id = await backlog(100)
    const all = await Promise.all(Array.from({ length: 6 }, () => take(30)))
    const taken = [...all.flat(), ...(await take(30))]
    expect(countOf(taken, id)).toBe(8)
    expect(new Set(taken.map(one => one.id)).size).toBe(8)
  })

  test('never exceeds an endpoint’s slots, even with outdated table statistics', async () => {
    const before = await backlog(40)
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: before })
    await queryAsOwner(fixtures, sql`analyze test.due_deliveries`)
    const id = await backlog(40)
    expect(countOf(await take(30), id)).toBe(8)
  })

  test('finds a delivery that becomes due while an attempt is being recorded', async () => {
    const id = await backlog(1)
    const [claimed] = await take(1)
    if (!claimed) throw new Error('nothing was due')
    // Another transaction makes a delivery due, and commits while recording the attempt waits for
    // the queue.
    const [recording] = await runIntoLock(
      fixtures,
      sql`update test.endpoint_queues set next_due = now() where webhook_endpoint = ${id}`,
      [() => recorded(claimed, accepted)],
      connection =>
        connection.run(sql`
          insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at)
          select tenant, 'dlv_another', webhook_endpoint, now() from test.due_deliveries
           where webhook_endpoint = ${id}`),
    )
    expect(recording).toBe('delivered')
    const [row] = await queryAsOwner<{ step: boolean }>(
      fixtures,
      sql`select next_due <= now() as step from test.endpoint_queues where webhook_endpoint = ${id}`,
    )
    expect(row).toEqual({ step: true })
  })

  test('takes at most their share from slow endpoints, and still serves quick ones', async () => {
    const ids = [await backlog(9), await backlog(9), await backlog(9)]
    const quick = await backlog(5)
    // The slow endpoints have waited longer. A new endpoint counts as slow until its first
    // response.
    await markAsQuick()
    await queryAsOwner(
      fixtures,
      sql`update test.endpoint_queues set slow = true where webhook_endpoint = any (${ids}::text[])`,
    )
    expect(countOf(await take(1, 0), quick)).toBe(1)
    const taken = [...(await take(20, 4)), ...(await take(16, 0))]
    expect(ids.reduce((sum, id) => sum + countOf(taken, id), 0)).toBe(4)
    expect(countOf(taken, quick)).toBe(4)
  })

  test('treats an endpoint that has never responded as slow', async () => {
    const id = await backlog(3)
    expect(await take(9, 0)).toEqual([])
    const [claimed] = await take(9, 1)
    if (!claimed) throw new Error('nothing was due')
    await recorded(claimed, accepted)
    expect(countOf(await take(9, 0), id)).toBe(2)
  })

  test('serves endpoints in turn', async () => {
    const ids = [await backlog(9), await backlog(9), await backlog(9)]
    await markAsQuick()
    const turns = [await take(4), await take(4), await take(4)]
    expect(turns.map(turn => new Set(turn.map(one => one.webhook_endpoint)))).toEqual(
      ids.map(id => new Set([id])),
    )
  })

  test('takes the next delivery only when a slot is free again', async () => {
    const id = await backlog(10)
    const [one] = await take(20)
    if (!one) throw new Error('nothing was due')
    expect(await take(20)).toEqual([])
    let more = 0
    await worker.use(connection =>
      record(connection, clock, [{ claimed: one, attempted: accepted }], () => more++),
    )
    expect([more, countOf(await take(20), id)]).toEqual([1, 1])
  })

  test('ends on release or when its lease expires', async () => {
    const id = await backlog(1)
    const [first] = await take(5)
    if (!first) throw new Error('nothing was due')
    expect(await take(5)).toEqual([])
    await worker.use(connection => release(connection, first))
    const [second] = await take(5)
    expect(second).toMatchObject({ id: first.id, claims: 1 })
    const later = clockOf(() => 31)
    const [third] = await worker.use(async connection => {
      await recallExpired(connection, later)
      return claim(connection, 'test', later, { all: 5, slow: 5 }, 'the next worker')
    })
    if (!second || !third) throw new Error('nothing was due')
    expect(third).toMatchObject({ id: first.id, claims: 2 })
    const note = (claimed: typeof second, succeeded: boolean) =>
      recorded(claimed, { ...accepted, status: 500, succeeded })
    // After the lease expires, a failure is discarded but a success counts.
    expect(await note(second, false)).toBeNull()
    expect(await note(second, true)).toBe('delivered')
    expect(await note(third, false)).toBeNull()
    expect((await invokeOk(fixtures, 'listDeliveries', { id })).data[0].status).toBe('delivered')
  })

  test('has its endpoint’s previous secret for 24 hours after a rotation', async () => {
    const id = await backlog(1)
    await invokeOk(fixtures, 'rotateWebhookSecret', { id })
    const day = 24 * 3600
    const found: boolean[] = []
    // In each round, the previous claim's lease has expired.
    for (const seconds of [0, day - 600, day + 1]) {
      const at = clockOf(() => seconds)
      const [claimed] = await worker.use(async connection => {
        await recallExpired(connection, at)
        return claim(connection, 'test', at, { all: 5, slow: 5 }, `at ${seconds}`)
      })
      found.push(typeof claimed?.previous_secret === 'string')
    }
    expect(found).toEqual([true, true, false])
  })

  test("adds slots to an endpoint that responds, and halves them for one that doesn't", async () => {
    const id = await backlog(40)
    const answered = async (succeeded: boolean) => {
      const [claimed] = await take(1)
      if (!claimed) throw new Error('nothing was due')
      await recorded(claimed, { ...accepted, succeeded })
    }
    for (let at = 0; at < 10; at++) await answered(true)
    expect(await slotsOf(id)).toBe(9)
    await answered(false)
    expect(await slotsOf(id)).toBe(4)
    await answered(false)
    await answered(false)
    expect(await slotsOf(id)).toBe(2)
  })
})

describe('an endpoint that hangs', () => {
  test('does not delay other endpoints, with two workers', async () => {
    const gate = Promise.withResolvers<void>()
    const receiver = openReceiver(async ({ path }) => {
      if (path === '/hanging') await gate.promise
      return new Response()
    })
    await backlog(60, receiver.url('/hanging'))
    const quick = [
      await backlog(20, receiver.url('/quick')),
      await backlog(20, receiver.url('/quick')),
    ]
    const workers = [await openTestWorker(fixtures), await openTestWorker(fixtures)]
    const came = (path: string) => receiver.received.filter(one => one.path === path).length
    await until(() => came('/quick') >= 40)
    expect(came('/hanging')).toBeLessThanOrEqual(8)
    gate.resolve()
    for (const one of workers) await one.stop()
    for (const id of quick) {
      const { data } = await invokeOk(fixtures, 'listDeliveries', {
        id,
        query: { status: 'delivered' },
      })
      expect(data).toHaveLength(20)
    }
    await receiver.stop()
  }, 60_000)
})

describe('a long transaction', () => {
  test('does not prevent deliveries from being claimed, sent and recorded', async () => {
    const receiver = openReceiver(() => new Response())
    const id = await backlog(20, receiver.url())
    // Uses the owner's session, which has no idle timeout.
    await using holder = new SQL(fixtures.database.url, { max: 1 })
    const held = await holder.reserve()
    await held`begin isolation level repeatable read`
    await held`select count(*) from test.due_deliveries`
    const testWorker = await openTestWorker(fixtures)
    await testWorker.waitForLines('webhook.attempted', 20)
    await testWorker.stop()
    const [row] = await held`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
    expect(row.xmin).toMatch(/^\d+$/) // The transaction is still open.
    await held`rollback`
    await held.release()
    const query = { status: 'delivered', limit: '100' }
    expect((await invokeOk(fixtures, 'listDeliveries', { id, query })).data).toHaveLength(20)
    await receiver.stop()
  })
})
