// Tests which deliveries are removed after thirty days or a reset.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { purgeDeliveries, purgeResetDeliveries } from './upkeep.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
  await clearEndpoints(fixtures, fixtures.ben.test)
  await queryAsOwner(fixtures, sql`truncate test.deliveries cascade`)
  await queryAsOwner(fixtures, sql`truncate test.due_deliveries`)
  await queryAsOwner(fixtures, sql`update test.tenants set ahead_ms = 0`)
})

const worker = () => fixtures.workerContext.pools.test
const purge = () => purgeDeliveries(fixtures.workerContext, 'test')

let made = 0
/** Writes an integration's finished deliveries of the given age in days. */
async function write(integration: string, days: number, count = 1): Promise<void> {
  await queryAsOwner(
    fixtures,
    sql`insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                     status, created_at)
        select id, 'dlv_' || n, 'evt_' || n, id, 'order.shipped.v1', 'we_1', 'delivered',
               now() - ${days}::float8 * interval '1 day'
          from test.tenants, generate_series(${made + 1}::int, ${(made += count)}::int) n
         where integration = ${integration} and organization is null`,
  )
}
const left = async (integration: string) =>
  (
    await queryAsOwner(
      fixtures,
      sql`select from test.deliveries d join test.tenants t on t.id = d.tenant
           where t.integration = ${integration}`,
    )
  ).length

test('purge: removes all old deliveries in one run', async () => {
  const { integration } = fixtures.ada
  await write(integration, 30.01, 2001)
  expect([await purge(), await left(integration), await purge()]).toEqual([2001, 0, 0])
})

test('purge: finds deliveries older than thirty days behind any number of newer ones', async () => {
  await write(fixtures.ada.integration, 29.99, 1000)
  await write(fixtures.ada.integration, 30.01)
  expect([await purge(), await left(fixtures.ada.integration)]).toEqual([1, 1000])
})

test('purge: skips a delivery another session has locked, without waiting for it', async () => {
  await write(fixtures.ada.integration, 30.01, 2)
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`select from test.deliveries order by id limit 1 for update`)
    expect(await purge()).toBe(1)
    await connection.run(sql`commit`)
  })
  expect(await purge()).toBe(1)
})

test('purge: a sandbox whose clock is ahead loses its own old deliveries, and no other sandbox does', async () => {
  const { ada, ben } = fixtures
  for (const { integration } of [ada, ben]) {
    await write(integration, 0)
    await write(integration, 29.9)
  }
  const counts = async () => [
    await purge(),
    await left(ada.integration),
    await left(ben.integration),
  ]
  const advance = (days: number) =>
    queryAsOwner(
      fixtures,
      sql`update test.tenants set ahead_ms = ${days}::float8 * 86400000
           where integration = ${ada.integration}`,
    )
  await advance(0.09)
  expect(await counts()).toEqual([0, 2, 2])
  await advance(0.11)
  expect(await counts()).toEqual([1, 1, 2])
  await advance(30.01)
  expect(await counts()).toEqual([1, 0, 2])
})

describe('deliveries from reset sandboxes', () => {
  /** Writes deliveries about events in each of an integration's sandboxes, including its reset
   *  sandbox. In each sandbox, one delivery is due, and another has no row yet. */
  async function fill(integration: string, count: number): Promise<void> {
    const sandboxes = sql`
      select own.id as own, s.id as tenant
        from test.tenants own join test.tenants s on s.integration = own.integration
       where own.integration = ${integration} and own.organization is null
         and s.organization is not null and s.emptied_at is null`
    await queryAsOwner(
      fixtures,
      sql`insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                       status, created_at)
          select own, 'dlv_' || tenant || '_' || n, 'evt_' || tenant || '_' || n, tenant,
                 'order.shipped.v1', 'we_1', 'failed', now()
            from (${sandboxes}) x, generate_series(1, ${count}::int) n`,
    )
    await queryAsOwner(
      fixtures,
      sql`insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at, claim, event,
                                           event_tenant, event_type, created_at)
          select own, 'dlv_' || tenant || '_1', 'we_1', now(), null, null, null, null, null
            from (${sandboxes}) x
          union all
          select own, 'dlv_' || tenant || '_0', 'we_1', now(), 'a claim', 'evt_' || tenant || '_0',
                 tenant, 'order.shipped.v1', now()
            from (${sandboxes}) x`,
    )
  }
  const dueOf = (integration: string) =>
    queryAsOwner<{ delivery: string }>(
      fixtures,
      sql`select q.delivery from test.due_deliveries q join test.tenants t on t.id = q.tenant
           where t.integration = ${integration}`,
    )
  const purgeReset = () => worker().use(purgeResetDeliveries)
  beforeEach(async () => {
    await invokeOk(fixtures, 'resetSandbox')
  })
  afterEach(async () => {
    // Marks the sandboxes as emptied, so none is left waiting.
    await queryAsOwner(
      fixtures,
      sql`update test.tenants set emptied_at = now() where retired_at is not null`,
    )
  })

  test('are removed, a thousand per run; other sandboxes lose nothing', async () => {
    const { ada, ben } = fixtures
    await fill(ada.integration, 1001)
    await fill(ben.integration, 1)
    const before = (await left(ada.integration)) - 1001
    expect(await purgeReset()).toEqual({ removed: 1000, areLeft: true })
    expect(await purgeReset()).toEqual({ removed: 1, areLeft: false })
    expect(await purgeReset()).toEqual({ removed: 0, areLeft: false })
    expect([await left(ada.integration), await left(ben.integration)]).toEqual([before, 1])
    expect([(await dueOf(ada.integration)).length, (await dueOf(ben.integration)).length]).toEqual([
      2, 2,
    ])
  })

  test('are skipped if another session has locked them, without waiting', async () => {
    const { integration } = fixtures.ada
    await fill(integration, 2)
    await fixtures.owner.use(async connection => {
      await connection.run(sql`begin`)
      await connection.run(sql`select from test.due_deliveries where event is not null for update`)
      await connection.run(sql`select from test.deliveries where id like 'dlv_%_2' for update`)
      expect(await purgeReset()).toEqual({ removed: 1, areLeft: true })
      await connection.run(sql`commit`)
    })
    expect(await purgeReset()).toEqual({ removed: 1, areLeft: false })
    expect(await dueOf(integration)).toHaveLength(2)
  })
})
