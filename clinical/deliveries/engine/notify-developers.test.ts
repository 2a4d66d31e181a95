// Emails to developers about events that don't arrive: when, to whom and how often.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { nameDevelopers } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { endpoint } from '../../testing/valid-calls.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { sweepEndpoints } from './disable.ts'
import { queueNotifications } from './notify-developers.ts'

const email = 'developers@brand.example'
const fixtures = await openFixtures()
const worker = fixtures.workerContext.pools.test
let id = ''
afterAll(() => fixtures.close())
beforeEach(async () => {
  if (id !== '') await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  id = (await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })).id
  await fixtures.owner.use(connection =>
    nameDevelopers(connection, fixtures.ada.integration, email),
  )
})

let events = 0
const fail = (count: number) =>
  queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || ${(events += count)}::int - n
          from test.webhook_endpoints, generate_series(0, ${count - 1}::int) n where id = ${id}`,
  )
/** Three workers run concurrently; one of them must queue each notification. */
const notify = async () =>
  (await Promise.all([1, 2, 3].map(() => worker.use(queueNotifications))))
    .flat()
    .map(one => one.kind)
const mail = () =>
  queryAsOwner<{ kind: string; sequence: number; facts: string }>(
    fixtures,
    sql`select kind, sequence, facts::text as facts from site.emails
         where subject = ${id} and audience = 'developers' order by sequence`,
  )

test('developers are notified of the first and tenth failed event and of disabling, once each', async () => {
  expect(await notify()).toEqual([])
  await fail(1)
  expect(await notify()).toEqual(['event_failed'])
  for (const count of [1, 7]) {
    await fail(count)
    expect(await notify()).toEqual([])
  }
  await fail(1)
  expect(await notify()).toEqual(['events_failing'])
  await fail(9)
  expect(await notify()).toEqual([])
  await fail(1)
  await worker.use(connection => sweepEndpoints(connection, 'test'))
  expect((await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status).toBe('disabled')
  expect(await notify()).toEqual(['endpoint_disabled'])
  expect(await notify()).toEqual([])
  const rows = await mail()
  expect(rows.map(row => [row.kind, row.sequence])).toEqual([
    ['event_failed', 1],
    ['events_failing', 2],
    ['endpoint_disabled', 3],
  ])
  const host = new URL(endpoint.url).host
  const integration_id = expect.stringMatching(/^int_/)
  expect(rows.map(row => JSON.parse(row.facts))).toEqual(
    [1, 10, 20].map(failed => ({ email, integration_id, mode: 'test', failed, host })),
  )
})

test('developers are notified again when events fail after a success', async () => {
  const kinds: string[] = []
  for (let row = 0; row < 2; row++) {
    await fail(3)
    kinds.push(...(await notify()))
    await queryAsOwner(fixtures, sql`delete from test.failed_events where webhook_endpoint = ${id}`)
  }
  expect(kinds).toEqual(['event_failed', 'event_failed'])
  expect((await mail()).map(row => row.sequence)).toEqual([1, 2])
})

test('developers aren’t notified about an endpoint its owner disabled', async () => {
  await fail(3)
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  expect(await notify()).toEqual(['event_failed'])
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
  expect(await notify()).toEqual([])
})

test('no email is sent without a developers address, and workers cannot read the address', async () => {
  await fixtures.owner.use(connection => nameDevelopers(connection, fixtures.ada.integration, null))
  await fail(1)
  expect(await notify()).toEqual(['event_failed'])
  expect(await mail()).toEqual([])
  for (const denied of [
    sql`select developers_email from auth.integrations`,
    sql`select from site.emails`,
  ]) {
    await expect(worker.use(connection => connection.run(denied))).rejects.toThrow(
      'permission denied',
    )
  }
})
