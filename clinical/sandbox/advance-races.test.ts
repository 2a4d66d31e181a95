// Moves the sandbox clock while other calls write, another worker runs, or the advance is ended.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../testing/assertions.ts'
import { countWaiting, runIntoLock } from '../testing/races.ts'
import {
  advanceBy,
  isAdvancing,
  openClockWorker,
  sandboxNow,
  startAdvance,
} from '../testing/sandbox-clock.ts'
import { clearEndpoints } from '../testing/valid-calls.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import type { TestWorker } from '../deliveries/engine/testing/worker.ts'
import { stepOnce } from '../replays/step.ts'
import { advanceSandboxes } from './advance.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'], poolSize: 24 })
const day = 86_400
/** In milliseconds: less than any advance, and more than any test takes. */
const hour = 3_600_000
let receiver: Receiver
let worker: TestWorker
let answer = async () => new Response()

beforeEach(async () => {
  receiver = openReceiver(() => answer())
  worker = await openClockWorker(fixtures)
})
afterEach(async () => {
  await worker.stop()
  await receiver.stop()
  expect(worker.linesOf('job.failed')).toEqual([])
})

/** Returns a function that tests whether a promise has been fulfilled. */
function doneOf(promise: Promise<unknown>): () => boolean {
  let isDone = false
  void promise.then(() => (isDone = true))
  return () => isDone
}

test('an advance alongside twenty writers keeps IDs in commit order', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  let writing = true
  let written = 0
  const isWriting = () => writing
  // Keeps writing until the clock has reached its target.
  const writer = async () => {
    while (isWriting()) {
      const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
      await invokeOk(fixtures, 'updatePatient', { id, body: { first_name: `r${written++}` } })
    }
  }
  const writers = Promise.all(Array.from({ length: 20 }, writer))
  const advances = (async () => {
    for (let n = 0; n < 3; n++) await advanceBy(fixtures, 3600)
    writing = false
  })()
  const isDone = doneOf(Promise.all([writers, advances]))
  const polled: { id: string; created_at: string }[] = []
  for (;;) {
    const last = isDone()
    const since = polled.at(-1)?.created_at ?? '2020-01-01'
    const page = await invokeOk(fixtures, 'listEvents', { query: { since, limit: '50' } })
    polled.push(...page.data)
    if (last && page.data.length === 0) break
  }
  const all = await eventsAfter(fixtures, null)
  expect(polled.map(one => one.id)).toEqual(all.map(one => one.id))
  expect(all).toHaveLength(2 * written)
  const moments = all.map(one => one.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
}, 60_000)

test('a worker doesn’t move the clock while another runs the autopilot', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 600 } })
  // With an endpoint, the clock waits for the approval's event.
  await invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(), event_types: ['case.approved.v1'] },
  })
  const { id } = await queuedCase(fixtures)
  // The case's events are dispatched, so nothing else holds the clock back.
  await advanceBy(fixtures, 1)
  await worker.stop()
  const start = await sandboxNow(fixtures)
  await startAdvance(fixtures, start + day * 1000)
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`select from test.cases where id = ${id} for update`)
    const first = advanceSandboxes(fixtures.workerContext)
    await until(async () => (await countWaiting(fixtures)) === 1)
    const other = await advanceSandboxes(fixtures.workerContext)
    expect(other).toEqual({ steps: 0, arrived: 0, waiting: 1 })
    await connection.run(sql`rollback`)
    expect(await first).toMatchObject({ waiting: 1 })
  })
  expect((await sandboxNow(fixtures)) - start).toBeLessThan(hour)
  expect((await invokeOk(fixtures, 'getCase', { id })).status).toBe('approved')
  worker = await openClockWorker(fixtures)
  await until(async () => !(await isAdvancing(fixtures)))
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: null } })
  await clearEndpoints(fixtures)
})

test('a worker that stops while running the autopilot leaves the rest to the next one', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  await worker.stop()
  const [first, second] = [await queuedCase(fixtures), await queuedCase(fixtures)]
  await queryAsOwner(fixtures, sql`update test.cases set status_at = status_at - interval '2 s'`)
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 1 } })
  const start = await sandboxNow(fixtures)
  await startAdvance(fixtures, start + day * 1000)
  const stopping = new AbortController()
  const ending = { ...fixtures.workerContext, stopping: stopping.signal }
  const lock = sql`select from test.cases where id = ${first.id} for update`
  const [advanced] = await runIntoLock(fixtures, lock, [() => advanceSandboxes(ending)], async () =>
    stopping.abort(),
  )
  expect(advanced).toMatchObject({ steps: 0, arrived: 0, waiting: 1 })
  expect((await sandboxNow(fixtures)) - start).toBeLessThan(hour)
  worker = await openClockWorker(fixtures)
  await until(async () => !(await isAdvancing(fixtures)))
  const { status, updated_at } = await invokeOk(fixtures, 'getCase', { id: second.id })
  expect(status).toBe('approved')
  expect(Date.parse(updated_at) - start).toBeLessThan(hour)
  await invokeOk(fixtures, 'resetSandbox')
})

test('a case written while the autopilot runs is approved when it’s due', async () => {
  await invokeOk(fixtures, 'resetSandbox')
  await worker.stop()
  const { id } = await queuedCase(fixtures)
  await queryAsOwner(fixtures, sql`update test.cases set status = 'received' where id = ${id}`)
  await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 0 } })
  const start = await sandboxNow(fixtures)
  await startAdvance(fixtures, start + day * 1000)
  // Writes a row as a call does: stamped by its tenant's clock, and not committed yet.
  const writing = sql`
    with clock as (
      update test.tenants t
         set last = date_trunc('milliseconds', clock_timestamp() + t.ahead_ms * interval '1 ms')
        from test.cases c where c.id = ${id} and t.id = c.tenant returning t.last as at
    )
    update test.cases set status = 'queued', status_at = clock.at from clock where id = ${id}`
  const advance = () => advanceSandboxes(fixtures.workerContext)
  await runIntoLock(fixtures, writing, [advance])
  worker = await openClockWorker(fixtures)
  await until(async () => !(await isAdvancing(fixtures)))
  const { status, updated_at } = await invokeOk(fixtures, 'getCase', { id })
  expect(status).toBe('approved')
  expect(Date.parse(updated_at) - start).toBeLessThan(hour)
  await invokeOk(fixtures, 'resetSandbox')
})

test('a worker that starts after the advance ended doesn’t move the clock', async () => {
  await advanceBy(fixtures, 1)
  const { integration } = fixtures.ada
  const at = await sandboxNow(fixtures)
  const step = sql`select advance_sandbox(${integration}, now(), interval '30 seconds') as outcome`
  const rows = await fixtures.workerContext.pools.test.use(each =>
    each.run<{ outcome: string }>(step),
  )
  expect([...rows]).toEqual([{ outcome: 'ended' }])
  expect((await sandboxNow(fixtures)) - at).toBeLessThan(hour)
})

test('resume ends an advance where it is, and time continues from there', async () => {
  const gate = Promise.withResolvers<Response>()
  answer = () => gate.promise
  const body = { url: receiver.url(), event_types: ['order.shipped.v1'] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  await receiver.waitForRequests(1)
  const start = await sandboxNow(fixtures)
  await startAdvance(fixtures, start + day * 1000)
  await invokeOk(fixtures, 'setTestClock', { body: { resume: true } })
  gate.resolve(new Response())
  const list = async () => (await invokeOk(fixtures, 'listDeliveries', { id })).data
  await until(async () => (await list())[0].status === 'delivered')
  const advanced = await advanceSandboxes(fixtures.workerContext)
  expect(advanced).toEqual({ steps: 0, arrived: 0, waiting: 0 })
  expect((await sandboxNow(fixtures)) - start).toBeLessThan(hour)
  const { created_at } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  expect(Date.parse(created_at) - start).toBeLessThan(hour)
})

test('an advance waits for a replay, whose deliveries have the sandbox’s time', async () => {
  answer = async () => new Response()
  await advanceBy(fixtures, day)
  const body = { url: receiver.url(), event_types: ['order.shipped.v1'] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
  const { created_at: since } = await invokeOk(fixtures, 'triggerWebhook', {
    body: { type: 'order.shipped.v1', webhook_endpoint: id },
  })
  const start = await sandboxNow(fixtures)
  const replay = await invokeOk(fixtures, 'replayEvents', {
    body: { webhook_endpoint: id, since, only: 'all' },
  })
  await startAdvance(fixtures, start + day * 1000)
  await receiver.waitForRequests(1)
  await worker.stop()
  expect(await advanceSandboxes(fixtures.workerContext)).toMatchObject({ steps: 0, waiting: 1 })
  await fixtures.workerContext.pools.test.use(stepOnce)
  const { data } = await invokeOk(fixtures, 'listDeliveries', { id })
  expect(data).toHaveLength(2)
  const queued = data.find((one: { status: string }) => one.status === 'pending')
  expect(queued.next_attempt_at).toBe(queued.created_at)
  const { ended_at } = await invokeOk(fixtures, 'getReplay', { id: replay.id })
  expect(Math.abs(Date.parse(ended_at) - start)).toBeLessThan(hour)
  worker = await openClockWorker(fixtures)
  await until(async () => !(await isAdvancing(fixtures)))
  await clearEndpoints(fixtures)
  await invokeOk(fixtures, 'resetSandbox')
  expect((await invoke(fixtures, 'getReplay', { id: replay.id })).code).toBe('not_found')
})
