// Tests which endpoint is disabled, and which clinic gets the event about the endpoint.

import { afterEach, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints, endpoint } from '../../testing/valid-calls.ts'
import { disableFailing, sweepEndpoints } from './disable.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
  await clearEndpoints(fixtures, fixtures.ben.test)
})

const worker = () => fixtures.workerContext.pools.test
const listen = async (as = fixtures.ada.test): Promise<string> =>
  (await invokeOk(fixtures, 'createWebhookEndpoint', { as, body: endpoint })).id
const fail = (id: string, count: number) =>
  queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, ${count}::int) n
         where id = ${id}`,
  )
/** Returns an integration's tenants at a clinic, including reset sandboxes, oldest first. */
const tenantsOf = async (integration: string) =>
  (
    await queryAsOwner<{ id: string }>(
      fixtures,
      sql`select t.id::text as id from test.tenants t
           where t.integration = ${integration} and t.organization is not null order by t.id`,
    )
  ).map(({ id }) => id)
/** Returns the tenants with an event about the endpoint. */
const tenantsWithEvent = async (id: string) =>
  (
    await queryAsOwner<{ tenant: string }>(
      fixtures,
      sql`select tenant::text as tenant from test.events
           where type = 'webhook_endpoint.disabled.v1' and resource_id = ${id}`,
    )
  ).map(({ tenant }) => tenant)
const disable = async (id: string, event_tenant: string | null) => {
  const [row] = await queryAsOwner<{ own: string }>(
    fixtures,
    sql`select tenant::text as own from test.webhook_endpoints where id = ${id}`,
  )
  const failing = { own: row?.own ?? '', webhook_endpoint: id, event_tenant }
  return worker().use(connection => disableFailing(connection, 'test', failing))
}
const statusOf = async (id: string) =>
  (await invokeOk(fixtures, 'getWebhookEndpoint', { id })).status

test('disable: only the named endpoint that failed twenty times is disabled', async () => {
  const [failing, other, nearly] = [await listen(), await listen(), await listen()]
  await fail(failing, 20)
  await fail(other, 20)
  await fail(nearly, 19)
  expect(await disable(failing, null)).toBe(true)
  expect(await disable(nearly, null)).toBe(false)
  expect([await statusOf(failing), await statusOf(other), await statusOf(nearly)]).toEqual([
    'disabled',
    'enabled',
    'enabled',
  ])
  // One sweep disables the other endpoint, once.
  const sweep = () => worker().use(connection => sweepEndpoints(connection, 'test'))
  expect([await sweep(), await sweep()]).toEqual([1, 0])
  expect([await statusOf(other), await statusOf(nearly)]).toEqual(['disabled', 'enabled'])
})

test('disable: the event belongs to the endpoint’s integration', async () => {
  const id = await listen(fixtures.ben.test)
  await fail(id, 20)
  await disable(id, null)
  expect(await tenantsWithEvent(id)).toEqual(await tenantsOf(fixtures.ben.integration))
})

test('disable: the event belongs to the clinic with the last failed event', async () => {
  const { integration } = fixtures.ada
  const ids = [await listen(), await listen()]
  const organization = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Second Clinic', 'second-clinic'),
  )
  await fixtures.owner.use(connection =>
    grant(connection, { integration, organization, mode: 'test' }),
  )
  const [first = '', second = '', ...others] = await tenantsOf(integration)
  expect(others).toEqual([])
  for (const [at, tenant] of [second, first].entries()) {
    const id = ids[at] ?? ''
    await fail(id, 20)
    await disable(id, tenant)
    expect(await tenantsWithEvent(id)).toEqual([tenant])
  }
  await queryAsOwner(fixtures, sql`delete from auth.grants where organization = ${organization}`)
})

test('disable: after a reset the event belongs to the new sandbox', async () => {
  const id = await listen(fixtures.ben.test)
  const [before = ''] = await tenantsOf(fixtures.ben.integration)
  await invokeOk(fixtures, 'resetSandbox', { as: fixtures.ben.test })
  const [, after = ''] = await tenantsOf(fixtures.ben.integration)
  await fail(id, 20)
  await disable(id, before)
  expect(await tenantsWithEvent(id)).toEqual([after])
})
