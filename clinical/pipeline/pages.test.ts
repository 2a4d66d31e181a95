// Rows that are hidden but not removed yet don't slow a list down, because the list starts after
// them.

import { expect, test } from 'bun:test'
import { noToken } from '#auth/principal.ts'
import { firstIdOf } from '#contract/ids.ts'
import { now } from '#database/clock.ts'
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { listEvents } from '../events/list.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { listDeliveries } from '../deliveries/list.ts'
import { callOf, type ReadSource } from './handler.ts'
import { oldestId, pageOf } from './pages.ts'

const fixtures = useFixtures()
const expired = 3000

type Plan = { Plans?: Plan[]; 'Rows Removed by Filter'?: number }
const removedIn = (plan: Plan): number =>
  (plan['Rows Removed by Filter'] ?? 0) +
  (plan.Plans ?? []).reduce((sum, one) => sum + removedIn(one), 0)

/** Returns how many rows a list reads and discards, as counted by the database. */
async function readInVain(tenant: string, source: ReadSource): Promise<number> {
  if (!('rows' in source)) throw new Error('expected a list with rows')
  return fixtures.context.pools.test.use(async connection => {
    await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
    const [row] = await connection.run<Row & { 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, format json, costs off, timing off) ${source.rows}`,
    )
    connection.tenant = undefined
    if (!row) throw new Error('explain returned no plan')
    return removedIn(row['QUERY PLAN'][0].Plan)
  })
}

/** Inserts rows from 31 days ago, each with an ID for its millisecond. */
const insertExpired = (into: (moment: Statement) => Statement) =>
  queryAsOwner(
    fixtures,
    sql`with x as materialized (
          select now() - interval '31 days' + n * interval '1 ms' as at
            from generate_series(1, ${expired}::int) n)
        ${into(sql`x.at`)}`,
  )

test('a first page, and one after an expired ID, read no expired rows', async () => {
  const { id: endpoint } = await invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: 'https://hooks.brand.example/', event_types: ['patient.created.v1'] },
  })
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const { data } = await invokeOk(fixtures, 'listEvents')
  const { id: event } = data[0]
  await invokeOk(fixtures, 'redeliverEvent', { id: event, body: { webhook_endpoint: endpoint } })
  const [one] = await queryAsOwner<{ tenant: string; own: string }>(
    fixtures,
    sql`select e.tenant::text, d.tenant::text as own from test.events e, test.deliveries d
         where e.id = ${event} and d.event = e.id`,
  )
  if (!one) throw new Error('no delivery was created')
  await insertExpired(
    at => sql`
      insert into test.events (tenant, id, type, resource_type, resource_id, status, created_at)
      select ${one.tenant}::bigint, ulid('evt', ${at}, public.ulid_random()), 'patient.created.v1',
             'patient', 'pat', 'active', ${at} from x`,
  )
  await insertExpired(
    at => sql`
      insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                   redelivery, status, created_at)
      select ${one.own}::bigint, ulid('dlv', ${at}, public.ulid_random()), ${event},
             ${one.tenant}::bigint, 'patient.created.v1', ${endpoint}, true, 'delivered', ${at}
        from x`,
  )
  await queryAsOwner(fixtures, sql`analyze test.events, test.deliveries`)
  const { ada } = fixtures
  const organization = {
    id: ada.organization,
    name: '',
    slug: '',
    kind: '',
    status: '',
    formulary: null,
  }
  const principal = {
    ...noToken,
    credential: ada.testKey,
    integration: ada.integration,
    mode: 'test' as const,
    tenant: one.tenant,
    organization,
    scopes: [],
  }
  const events = callOf<'listEvents'>(principal, { realNow: now() }, () => '')
  const deliveries = callOf<'listDeliveries'>(principal, { realNow: now() }, () => '')
  const before = 'evt_00000000000000000000000000'
  const { context } = fixtures
  for (const input of [{}, { limit: 1 }, { starting_after: before }]) {
    const page = listEvents.find(events, input, context)
    expect([input, await readInVain(one.tenant, page)]).toEqual([input, 0])
  }
  const page = listDeliveries.find(deliveries, { id: endpoint }, context)
  expect(await readInVain(one.tenant, page)).toBe(0)
  // Visible rows are still listed.
  expect((await invokeOk(fixtures, 'listEvents')).data).toEqual(data)
  const query = { starting_after: before }
  expect((await invokeOk(fixtures, 'listEvents', { query })).data).toEqual(data)
  expect((await invokeOk(fixtures, 'listDeliveries', { id: endpoint })).data).toHaveLength(1)
})

test('a list starts an hour before the oldest possibly visible row', () => {
  const at = Date.parse('2026-11-20T15:00:00.000Z')
  const oldest = firstIdOf('evt', Date.parse('2026-10-21T14:00:00.000Z'))
  expect(oldestId({ now: at }, 'evt', 30)).toBe(oldest)
})

test('a page of constants has its last item’s ID if more follow', () => {
  const rows = ['a', 'b', 'c'].map(id => ({ id, item: `"${id}"` }))
  const page = { status: 200, headers: {} }
  const more = { ...page, body: '{"data":["a","b"],"has_more":true}', lastId: 'b' }
  expect(pageOf(rows, 2)).toStrictEqual(more)
  const all = { ...page, body: '{"data":["a","b","c"],"has_more":false}' }
  expect(pageOf(rows, 3)).toStrictEqual(all)
  expect(pageOf([], 3)).toStrictEqual({ ...page, body: '{"data":[],"has_more":false}' })
})
