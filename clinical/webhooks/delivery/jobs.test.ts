// When the jobs that send webhooks run, what they wake, and what they report of a run.

import { afterEach, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints, endpoint } from '../../testing/valid-calls.ts'
import type { Job, Worker } from '../../jobs/job.ts'
import { webhookJobs } from './jobs.ts'
import { notifyDevelopersJob } from './notify-developers.ts'
import { openLoadFixture } from './testing/load.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
  await queryAsOwner(
    fixtures,
    sql`truncate test.webhook_endpoints, test.endpoint_queues, test.deliveries,
                 test.due_deliveries, test.failed_events`,
  )
})

const announced: Job = { name: 'realtime.announce', everySeconds: 1, run: async () => undefined }
/** The jobs of a worker whose names do not resolve, so that nothing is sent. */
const openJobs = (sockets = 16) =>
  webhookJobs({
    encryption: createEncryption([fixtures.context.pepper]),
    realtime: { ...fixtures.context.realtime, jobs: [announced] },
    receivers: {
      ca: undefined,
      addresses: { resolve: () => Promise.reject(new Error('NXDOMAIN')), allowed: [] },
      seconds: 15,
    },
    sockets,
  })

/** Runs a job once for test mode; returns what it reported, woke and noted. */
async function runOnce(job: Job | undefined) {
  const woken: unknown[][] = []
  const noted: unknown[][] = []
  const worker: Worker = {
    ...fixtures.workerContext,
    wake: (...wake) => void woken.push(wake),
    note: (...line) => void noted.push(line),
  }
  const report = await job?.run(worker, ['test'], () => null)
  const named = woken.map(wake => wake.filter(one => one !== undefined))
  await job?.stop?.()
  return { report, woken: named, noted }
}
const dispatchOnce = async (sockets?: number) => {
  const [dispatch, deliver] = openJobs(sockets)
  const done = await runOnce(dispatch)
  await deliver?.stop?.()
  return done
}
const listen = () => invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
const trigger = (webhook_endpoint: string) =>
  invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1', webhook_endpoint } })
const markAsQuick = () => queryAsOwner(fixtures, sql`update test.endpoint_queues set slow = false`)

test('webhook jobs: run at their intervals, and the dispatcher also when a call has written', () => {
  const jobs = [...openJobs(), notifyDevelopersJob]
  expect(jobs.map(job => [job.name, job.everySeconds, job.onWrite === true])).toEqual([
    ['webhooks.dispatch', 1, true],
    ['webhooks.deliver', 1, false],
    ['webhooks.upkeep', 30, false],
    ['webhooks.notify', 30, false],
  ])
})

test('webhook dispatcher: reports and wakes nothing when there is nothing to read', async () => {
  await listen()
  expect(await dispatchOnce()).toMatchObject({ report: undefined, woken: [] })
})

test('webhook dispatcher: wakes realtime for events, and reports no delivery where no endpoint wants them', async () => {
  const { id } = await listen()
  await invokeOk(fixtures, 'updateWebhookEndpoint', {
    id,
    body: { event_types: ['case.declined.v1'] },
  })
  await invokeOk(fixtures, 'triggerWebhook', { body: { type: 'order.shipped.v1' } })
  expect(await dispatchOnce()).toMatchObject({
    report: undefined,
    woken: [['realtime.announce']],
  })
})

test('webhook dispatcher: does not wake the sender for deliveries that it has begun itself', async () => {
  const { id } = await listen()
  await markAsQuick()
  await trigger(id)
  await trigger(id)
  const { report, woken } = await dispatchOnce()
  expect(report).toEqual({ deliveries: 2 })
  expect(woken).toEqual([['realtime.announce']])
})

test('webhook dispatcher: wakes the sender for what it could not begin, and itself for what it has not read', async () => {
  const { id } = await listen()
  await markAsQuick()
  for (let at = 0; at < 40; at++) await trigger(id)
  const { report, woken } = await dispatchOnce(1)
  // With one free socket it reads 32 events.
  expect(report).toEqual({ deliveries: 32 })
  const [tenant] = await queryAsOwner<{ id: string }>(
    fixtures,
    sql`select id::text as id from test.tenants
         where integration = ${fixtures.ada.integration} and organization is not null`,
  )
  expect(woken).toContainEqual(['webhooks.deliver', 'test'])
  expect(woken).toContainEqual(['webhooks.dispatch', 'test', [tenant?.id]])
})

test('webhook upkeep: reports nothing when there was nothing to do', async () => {
  await listen()
  const [, , upkeep] = openJobs()
  expect((await runOnce(upkeep)).report).toBeUndefined()
})

test('webhook upkeep: reports what it ended in both modes', async () => {
  const { id } = await listen()
  const failing = sql`select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, 20) n`
  await queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event) ${failing}`,
  )
  const [, , upkeep] = openJobs()
  expect((await runOnce(upkeep)).report).toEqual({ ended: 1, removed: 0, reencrypted: 0 })
  expect((await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status).toBe('disabled')
})

test('webhook notifications: each is noted, and a run takes a hundred endpoints', async () => {
  await openLoadFixture(fixtures, 101, 'https://hooks.brand.example/')
  await queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_1' from test.webhook_endpoints`,
  )
  const first = await runOnce(notifyDevelopersJob)
  expect(first.noted).toHaveLength(100)
  expect(first.noted[0]).toEqual([
    'webhook.failing',
    {
      mode: 'test',
      endpoint: expect.stringMatching(/^we_/),
      kind: 'event_failed',
      emailed: false,
    },
  ])
  expect((await runOnce(notifyDevelopersJob)).noted).toHaveLength(1)
})
