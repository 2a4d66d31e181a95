// Tests which new deliveries are claimed at creation, and which new deliveries wait.

import { afterAll, afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { runIntoLock } from '../../testing/races.ts'
import { claim } from './claim.ts'
import { clockOf } from './clock.ts'
import { record } from './record.ts'
import { dispatchOnce } from './testing/dispatch.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { accepted } from '../../jobs/testing/worker.ts'

const fixtures = await openFixtures({ allowed: ['127.0.0.1'] })
const worker = fixtures.workerContext.pools.test
const clock = clockOf()
afterAll(() => fixtures.close())
afterEach(() => clearEndpoints(fixtures))

const listen = async () =>
  (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      body: { url: 'https://hooks.brand.example/', event_types: ['order.shipped.v1'] },
    })
  ).id
async function trigger(times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  }
}
let names = 0
const make = (all: number, slow = all) =>
  worker.use(connection =>
    dispatchOnce(connection, clock, fixtures.context.realtime.announce('test'), {
      mode: 'test',
      free: { all, slow },
      name: `begin ${++names}`,
    }),
  )
const take = (all: number) =>
  worker.use(connection => claim(connection, 'test', clock, { all, slow: all }, `claim ${++names}`))

test('dispatch claims new deliveries within the free sockets; the others are claimed later', async () => {
  const id = await listen()
  await trigger(6)
  const made = await make(2)
  expect([made.read, made.made, made.claimed.length, made.ready]).toEqual([6, 6, 2, true])
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id })
  // The tenant's clock gives each delivery its own millisecond.
  const moments = data.map((one: { created_at: string }) => Date.parse(one.created_at))
  const last = Math.max(...moments)
  expect(moments.toSorted()).toEqual([5, 4, 3, 2, 1, 0].map(at => last - at))
  const claimed = await take(10)
  expect(claimed).toHaveLength(4)
  const [one, other] = [made.claimed[0], claimed[0]]
  const keys = (of: object | undefined) =>
    Object.keys(of ?? {}).filter(
      key => !['read', 'made', 'announced', 'ready', 'unfinished'].includes(key),
    )
  expect(keys(one).sort()).toEqual(keys(other).sort())
  for (const claimed of made.claimed) {
    expect(claimed).toMatchObject({ webhook_endpoint: id, claims: 1, attempt: 0, url: other?.url })
    expect(JSON.parse(claimed.body ?? '')).toMatchObject({
      id: claimed.event,
      type: 'order.shipped.v1',
    })
  }
})

test('dispatch claims at most an endpoint’s slots, and at most the share of slow endpoints', async () => {
  const [one, other] = [await listen(), await listen()]
  await trigger(3)
  expect((await make(30, 4)).claimed).toHaveLength(4)
  await queryAsOwner(fixtures, sql`update test.endpoint_queues set slow = false`)
  expect(await take(30)).toHaveLength(2)
  await trigger(9)
  const counts = (await make(30, 0)).claimed.map(claimed => claimed.webhook_endpoint)
  expect([one, other].map(id => counts.filter(each => each === id).length)).toEqual([5, 5])
  expect(await take(30)).toEqual([])
})

test.each([
  ['slow ones within their share', { all: 30, slow: 4 }, [], [3, 1, 0]],
  ['all within what is free', { all: 4, slow: 0 }, [0, 1, 2], [3, 1, 0]],
  ['slow ones behind a quick one', { all: 30, slow: 2 }, [0], [3, 2, 0]],
])('dispatch serves three endpoints in order, %s', async (_how, free, quick, counts) => {
  const ids = [await listen(), await listen(), await listen()]
  const quickIds = quick.map(at => ids[at] ?? '')
  await queryAsOwner(
    fixtures,
    sql`update test.endpoint_queues set slow = false
         where webhook_endpoint = any (${quickIds}::text[])`,
  )
  await trigger(3)
  const { claimed } = await make(free.all, free.slow)
  const countOf = (id: string) => claimed.filter(one => one.webhook_endpoint === id).length
  expect(ids.map(countOf)).toEqual(counts)
})

test('dispatch reports deliveries as due only if they are', async () => {
  await listen()
  await trigger(1)
  const { claimed, ready } = await make(9)
  expect([claimed.length, ready]).toEqual([1, false])
  const failed = { ...accepted, succeeded: false, status: 500 }
  await worker.use(connection =>
    record(
      connection,
      clock,
      claimed.map(one => ({ claimed: one, attempted: failed })),
    ),
  )
  // The first delivery's retry is due in a minute.
  expect((await make(9)).ready).toBe(false)
})

test('dispatch claims no new delivery before waiting ones', async () => {
  await listen()
  await trigger(2)
  expect((await make(0)).claimed).toEqual([])
  await trigger(1)
  const made = await make(9)
  expect([made.made, made.claimed, made.ready]).toEqual([1, [], true])
  expect(await take(9)).toHaveLength(3)
})

test('dispatch makes a queue due if it stopped being full before it was locked', async () => {
  const id = await listen()
  await trigger(1)
  await queryAsOwner(
    fixtures,
    sql`update test.endpoint_queues set is_full = true, next_due = now() + interval '30 seconds'
         where webhook_endpoint = ${id}`,
  )
  // The last attempt's record commits while the dispatcher waits for the queue.
  const [made] = await runIntoLock(
    fixtures,
    sql`update test.endpoint_queues set is_full = false where webhook_endpoint = ${id}`,
    [() => make(0)],
  )
  expect(made?.made).toBe(1)
  expect(await take(9)).toHaveLength(1)
})

test('dispatch leases its claims for 30 seconds, and marks only the queue it filled as full', async () => {
  const id = await listen()
  const body = { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] }
  const { id: idle } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await trigger(9)
  const { claimed } = await make(30)
  expect(claimed).toHaveLength(8)
  const start = sql`${claimed[0]?.moment ?? 0}::float8`
  const leases = await queryAsOwner<{ lease: number }>(
    fixtures,
    sql`select distinct (extract(epoch from due_at) * 1000)::float8 - ${start} as lease
          from test.due_deliveries where webhook_endpoint = ${id} and claim is not null`,
  )
  expect(leases.map(one => one.lease)).toEqual([30_000])
  const queues = await queryAsOwner<{ webhook_endpoint: string; is_full: boolean; again: number }>(
    fixtures,
    sql`select webhook_endpoint, is_full, (extract(epoch from next_due) * 1000)::float8 - ${start} as again
          from test.endpoint_queues`,
  )
  const queueOf = (one: string) => queues.find(queue => queue.webhook_endpoint === one)
  expect(queueOf(id)).toMatchObject({ is_full: true, again: 30_000 })
  expect(queueOf(idle)).toMatchObject({ is_full: false, again: Infinity })
})

test('dispatch marks a queue it fills as full, and keeps the due time of a full queue', async () => {
  const id = await listen()
  await queryAsOwner(
    fixtures,
    sql`update test.endpoint_queues set next_due = now() + interval '10 seconds'
         where webhook_endpoint = ${id}`,
  )
  const queue = async () =>
    (
      await queryAsOwner<{ is_full: boolean; due: string }>(
        fixtures,
        sql`select is_full, next_due::text as due from test.endpoint_queues
             where webhook_endpoint = ${id}`,
      )
    )[0]
  const before = await queue()
  await trigger(9)
  expect((await make(30)).claimed).toHaveLength(8)
  expect(await queue()).toEqual({ is_full: true, due: before?.due ?? '' })
  await trigger(1)
  expect((await make(30)).claimed).toEqual([])
  expect(await queue()).toEqual({ is_full: true, due: before?.due ?? '' })
})

test('dispatch sends nothing after a revoked grant, even if another clinic grants access', async () => {
  const other = 'org_01m3vb29m0qzmhvvmxnm9j2321'
  const of = sql`integration = ${fixtures.ada.integration} and mode = 'test'`
  await queryAsOwner(
    fixtures,
    sql`with made as (
          insert into auth.organizations (id, name, slug) values (${other}, 'Second', 'second'))
        insert into auth.grants (id, integration, organization, mode, scopes, status)
        select 'grant_second', integration, ${other}, mode, scopes, status
          from auth.grants where ${of}`,
  )
  // The clinic grants access to another integration.
  await queryAsOwner(
    fixtures,
    sql`insert into auth.grants (id, integration, organization, mode, scopes, status)
        values ('grant_third', ${fixtures.ben.integration}, ${fixtures.ada.organization}, 'test', '{}',
                'active')`,
  )
  await listen()
  await trigger(1)
  const own = sql`${of} and organization <> ${other}`
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'revoked' where ${own}`)
  const { claimed } = await make(1)
  expect(claimed.map(one => [one.is_granted, one.body])).toEqual([[false, null]])
  await queryAsOwner(
    fixtures,
    sql`delete from auth.grants where organization = ${other} or id = 'grant_third'`,
  )
  await queryAsOwner(fixtures, sql`update auth.grants set status = 'active' where ${of}`)
})

test('dispatch gives each delivery a later time than those before it, by the integration’s clock', async () => {
  const id = await listen()
  await trigger(2)
  // Retries are so far in the future that only new events change a queue's due time.
  await queryAsOwner(
    fixtures,
    sql`update test.tenants set last = clock_timestamp() + interval '1 minute'
         where integration = ${fixtures.ada.integration} and organization is null`,
  )
  const { data: events } = await invokeOk(fixtures, 'listEvents', { query: { limit: '100' } })
  await invokeOk(fixtures, 'redeliverEvent', { id: events[0].id, body: { webhook_endpoint: id } })
  expect((await make(9)).made).toBe(2)
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id })
  const moments = data.map((one: { created_at: string }) => one.created_at)
  expect(moments).toHaveLength(3)
  expect(moments).toEqual([...new Set(moments)].sort())
})
