// Tests how a replay ends early, and how it survives a worker's death.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Mode, modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { countWaiting, runIntoLock } from '../testing/races.ts'
import { createEvents, deliveriesOf, listen, nextMoment, step } from '../testing/replays.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'
import { replayJob, stepOnce } from './step.ts'

const fixtures = useFixtures()
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

describe('a replay ends early', () => {
  test('when it’s canceled: its queued deliveries stay, and no more are queued', async () => {
    await createEvents(fixtures, 120)
    const id = await listen(fixtures)
    const { id: replay } = await start(id)
    await step(fixtures)
    const cancelled = await invokeOk(fixtures, 'cancelReplay', { id: replay })
    expect(cancelled).toMatchObject({ status: 'cancelled', deliveries: { pending: 100 } })
    expect(cancelled.queued_until).toBeString()
    expect(await step(fixtures)).toBeNull()
    expect(await find(replay)).toEqual(cancelled)
    expect((await invoke(fixtures, 'cancelReplay', { id: replay })).code).toBe('invalid_transition')
    expect((await start(id)).status).toBe('running')
  })

  test('when its endpoint is disabled or deleted, or its sandbox is reset, with the reason', async () => {
    await createEvents(fixtures, 1)
    const [off, gone, reset] = [
      await listen(fixtures),
      await listen(fixtures),
      await listen(fixtures),
    ]
    const ids = [await start(off), await start(gone)].map(({ id }: { id: string }) => id)
    await invokeOk(fixtures, 'updateWebhookEndpoint', { id: off, body: { status: 'disabled' } })
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: gone })
    const steps = [await step(fixtures), await step(fixtures)]
    expect(steps).toMatchObject([{ queued: 0 }, { queued: 0 }])
    const last = await start(reset)
    await invokeOk(fixtures, 'resetSandbox')
    await step(fixtures)
    const reasons = []
    for (const id of [...ids, last.id]) {
      const { status, reason, ended_at } = await find(id)
      reasons.push([status, reason, typeof ended_at])
    }
    expect(reasons).toEqual([
      ['stopped', 'endpoint_disabled', 'string'],
      ['stopped', 'endpoint_deleted', 'string'],
      ['stopped', 'sandbox_reset', 'string'],
    ])
    expect(await step(fixtures)).toBeNull()
  })

  test('when its endpoint is disabled while a step waits for it: that step queues nothing', async () => {
    await createEvents(fixtures, 2)
    const id = await listen(fixtures)
    const { id: replay } = await start(id)
    await queryAsOwner(fixtures, sql`update test.replays set due_at = now()`)
    const [stepped] = await runIntoLock(
      fixtures,
      sql`select from test.webhook_endpoints where id = ${id} for update`,
      [() => fixtures.workerContext.pools.test.use(stepOnce)],
      connection =>
        connection.run(sql`
          update test.webhook_endpoints set status = 'disabled', disabled_at = now()
           where id = ${id}`),
    )
    expect(stepped).toMatchObject({ queued: 0, status: 'running' })
    expect(await step(fixtures)).toMatchObject({ status: 'stopped', reason: 'endpoint_disabled' })
    expect((await find(replay)).deliveries.pending).toBe(0)
  })
})

describe('a replay loses and duplicates nothing', () => {
  test('with two workers: one advances it, the other finds nothing to do', async () => {
    await createEvents(fixtures, 2)
    await start(await listen(fixtures))
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`update test.replays set due_at = now() where status = 'running'`)
      await connection.run(sql`commit`)
      await connection.run(sql`begin`)
      await connection.run(sql`select from test.replays where status = 'running' for update`)
      expect(await fixtures.workerContext.pools.test.use(stepOnce)).toBeNull()
      await connection.run(sql`commit`)
    })
    const both = await Promise.all([
      fixtures.workerContext.pools.test.use(stepOnce),
      fixtures.workerContext.pools.test.use(stepOnce),
    ])
    expect(both.filter(one => one !== null)).toMatchObject([{ queued: 2 }])
  })

  test('when its worker dies in the middle of a step', async () => {
    const events = await createEvents(fixtures, 3)
    const id = await listen(fixtures)
    const { id: replay } = await start(id)
    await queryAsOwner(fixtures, sql`update test.replays set due_at = now()`)
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      // The step has chosen its events, but can't write their deliveries.
      await connection.run(sql`lock table test.deliveries in share mode`)
      const dying = fixtures.workerContext.pools.test.use(stepOnce).catch(() => 'died')
      await until(async () => (await countWaiting(fixtures)) > 0)
      await connection.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      expect(await dying).toBe('died')
      await connection.run(sql`commit`)
    })
    expect((await find(replay)).queued_until).toBeNull()
    expect(await step(fixtures)).toMatchObject({ queued: 3, status: 'completed' })
    expect((await deliveriesOf(fixtures, id)).map(({ event }) => event)).toEqual(events)
  })
})

test('a replay whose step fails holds up no other replay in either mode', async () => {
  const as = fixtures.ada.live
  await invokeOk(fixtures, 'createPatient', { as, body: rivera })
  const failing = await begin('live', 'patient.created.v1')
  const others = [await begin('live', 'case.approved.v1'), await begin('test', 'case.approved.v1')]
  const run = () => replayJob.run(fixtures.workerContext, modes, () => null)
  const refused = sql`alter table live.deliveries add constraint refused check (replay is null)`
  await queryAsOwner(fixtures, refused)
  await expect(run()).rejects.toMatchObject({ constraint: 'refused' })
  expect(await statusesOf(others)).toEqual(['running', 'completed'])
  await run()
  expect(await statusesOf([failing, ...others])).toEqual(['running', 'completed', 'completed'])
  await queryAsOwner(fixtures, sql`alter table live.deliveries drop constraint refused`)
  await queryAsOwner(fixtures, sql`update live.replays set due_at = now()`)
  await run()
  expect(await statusesOf([failing])).toEqual(['completed'])
})

type Replay = { as: string; id: string }

/** Starts a replay of one type to a new endpoint. */
async function begin(mode: Mode, type: string): Promise<Replay> {
  const as = fixtures.ada[mode]
  const body = { ...endpoint, event_types: [type] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { as, body })
  const replay = { webhook_endpoint: id, since, only: 'all' }
  return { as, id: (await invokeOk(fixtures, 'replayEvents', { as, body: replay })).id }
}

const statusesOf = (replays: readonly Replay[]) =>
  Promise.all(replays.map(async one => (await invokeOk(fixtures, 'getReplay', one)).status))
