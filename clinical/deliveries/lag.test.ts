// Back-pressure: while deliveries are behind, redeliver and trigger are refused, but events are
// still written.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { areDeliveriesBehind } from './lag.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
  const url = 'https://receiver.example.com/hooks'
  await invokeOk(fixtures, 'createWebhookEndpoint', { body: { url, event_types: ['*'] } })
})
afterAll(async () => {
  expect(fixtures.errors).toEqual([])
  await fixtures.close()
})

const type = 'order.shipped.v1'
/** Makes every event appear to have waited that many seconds for the dispatcher. */
const ageEvents = (seconds: number) =>
  queryAsOwner(
    fixtures,
    sql`update test.events set written_at = now() - ${seconds}::int * interval '1 second'`,
  )
/** Reads events as the dispatcher does. */
const readAll = () =>
  queryAsOwner(
    fixtures,
    sql`
    update test.event_cursors c set position = e.id
      from (select tenant, max(id) as id from test.events group by tenant) e
     where e.tenant = c.of_tenant`,
  )
const pretendDue = (rows: number) =>
  queryAsOwner(
    fixtures,
    sql`update pg_class set reltuples = ${rows}::int where oid = 'test.due_deliveries'::regclass`,
  )

test('back-pressure: redeliver and trigger get 429 while events have waited for a minute; other writes work', async () => {
  const { id } = await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
  await ageEvents(30)
  await invokeOk(fixtures, 'redeliverEvent', { id, body: {} })
  await ageEvents(61)
  for (const again of [
    () => expectRefused(fixtures, 'triggerWebhook', 'rate_limited', { body: { type } }),
    () =>
      expectRefused(fixtures, 'redeliverEvent', 'rate_limited', { id, body: {}, key: 'the-same' }),
  ]) {
    const { headers, body } = await again()
    expect(headers['retry-after']).toBe('60')
    expect(body.detail).toContain('Deliveries are delayed')
  }
  // Another integration's events aren't behind.
  const as = fixtures.ben.test
  const own = await invokeOk(fixtures, 'triggerWebhook', { as, body: { type } })
  await invokeOk(fixtures, 'redeliverEvent', { as, id: own.id, body: {} })
  // Another tenant's event is a 404, whether or not deliveries are behind.
  expect((await invoke(fixtures, 'redeliverEvent', { as, id, body: {} })).code).toBe('not_found')
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { data } = await invokeOk(fixtures, 'listEvents')
  expect(data.at(-1).resource.id).toBe(patient)
  await readAll()
  expect((await invoke(fixtures, 'redeliverEvent', { id, body: {}, key: 'the-same' })).status).toBe(
    202,
  )
})

test('back-pressure: the sweeps’ valid calls aren’t refused, however long a sweep takes', async () => {
  await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
  for (const id of ['redeliverEvent', 'listDeliveries', 'triggerWebhook'] as const) {
    await ageEvents(120)
    const options = await validCalls[id](fixtures, fixtures.ada.test)
    await invokeOk(fixtures, id, { as: fixtures.ada.test, ...options })
  }
})

test('back-pressure: an installation is behind if any integration’s deliveries are late, in either mode', async () => {
  const isBehind = () => areDeliveriesBehind(fixtures.context.pools)
  await readAll()
  expect(await isBehind()).toBe(false)
  await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
  await ageEvents(59)
  expect(await isBehind()).toBe(false)
  await ageEvents(61)
  expect(await isBehind()).toBe(true)
  await readAll()
  expect(await isBehind()).toBe(false)
  const as = fixtures.ada.live
  const body = { url: 'https://receiver.example.com/hooks', event_types: ['*'] }
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { as, body })
  await invokeOk(fixtures, 'createPatient', { as, body: rivera })
  expect(await isBehind()).toBe(false)
  await queryAsOwner(
    fixtures,
    sql`update live.events set written_at = now() - interval '61 seconds'`,
  )
  await queryAsOwner(
    fixtures,
    sql`update live.webhook_endpoints set listens_from = now() - interval '1 hour'`,
  )
  expect(await isBehind()).toBe(true)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { as, id })
})

test('back-pressure: 429 while a million deliveries are due; test and live are independent', async () => {
  const { id } = await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
  await pretendDue(1_000_000)
  await invokeOk(fixtures, 'redeliverEvent', { id, body: {} })
  await pretendDue(1_001_000)
  await expectRefused(fixtures, 'redeliverEvent', 'rate_limited', { id, body: {} })
  const as = fixtures.ada.live
  await invokeOk(fixtures, 'createPatient', { as, body: rivera })
  const { data } = await invokeOk(fixtures, 'listEvents', { as })
  await invokeOk(fixtures, 'redeliverEvent', { as, id: data[0].id, body: {} })
})
