// A reset also deletes deliveries about the events it deletes. They disappear from the API
// immediately, and from the tables later.

import { afterEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'
import { claim } from '../deliveries/engine/claim.ts'
import { clockOf } from '../deliveries/engine/clock.ts'
import { record } from '../deliveries/engine/record.ts'
import { accepted } from '../jobs/testing/worker.ts'
import { purge } from './purge.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
  await clearEndpoints(fixtures, fixtures.ben.test)
})

const createEndpoint = async (as: string): Promise<string> =>
  (
    await invokeOk(fixtures, 'createWebhookEndpoint', {
      as,
      body: { ...endpoint, event_types: ['*'] },
    })
  ).id
const trigger = (as: string) =>
  invokeOk(fixtures, 'triggerWebhook', { as, body: { type: 'order.shipped.v1' } })
const redeliver = async (as: string, webhook_endpoint: string) => {
  const { id } = await trigger(as)
  await invokeOk(fixtures, 'redeliverEvent', { as, id, body: { webhook_endpoint } })
}
const listed = async (as: string, id: string): Promise<{ status: string }[]> =>
  (await invokeOk(fixtures, 'listDeliveries', { as, id })).data
const stored = (id: string) =>
  queryAsOwner(
    fixtures,
    sql`select d.id, q.delivery as due from test.deliveries d
          full join test.due_deliveries q on q.tenant = d.tenant and q.delivery = d.id
         where coalesce(d.webhook_endpoint, q.webhook_endpoint) = ${id}`,
  )

test('resetSandbox: its deliveries, pending and finished, are gone immediately; others stay', async () => {
  const { ada, ben } = fixtures
  const [ours, bens] = [await createEndpoint(ada.test), await createEndpoint(ben.test)]
  await redeliver(ada.test, ours)
  await redeliver(ada.test, ours)
  await queryAsOwner(
    fixtures,
    sql`with done as (
          update test.deliveries set status = 'delivered', next_attempt_at = null
           where id = (select min(id) from test.deliveries where webhook_endpoint = ${ours})
          returning id)
        delete from test.due_deliveries where delivery in (select id from done)`,
  )
  await redeliver(ben.test, bens)
  const statuses = (await listed(ada.test, ours)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual(['delivered', 'pending'])

  await invokeOk(fixtures, 'resetSandbox')
  expect(await listed(ada.test, ours)).toEqual([])
  expect(await listed(ben.test, bens)).toHaveLength(1)
  expect(await invokeOk(fixtures, 'getWebhookEndpoint', { id: ours })).toMatchObject({
    status: 'enabled',
  })
  await redeliver(ada.test, ours)
  const [fresh] = await listed(ada.test, ours)
  expect(fresh).toMatchObject({ status: 'pending' })

  expect(await stored(ours)).toHaveLength(3)
  expect(await purge(fixtures.workerContext)).toBeGreaterThan(0)
  expect(await listed(ada.test, ours)).toEqual([fresh as { status: string }])
  expect(await stored(ours)).toHaveLength(1)
  expect(await stored(bens)).toHaveLength(1)
})

test('resetSandbox: a delivery is deleted only after the row that makes it due', async () => {
  const id = await createEndpoint(fixtures.ada.test)
  await redeliver(fixtures.ada.test, id)
  await invokeOk(fixtures, 'resetSandbox')
  // A claim has locked the due row, which would stay forever if its delivery were deleted.
  const owner = new SQL(fixtures.database.url, { max: 1 })
  await owner.begin(async held => {
    await held`select from test.due_deliveries where webhook_endpoint = ${id} for update`
    await purge(fixtures.workerContext)
    const rows = await stored(id)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ id: expect.stringMatching(/^dlv_/), due: rows[0]?.id })
  })
  await owner.close()
  await purge(fixtures.workerContext)
  expect(await stored(id)).toEqual([])
})

test('resetSandbox: an attempt running while its delivery is deleted ends unrecorded', async () => {
  const id = await createEndpoint(fixtures.ada.test)
  await redeliver(fixtures.ada.test, id)
  const { pools } = fixtures.workerContext
  const clock = clockOf()
  const [claimed] = await pools.test.use(connection =>
    claim(connection, 'test', clock, { all: 1, slow: 1 }, 'a claim'),
  )
  expect(claimed?.webhook_endpoint).toBe(id)
  if (!claimed) return
  await invokeOk(fixtures, 'resetSandbox')
  expect(await purge(fixtures.workerContext)).toBeGreaterThan(0)
  expect(await stored(id)).toEqual([])
  for (const succeeded of [true, false]) {
    const ended = [{ claimed, attempted: { ...accepted, succeeded } }]
    expect(await pools.test.use(connection => record(connection, clock, ended))).toEqual([null])
  }
  expect(await stored(id)).toEqual([])
})
