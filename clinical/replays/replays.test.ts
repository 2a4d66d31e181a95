// A replay, from its request to its last delivery.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { limits } from '#contract/limits.ts'
import { momentText, now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { createEvents, deliveriesOf, listen, nextMoment, step } from '../testing/replays.ts'
import { faultsOf } from '../testing/sweep.ts'
import { clearEndpoints } from '../testing/valid-calls.ts'
import { claim } from '../deliveries/engine/claim.ts'
import { clockOf } from '../deliveries/engine/clock.ts'
import { openReceiver } from '#http/testing/receiver.ts'
import { openTestWorker } from '../deliveries/engine/testing/worker.ts'
import { replayJob, stepOnce } from './step.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
const hour = 3_600_000
let since = ''
beforeEach(async () => {
  since = await nextMoment(fixtures)
})
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
  await queryAsOwner(fixtures, sql`delete from test.replays`)
})

const start = (webhook_endpoint: string, more: object = {}) =>
  invokeOk(fixtures, 'replayEvents', { body: { webhook_endpoint, since, only: 'all', ...more } })
const find = (id: string) => invokeOk(fixtures, 'getReplay', { id })

describe('a replay', () => {
  test('sends every event in its span with the endpoint’s types, in order', async () => {
    const before = await createEvents(fixtures, 1)
    since = await nextMoment(fixtures)
    const events = await createEvents(fixtures, 3)
    const id = await listen(fixtures)
    await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
    const replay = await start(id)
    expect(replay).toMatchObject({
      webhook_endpoint: id,
      since,
      event_types: ['patient.created.v1'],
      only: 'all',
      status: 'running',
      reason: null,
      queued_until: null,
      deliveries: { pending: 0, delivered: 0, failed: 0 },
      ended_at: null,
    })
    expect(await step(fixtures)).toMatchObject({ queued: 3, status: 'completed' })
    const made = await deliveriesOf(fixtures, id)
    expect(made.map(({ event }) => event)).toEqual(events)
    expect(made.map(one => one.id)).toEqual(made.map(one => one.id).toSorted())
    expect(before).toHaveLength(1)
    const ended = await find(replay.id)
    expect(ended).toMatchObject({ status: 'completed', deliveries: { pending: 3 } })
    expect(ended.ended_at >= ended.created_at).toBeTrue()
    expect(await step(fixtures)).toBeNull()
  })

  test('begins at since, ends before until, and sends the given types', async () => {
    const [first = '', second = '', third = ''] = await createEvents(fixtures, 3)
    const at = async (id: string) => (await invokeOk(fixtures, 'getEvent', { id })).created_at
    const id = await listen(fixtures, { event_types: ['case.approved.v1'] })
    const span = { since: await at(first), until: await at(third) }
    await start(id, { ...span, event_types: ['patient.created.v1'] })
    await step(fixtures)
    expect((await deliveriesOf(fixtures, id)).map(({ event }) => event)).toEqual([first, second])
    await start(id, span)
    expect(await step(fixtures)).toMatchObject({ queued: 0, status: 'completed' })
    await start(id, { ...span, event_types: ['*'] })
    expect(await step(fixtures)).toMatchObject({ queued: 2 })
  })

  test('reads no event after its span', async () => {
    const [first = '', second = ''] = await createEvents(fixtures, 22)
    const at = async (id: string) => (await invokeOk(fixtures, 'getEvent', { id })).created_at
    await start(await listen(fixtures), { since: await at(first), until: await at(second) })
    const rowsRead = await fixtures.workerContext.pools.test.use(async connection => {
      const read = async () => {
        const [row] = await connection.run<{ rows: number }>(sql`
          select idx_tup_fetch::int as rows from pg_stat_xact_user_tables
           where relid = 'test.events'::regclass`)
        return row?.rows ?? 0
      }
      await connection.run(sql`begin`)
      const before = await read()
      expect(await stepOnce(connection)).toMatchObject({ queued: 1, status: 'completed' })
      const after = await read()
      await connection.run(sql`rollback`)
      return after - before
    })
    expect(rowsRead).toBeWithin(1, 10)
  })

  test('accepts the times of events that concurrent writes put ahead of the clock', async () => {
    await queryAsOwner(
      fixtures,
      sql`update test.tenants set last = last + interval '2 seconds'
           where integration = ${fixtures.ada.integration}`,
    )
    const [first = '', second = ''] = await createEvents(fixtures, 2)
    const at = async (id: string) => (await invokeOk(fixtures, 'getEvent', { id })).created_at
    const id = await listen(fixtures)
    await start(id, { since: await at(first), until: await at(second) })
    expect(await step(fixtures)).toMatchObject({ queued: 1, status: 'completed' })
    await start(id, { since: await at(second) })
    expect(await step(fixtures)).toMatchObject({ queued: 1, status: 'completed' })
  })

  test('a replay of failed events leaves out those delivered, pending, or accepted since', async () => {
    const events = await createEvents(fixtures, 5)
    const [failed = '', delivered = '', waiting = '', accepted = '', again = ''] = events
    const id = await listen(fixtures)
    await start(id)
    await step(fixtures)
    // Replaces the replay's deliveries with ordinary deliveries in various statuses, and adds a
    // redelivery for two events.
    const set = (event: string, status: string, redelivery: boolean) =>
      queryAsOwner(
        fixtures,
        sql`with d as (
              insert into test.deliveries (tenant, id, event, event_tenant, event_type,
                webhook_endpoint, redelivery, status, next_attempt_at, created_at)
              select d.tenant, ulid('dlv', clock_timestamp(), public.ulid_random()), event, event_tenant,
                     event_type, webhook_endpoint, ${redelivery}::boolean, ${status},
                     case when ${status} = 'pending' then now() end, now()
                from test.deliveries d where event = ${event} and replay is not null)
            select`,
      )
    await set(failed, 'failed', false)
    await set(delivered, 'delivered', false)
    await set(waiting, 'pending', false)
    await set(accepted, 'failed', false)
    await set(accepted, 'delivered', true)
    await set(again, 'failed', false)
    await set(again, 'failed', true)
    await queryAsOwner(
      fixtures,
      sql`delete from test.deliveries where replay is not null and webhook_endpoint = ${id}`,
    )
    const { id: replay } = await start(id, { only: 'failed' })
    expect(await step(fixtures)).toMatchObject({ queued: 2, status: 'completed' })
    const rows = await queryAsOwner<{ event: string }>(
      fixtures,
      sql`select event from test.deliveries where replay = ${replay} order by id`,
    )
    expect(rows.map(({ event }) => event)).toEqual([failed, again])
  })

  test('sends a hundred events a second, and no more while two hundred wait', async () => {
    const events = await createEvents(fixtures, 230)
    const id = await listen(fixtures)
    const { id: replay } = await start(id)
    expect(await step(fixtures)).toMatchObject({ queued: 100, status: 'running' })
    // The next step is due in a second, for any worker.
    expect(await fixtures.workerContext.pools.test.use(stepOnce)).toBeNull()
    expect(await step(fixtures)).toMatchObject({ queued: 100, status: 'running' })
    expect(await step(fixtures)).toMatchObject({ queued: 0, status: 'running' })
    const sent = await deliveriesOf(fixtures, id)
    await queryAsOwner(
      fixtures,
      sql`delete from test.due_deliveries where delivery = any (${sent.slice(0, 50).map(one => one.id)}::text[])`,
    )
    expect(await step(fixtures)).toMatchObject({ queued: 30, status: 'completed' })
    const rows = await queryAsOwner<{ event: string }>(
      fixtures,
      sql`select event from test.deliveries where replay = ${replay} order by id`,
    )
    expect(rows.map(({ event }) => event)).toEqual(events)
    expect([limits.replaysPerSecond, limits.replaysWaitingMax]).toEqual([100, 200])
  })

  test('has its ID in Service-Replay, and each event has its own ID', async () => {
    const events = await createEvents(fixtures, 3)
    const receiver = openReceiver(() => new Response('thanks'))
    const worker = await openTestWorker(fixtures, { jobs: jobs => [...jobs, replayJob] })
    const id = await listen(fixtures, { url: receiver.url() })
    const { id: replay } = await start(id)
    worker.wake('replays')
    await worker.waitForLines('webhook.attempted', 3)
    const headers = receiver.received.map(one => one.headers)
    expect(headers.map(one => one['service-replay'])).toEqual([replay, replay, replay])
    expect(headers.map(one => one['service-event-id']).toSorted()).toEqual(events)
    expect((await find(replay)).deliveries).toEqual({ pending: 0, delivered: 3, failed: 0 })
    expect(worker.linesOf('job.failed')).toEqual([])
    await worker.stop()
    await receiver.stop()
  })
})

test('a delivery created during a worker’s claim names its replay', async () => {
  const [event = ''] = await createEvents(fixtures, 1)
  const { id: replay } = await start(await listen(fixtures))
  const free = { all: 8, slow: 8 }
  const claimOnce = () =>
    fixtures.workerContext.pools.test.use(connection =>
      claim(connection, 'test', clockOf(), free, 'a claim'),
    )
  // The claim has started, but looks for due deliveries only after the step commits.
  const lock = sql`lock table test.endpoint_queues in access exclusive mode`
  const [claimed] = await runIntoLock(fixtures, lock, [claimOnce], async connection => {
    await connection.run(sql`set local search_path = test, public`)
    await stepOnce(connection)
  })
  expect(claimed?.map(one => [one.event, one.replay])).toEqual([[event, replay]])
})

describe('a replay is refused', () => {
  test('if its span is too early, too late or empty', async () => {
    const id = await listen(fixtures)
    const replied = (span: object) =>
      invoke(fixtures, 'replayEvents', { body: { webhook_endpoint: id, since, ...span } })
    const refused = async (span: object) => faultsOf(await replied(span))
    expect(await refused({ since: momentText(now() - 30 * 24 * hour - 60_000) })).toEqual([
      ['#/since', 'not_allowed'],
    ])
    expect((await replied({ until: since })).body.errors).toEqual([
      { pointer: '#/until', code: 'not_allowed', message: 'until must be after since.' },
    ])
    expect((await refused({ until: momentText(now() + hour) }))[0]?.[0]).toBe('#/until')
    expect((await refused({ since: momentText(now() + hour) }))[0]?.[0]).toBe('#/since')
    expect(await refused({ event_types: ['*', 'case.approved.v1'] })).toEqual([
      ['#/event_types', 'not_allowed'],
    ])
    expect(await refused({ webhook_endpoint: unknownId('we') })).toEqual([
      ['#/webhook_endpoint', 'unknown_reference'],
    ])
    const early = momentText(now() - 30 * 24 * hour + 60_000)
    expect((await start(id, { since: early })).since).toBe(early)
  })

  test('while another one for its endpoint runs, which it names, even if both start at once', async () => {
    const id = await listen(fixtures)
    const begin = () =>
      invoke(fixtures, 'replayEvents', { body: { webhook_endpoint: id, since, only: 'all' } })
    const lock = sql`
      select from test.tenants where organization is null
         and integration = ${fixtures.ada.integration} for update`
    const both = await runIntoLock(fixtures, lock, [begin, begin])
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
    const [made, refused] = both.toSorted((one, other) => one.status - other.status)
    expect(refused).toMatchObject({
      code: 'invalid_transition',
      body: { members: { resource: { type: 'replay', id: made?.body.id } } },
    })
    // A different endpoint has its own replay.
    expect((await start(await listen(fixtures))).status).toBe('running')
  })
})
