// How an integration's endpoints responded in the last day.

import { afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints, endpoint } from '../../testing/valid-calls.ts'
import { ask } from './testing/ask.ts'

const fixtures = useFixtures()
afterEach(() => clearEndpoints(fixtures))

const listen = async (): Promise<string> =>
  (await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })).id

/** Writes a delivery to an endpoint, this many hours old and attempted a minute later. */
const write = (id: string, hours: number, status: 'delivered' | 'failed' | 'pending') =>
  queryAsOwner<{ last: string }>(
    fixtures,
    sql`insert into test.deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                                     redelivery, status, next_attempt_at, last_attempt_at, created_at)
        select tenant, ulid('dlv', at, public.ulid_random()), 'evt_1', tenant, 'order.shipped.v1', id,
               true, ${status}, case when ${status} = 'pending' then at end,
               at + interval '1 minute', at
          from test.webhook_endpoints,
               (select date_trunc('milliseconds', now()) - ${hours}::float8 * interval '1 hour' as at) m
         where id = ${id}
        returning iso(last_attempt_at) as last`,
  )

test('endpoint health counts 24 hours of deliveries and consecutive failures, per endpoint', async () => {
  const [one, other, quiet] = [await listen(), await listen(), await listen()]
  const statuses = ['delivered', 'delivered', 'failed', 'pending', 'pending', 'pending'] as const
  for (const [at, status] of statuses.entries()) await write(one, 23 - at, status)
  const [{ last } = { last: '' }] = await write(one, 0.5, 'delivered')
  await write(one, 24.5, 'failed')
  await write(other, 25, 'delivered')
  await queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, 2) n
         where id = ${one}`,
  )
  const none = { failures: 0, delivered: 0, failed: 0, pending: 0, last_attempt_at: null }
  const { data } = await ask(fixtures, 'listEndpointHealth')
  expect(data).toEqual([
    { id: one, failures: 2, delivered: 3, failed: 1, pending: 3, last_attempt_at: last },
    { id: other, ...none },
    { id: quiet, ...none },
  ])
  const { integration } = fixtures.ben
  expect((await ask(fixtures, 'listEndpointHealth', { integration })).data).toEqual([])
})
