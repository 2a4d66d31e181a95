// Tests how a reset changes a sandbox's clock.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../testing/assertions.ts'
import {
  advanceBy,
  isAdvancing,
  openClockWorker,
  sandboxNow,
  startAdvance,
} from '../testing/sandbox-clock.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import type { TestWorker } from '../deliveries/engine/testing/worker.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
const day = 86_400
/** In milliseconds: less than any advance, and more than any test takes. */
const hour = 3_600_000
let receiver: Receiver
let worker: TestWorker

beforeEach(async () => {
  receiver = openReceiver(() => new Response())
  worker = await openClockWorker(fixtures)
})
afterEach(async () => {
  await worker.stop()
  await receiver.stop()
  expect(worker.linesOf('job.failed')).toEqual([])
})

const daysAhead = async () => Math.round((await sandboxNow(fixtures)) - Date.now()) / day / 1000
const listen = () =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url(), event_types: ['patient.created.v1'] },
  })

test('a reset returns the clock to real time, and later rows have real timestamps', async () => {
  const { id } = await listen()
  await queuedCase(fixtures)
  await advanceBy(fixtures, 3 * day)
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  expect(await daysAhead()).toBeCloseTo(3, 2)
  await invokeOk(fixtures, 'resetSandbox')
  expect(await daysAhead()).toBeCloseTo(0, 2)
  const patients = [rivera, rivera, rivera].map(body =>
    invokeOk(fixtures, 'createPatient', { body }),
  )
  for (const { created_at } of await Promise.all(patients)) {
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(hour)
  }
  const events = await eventsAfter(fixtures, null)
  expect(events.map(one => one.id)).toEqual(events.map(one => one.id).toSorted())
  const deliveries = async () => (await invokeOk(fixtures, 'listDeliveries', { id })).data
  await until(async () => (await deliveries()).length >= 3)
  for (const { created_at } of await deliveries()) {
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(hour)
  }
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
})

test('a reset leaves the clock ahead while an endpoint has timestamps from it', async () => {
  await advanceBy(fixtures, 3 * day)
  const { id, created_at } = await listen()
  await invokeOk(fixtures, 'resetSandbox')
  expect(await daysAhead()).toBeCloseTo(3, 2)
  const next = await invokeOk(fixtures, 'createPatient', { body: rivera })
  expect(next.created_at > created_at).toBe(true)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  await invokeOk(fixtures, 'resetSandbox')
  expect(await daysAhead()).toBeCloseTo(0, 2)
})

test('resetting a sandbox in real time keeps its IDs ascending', async () => {
  const before = await invokeOk(fixtures, 'createPatient', { body: rivera })
  await queryAsOwner(fixtures, sql`update test.tenants set last = now() + interval '1 second'`)
  await invokeOk(fixtures, 'resetSandbox')
  const after = await invokeOk(fixtures, 'createPatient', { body: rivera })
  expect(after.id > before.id).toBe(true)
  expect(Date.parse(after.created_at)).toBeGreaterThan(Date.now())
})

test('a reset ends an advance, and other sandboxes’ clocks stay', async () => {
  const { ben } = fixtures
  await advanceBy(fixtures, 60)
  await worker.stop()
  await startAdvance(fixtures, (await sandboxNow(fixtures)) + day * 1000)
  await invokeOk(fixtures, 'resetSandbox', { as: ben.test })
  expect(await isAdvancing(fixtures)).toBe(true)
  expect(await daysAhead()).toBeGreaterThan(0)
  await invokeOk(fixtures, 'resetSandbox')
  expect(await isAdvancing(fixtures)).toBe(false)
})
