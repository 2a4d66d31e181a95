// Who is told that events do not arrive, of what, and how often.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { nameDevelopers } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../../testing/call.ts'
import { openFixtures } from '../../testing/fixtures.ts'
import { endpoint } from '../../testing/valid-calls.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { sweepEndpoints } from './disable.ts'
import { tellFailures } from './notify-developers.ts'

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
/** Several workers look at once; each thing is told by one of them. */
const tell = async () =>
  (await Promise.all([1, 2, 3].map(() => worker.use(tellFailures)))).flat().map(one => one.kind)
const mail = () =>
  queryAsOwner<{ kind: string; sequence: number; facts: string }>(
    fixtures,
    sql`select kind, sequence, facts::text as facts from site.emails
         where subject = ${id} and audience = 'developers' order by sequence`,
  )

test('the first, the tenth and the disabling are told, each once; the rest is not', async () => {
  expect(await tell()).toEqual([])
  await fail(1)
  expect(await tell()).toEqual(['event_failed'])
  for (const count of [1, 7]) {
    await fail(count)
    expect(await tell()).toEqual([])
  }
  await fail(1)
  expect(await tell()).toEqual(['events_failing'])
  await fail(9)
  expect(await tell()).toEqual([])
  await fail(1)
  await worker.use(sweepEndpoints)
  expect((await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status).toBe('disabled')
  expect(await tell()).toEqual(['endpoint_disabled'])
  expect(await tell()).toEqual([])
  const rows = await mail()
  expect(rows.map(row => [row.kind, row.sequence])).toEqual([
    ['event_failed', 1],
    ['events_failing', 2],
    ['endpoint_disabled', 3],
  ])
  expect(rows.map(row => JSON.parse(row.facts))).toEqual(
    [1, 10, 20].map(failed => ({ email, mode: 'test', failed, host: new URL(endpoint.url).host })),
  )
})

test('a row that ended is told of anew when the next begins', async () => {
  const told: string[] = []
  for (let row = 0; row < 2; row++) {
    await fail(3)
    told.push(...(await tell()))
    await queryAsOwner(fixtures, sql`delete from test.failed_events where webhook_endpoint = ${id}`)
  }
  expect(told).toEqual(['event_failed', 'event_failed'])
  expect((await mail()).map(row => row.sequence)).toEqual([1, 2])
})

test('an endpoint that its owner disabled is not told to have been disabled', async () => {
  await fail(3)
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
  expect(await tell()).toEqual(['event_failed'])
  await invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
  expect(await tell()).toEqual([])
})

test('where nobody is named nobody is told, and no role but ours reads who is', async () => {
  await fixtures.owner.use(connection => nameDevelopers(connection, fixtures.ada.integration, null))
  await fail(1)
  expect(await tell()).toEqual(['event_failed'])
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
