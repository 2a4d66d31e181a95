// Each hour's deliveries are counted once, and charts show the same totals before and after.
import { afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints, endpoint } from '../../testing/valid-calls.ts'
import { countHours } from '../count-hours.ts'
import { ask } from './testing/ask.ts'

const fixtures = useFixtures()
afterEach(() => clearEndpoints(fixtures))

type Written = { id: string; hours: number; status: string; latency?: number }

/** Writes a delivery that was created this many whole hours before the current one. */
const write = ({ id, hours, status, latency }: Written) =>
  queryAsOwner(
    fixtures,
    sql`with written as (
          insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                       redelivery, status, latency_ms, next_attempt_at,
                                       last_attempt_at, created_at)
          select tenant, public.ulid('dlv', at, public.ulid_random()), 'evt_1', tenant,
                 'order.shipped.v1', id, true, ${status}, ${latency ?? null}::int,
                 case when ${status} = 'pending' then at end, at, at
            from test.webhook_endpoints,
                 (select date_trunc('hour', now(), 'UTC') + interval '7 minutes'
                         - ${hours}::int * interval '1 hour' as at) m
           where id = ${id} returning *)
        insert into test.due_deliveries (tenant, delivery, webhook_endpoint, due_at, retry)
        select tenant, id, webhook_endpoint, 'infinity', true from written where status = 'pending'`,
  )

const count = () => fixtures.workerContext.pools.test.use(connection => countHours(connection))

test('an hour is counted once none of its deliveries is pending, and charts stay the same', async () => {
  const [one, other] = [
    (await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })).id,
    (await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })).id,
  ]
  for (const latency of [10, 20, 100, 1000])
    await write({ id: one, hours: 5, status: 'delivered', latency })
  await write({ id: other, hours: 5, status: 'failed', latency: 200 })
  await write({ id: one, hours: 4, status: 'pending' })
  await write({ id: one, hours: 3, status: 'delivered', latency: 10 })
  await write({ id: one, hours: 0, status: 'delivered', latency: 10 })
  const read = async () => [
    await ask(fixtures, 'getDeliveryChart'),
    await ask(fixtures, 'getDeliveryChart', { query: { webhook_endpoint: one } }),
    await ask(fixtures, 'getDeliveryChart', { query: { span: 'week' } }),
    await ask(fixtures, 'listEndpointHealth'),
  ]
  const before = await read()
  const { bars } = before[0] as { bars: object[] }
  expect(bars.at(-6)).toMatchObject({
    delivered: 4,
    failed: 1,
    pending: 0,
    p50_ms: 100,
    p95_ms: 1000,
  })
  expect(bars.at(-5)).toMatchObject({ delivered: 0, pending: 1, p50_ms: null })

  expect(await count()).toBe(2)
  expect(await count()).toBe(0)
  expect(await read()).toEqual(before)
  // Deliveries of a counted hour aren't read again.
  await queryAsOwner(fixtures, sql`delete from test.deliveries where webhook_endpoint = ${other}`)
  expect(await read()).toEqual(before)

  await queryAsOwner(
    fixtures,
    sql`with gone as (delete from test.due_deliveries where webhook_endpoint = ${one})
        update test.deliveries set status = 'failed', next_attempt_at = null
         where webhook_endpoint = ${one} and status = 'pending'`,
  )
  expect(await count()).toBe(1)
  const [chart] = await read()
  expect((chart as { bars: object[] }).bars.at(-5)).toMatchObject({ failed: 1, pending: 0 })
})
