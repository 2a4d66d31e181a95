// Everything that becomes due while a sandbox's clock advances happens in order and on time, no
// matter what happens to the workers.

import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { retrySchedule } from '#contract/retry-schedule.ts'
import { workerUrls } from '#database/roles.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../testing/assertions.ts'
import {
  advanceBy,
  isAdvancing,
  openClockWorker,
  sandboxNow,
  startAdvance,
} from '../testing/sandbox-clock.ts'
import { clearEndpoints } from '../testing/valid-calls.ts'
import {
  authority,
  openReceiver,
  type ReceivedRequest,
  type Receiver,
} from '#http/testing/receiver.ts'
import { advanceSandboxes } from './advance.ts'
import type { Step } from '../deliveries/engine/testing/crash-worker.ts'
import type { TestWorker } from '../deliveries/engine/testing/worker.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
const day = 86_400
/** In milliseconds: less than any advance, and more than any test takes. */
const hour = 3_600_000
const timers = { approve_after_s: 600, ship_after_s: 3600 }
const noTimers = { approve_after_s: null, ship_after_s: null }

let receiver: Receiver
let worker: TestWorker
let answer: (received: ReceivedRequest) => Response | Promise<Response>

beforeEach(async () => {
  answer = () => new Response()
  receiver = openReceiver(one => answer(one))
  worker = await openClockWorker(fixtures)
})
afterEach(async () => {
  await worker.stop()
  await receiver.stop()
  expect(worker.linesOf('job.failed')).toEqual([])
  await clearEndpoints(fixtures)
  await invokeOk(fixtures, 'updateAutopilot', { body: noTimers })
})

const listen = (event_types: readonly string[], as = fixtures.ada.test) =>
  invokeOk(fixtures, 'createWebhookEndpoint', { as, body: { url: receiver.url(), event_types } })
const trigger = (webhook_endpoint: string, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'triggerWebhook', {
    as,
    body: { type: 'order.shipped.v1', webhook_endpoint },
  })
const deliveriesOf = async (id: string, as = fixtures.ada.test) =>
  (await invokeOk(fixtures, 'listDeliveries', { as, id })).data
const seconds = (from: number | string, to: number | string) =>
  (new Date(to).getTime() - new Date(from).getTime()) / 1000

/** Returns the seconds since a test started: how far a running clock may have moved. */
function stopwatch() {
  const began = Date.now()
  return () => (Date.now() - began) / 1000 + 1
}

/** Starts a worker process that kills itself at a step. */
async function launchUntilDeath({ database, context }: Fixtures, step: Step): Promise<void> {
  const program = path.join(import.meta.dir, '../deliveries/engine/testing/crash-worker.ts')
  const { cert: ca } = authority
  const settings = { urls: workerUrls(database.urls), pepper: context.pepper, ca }
  const command = [process.execPath, program, step, JSON.stringify(settings)]
  await Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' }).exited
}

/** Ends dead workers' leases instead of waiting for them. */
const endLeases = () =>
  queryAsOwner(
    fixtures,
    sql`with ended as (
          update test.due_deliveries set due_at = now() where claim is not null returning tenant)
        update test.endpoint_queues set next_due = now() where tenant in (select tenant from ended)`,
  )

describe('an advance by three days', () => {
  test.each([1, 2])(
    'makes nine attempts at a dead receiver in order, each at its time, with %d workers',
    async workers => {
      const elapsed = stopwatch()
      const more = workers > 1 ? await openClockWorker(fixtures) : null
      const { id } = await listen(['order.shipped.v1'])
      const attempts: { at: number; due: string; attempt: number; t: number }[] = []
      answer = async ({ headers }) => {
        const [delivery] = await deliveriesOf(id)
        attempts.push({
          at: await sandboxNow(fixtures),
          due: delivery.next_attempt_at,
          attempt: delivery.attempt,
          t: Number(headers['service-signature']?.slice(2, 12)),
        })
        return new Response(null, { status: 503 })
      }
      await trigger(id)
      await advanceBy(fixtures, 3 * day)
      await more?.stop()
      expect(attempts.map(one => one.attempt)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
      for (const [n, { at, due, t }] of attempts.entries()) {
        // The attempt was sent no earlier than due, and no later than the time the test took.
        expect(seconds(due, at)).toBeGreaterThanOrEqual(0)
        expect(seconds(due, at)).toBeLessThan(elapsed())
        // Receivers compare the signature's timestamp with their own clock.
        expect(Math.abs(Date.now() / 1000 - t)).toBeLessThan(elapsed())
        const before = attempts[n - 1]
        if (before === undefined) continue
        expect(seconds(before.at, due)).toBeGreaterThanOrEqual((retrySchedule[n] ?? 0) - 1)
        expect(seconds(before.at, due)).toBeLessThan((retrySchedule[n] ?? 0) + elapsed())
      }
      const [delivery] = await deliveriesOf(id)
      expect(delivery).toMatchObject({ status: 'failed', attempt: 9, next_attempt_at: null })
      const last = attempts.at(-1)?.at ?? 0
      expect(Math.abs(seconds(last, delivery.last_attempt_at))).toBeLessThan(elapsed())
      expect(seconds(last, await sandboxNow(fixtures))).toBeGreaterThan(0.1 * day)
    },
    60_000,
  )

  test('runs the autopilot step by step, and delivers each event before the next step', async () => {
    const elapsed = stopwatch()
    await invokeOk(fixtures, 'resetSandbox')
    await invokeOk(fixtures, 'updateAutopilot', { body: timers })
    const arrived: { type: string; at: number; created_at: string }[] = []
    answer = async ({ body }) => {
      const { type, created_at } = JSON.parse(body)
      arrived.push({ type, created_at, at: await sandboxNow(fixtures) })
      return new Response()
    }
    const { id } = await listen(['case.approved.v1', 'order.shipped.v1', 'order.delivered.v1'])
    const { id: queued } = await queuedCase(fixtures)
    const start = await sandboxNow(fixtures)
    await advanceBy(fixtures, 3 * day)
    expect(arrived.map(one => one.type)).toEqual([
      'case.approved.v1',
      'order.shipped.v1',
      'order.delivered.v1',
    ])
    for (const [n, { at, created_at }] of arrived.entries()) {
      expect(seconds(start, created_at)).toBeGreaterThan(([600, 4200, 7800][n] ?? 0) - elapsed())
      expect(seconds(start, created_at)).toBeLessThan(([600, 4200, 7800][n] ?? 0) + elapsed())
      expect(seconds(created_at, at)).toBeLessThan(elapsed())
    }
    const { data } = await invokeOk(fixtures, 'listCaseEvents', { id: queued })
    const moments = data.map((event: { created_at: string }) => event.created_at)
    expect(moments).toEqual(moments.toSorted())
    const delivered = (await deliveriesOf(id)).map((one: { status: string }) => one.status)
    expect(delivered).toEqual(['delivered', 'delivered', 'delivered'])
  }, 60_000)

  test('decides cases in the order they’re due, whatever their clinic', async () => {
    const elapsed = stopwatch()
    await invokeOk(fixtures, 'resetSandbox')
    await invokeOk(fixtures, 'updateAutopilot', { body: timers })
    const first = await queuedCase(fixtures)
    await advanceBy(fixtures, 300)
    const second = await queuedCase(fixtures)
    await advanceBy(fixtures, 3 * day)
    const approvals = (await eventsAfter(fixtures, null)).filter(
      ({ type }) => type === 'case.approved.v1',
    )
    expect(approvals.map(one => one.resource.id)).toEqual([first.id, second.id])
    const [one, other] = approvals.map(event => event.created_at)
    expect(seconds(one ?? '', other ?? '')).toBeGreaterThanOrEqual(299)
    expect(seconds(one ?? '', other ?? '')).toBeLessThan(300 + elapsed())
  }, 60_000)
})

describe('an advance', () => {
  test('changes no other sandbox and nothing in live mode', async () => {
    const { ada, ben } = fixtures
    const bens = await listen(['order.shipped.v1'], ben.test)
    answer = () => new Response(null, { status: 503 })
    await trigger(bens.id, ben.test)
    await until(async () => (await deliveriesOf(bens.id, ben.test))[0]?.attempt === 1)
    const [before] = await deliveriesOf(bens.id, ben.test)
    await invokeOk(fixtures, 'updateAutopilot', { as: ben.test, body: timers })
    const queued = await queuedCase(fixtures, ben.test)
    await advanceBy(fixtures, 40 * day)
    expect(await deliveriesOf(bens.id, ben.test)).toEqual([before])
    expect((await invokeOk(fixtures, 'getCase', { as: ben.test, id: queued.id })).status).toBe(
      'queued',
    )
    for (const as of [ben.test, ada.live, ben.live]) {
      const { created_at } = await invokeOk(fixtures, 'createPatient', { as, body: rivera })
      expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(hour)
    }
    const { created_at } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    expect(Date.parse(created_at) - Date.now()).toBeGreaterThan(40 * day * 1000 - hour)
    await invokeOk(fixtures, 'updateAutopilot', { as: ben.test, body: noTimers })
    const clocks = await queryAsOwner<{ ahead: boolean }>(
      fixtures,
      sql`select distinct ahead_ms > 0 as ahead from (
            select integration, ahead_ms from test.tenants where integration <> ${ada.integration}
             union all select integration, ahead_ms from live.tenants) t`,
    )
    expect([...clocks]).toEqual([{ ahead: false }])
  }, 60_000)

  test('waits for a running attempt, which keeps its time', async () => {
    const { id } = await listen(['order.shipped.v1'])
    const gate = Promise.withResolvers<void>()
    answer = () => gate.promise.then(() => new Response())
    await trigger(id)
    await receiver.waitForRequests(1)
    const start = await sandboxNow(fixtures)
    await startAdvance(fixtures, start + day * 1000)
    for (let times = 0; times < 3; times++) {
      const { steps, arrived } = await advanceSandboxes(fixtures.workerContext)
      expect([steps, arrived]).toEqual([0, 0])
    }
    expect((await sandboxNow(fixtures)) - start).toBeLessThan(hour)
    gate.resolve()
    await until(async () => !(await isAdvancing(fixtures)))
    const [delivery] = await deliveriesOf(id)
    expect(seconds(start, delivery.last_attempt_at)).toBeLessThan(hour / 1000)
  }, 60_000)

  test('continues where a worker that moved the clock died', async () => {
    await worker.stop()
    const { id } = await listen(['order.shipped.v1'])
    answer = () => new Response(null, { status: 503 })
    await trigger(id)
    const start = await sandboxNow(fixtures)
    await startAdvance(fixtures, start + 3 * day * 1000)
    const attempted: number[] = []
    // Each of these workers dies after recording an attempt.
    for (let at = 1; at < 5; at++) {
      await launchUntilDeath(fixtures, 'recorded')
      await endLeases()
      const [delivery] = await deliveriesOf(id)
      attempted.push(delivery.attempt)
      expect(await isAdvancing(fixtures)).toBe(true)
    }
    expect(attempted).toEqual([1, 2, 3, 4])
    // This worker stops after moving the clock to the next attempt, unless the last worker moved
    // it.
    const stopping = new AbortController()
    const wake = () => stopping.abort()
    const isDue = async () =>
      seconds((await deliveriesOf(id))[0].next_attempt_at, await sandboxNow(fixtures)) >= 0
    await until(async () => {
      await advanceSandboxes({ ...fixtures.workerContext, wake, stopping: stopping.signal })
      return isDue()
    })
    expect(await isAdvancing(fixtures)).toBe(true)
    worker = await openClockWorker(fixtures)
    await until(async () => !(await isAdvancing(fixtures)))
    const [delivery] = await deliveriesOf(id)
    expect(delivery).toMatchObject({ attempt: 9, status: 'failed' })
    // Attempts that a dying worker had claimed may have been sent, and are sent again.
    expect(receiver.received.length).toBeGreaterThanOrEqual(9)
    expect(receiver.received.length).toBeLessThanOrEqual(9 + 4)
    // The nine attempts take 2.86 days.
    expect(seconds(start, delivery.last_attempt_at) / day).toBeCloseTo(2.86, 1)
  }, 60_000)
})
