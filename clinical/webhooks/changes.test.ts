// Tests changes to one endpoint: the scopes a change requires, its effects, and what it doesn't
// affect.

import { afterEach, expect, test } from 'bun:test'
import type { CallableId } from '#contract/callable.ts'
import type { Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { type CallOptions, invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner } from '../testing/assertions.ts'
import { runIntoLock } from '../testing/races.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const create = async (more: object = {}): Promise<string> =>
  (await invokeOk(fixtures, 'createWebhookEndpoint', { body: { ...endpoint, ...more } })).id
const update = (id: string, body: object) =>
  invokeOk(fixtures, 'updateWebhookEndpoint', { id, body })
const fail = (id: string) =>
  queryAsOwner(
    fixtures,
    sql`insert into test.failed_events (tenant, webhook_endpoint, event)
        select tenant, id, 'evt_' || n from test.webhook_endpoints, generate_series(1, 3) n
         where id = ${id}`,
  )
const failuresOf = async (...ids: string[]) => {
  const rows = await queryAsOwner<{ webhook_endpoint: string }>(
    fixtures,
    sql`select webhook_endpoint from test.failed_events`,
  )
  return ids.map(id => rows.filter(row => row.webhook_endpoint === id).length)
}

test('updateWebhookEndpoint refuses * together with another event type', async () => {
  const id = await create()
  const body = { event_types: ['case.approved.v1', '*'] }
  expect(await expectFaults(fixtures, 'updateWebhookEndpoint', { id, body })).toEqual([
    ['#/event_types', 'not_allowed'],
  ])
  expect((await update(id, { event_types: ['*'] })).event_types).toEqual(['*'])
})

test('owners are emailed about each new destination for live data, and no other change', async () => {
  const { ada } = fixtures
  await queryAsOwner(
    fixtures,
    sql`with owner as (insert into auth.persons (id, email, name)
                       values ('per_owner', 'owner@example.com', 'Ada') returning id),
             viewer as (insert into auth.persons (id, email, name)
                        values ('per_viewer', 'viewer@example.com', 'Ben') returning id)
        insert into auth.members (integration, person, role)
        select ${ada.integration}, id, 'owner' from owner
        union all select ${ada.integration}, id, 'viewer' from viewer`,
  )
  const emails = async () => {
    const rows = await queryAsOwner<{ facts: Record<string, unknown> }>(
      fixtures,
      sql`select facts from site.emails where kind = 'live_destination_added' order by id`,
    )
    return rows.map(({ facts }) => [facts['email'], facts['host'], facts['includes_resource']])
  }
  const as = ada.live
  const { id } = await invokeOk(fixtures, 'createWebhookEndpoint', { as, body: endpoint })
  const change = (body: object) => invokeOk(fixtures, 'updateWebhookEndpoint', { as, id, body })
  const { host } = new URL(endpoint.url)
  expect(await emails()).toEqual([['owner@example.com', host, false]])
  await change({ url: endpoint.url })
  await change({ description: 'A receiver' })
  await change({ status: 'disabled' })
  await create()
  expect(await emails()).toHaveLength(1)
  await change({ url: 'https://elsewhere.example.com/hooks', include_resource: true })
  expect((await emails()).at(-1)).toEqual(['owner@example.com', 'elsewhere.example.com', true])
})

test('an endpoint that embeds no resource requires no read scope', async () => {
  const scopes: Scope[] = ['webhooks:manage']
  const { integration } = fixtures.ada
  const as = await fixtures.key({ integration, mode: 'test', name: 'scoped', scopes })
  const embedding = await create({ include_resource: true })
  const event_types = ['order.failed.v1']
  const calls: [CallableId, CallOptions][] = [
    ['createWebhookEndpoint', { body: endpoint }],
    ['createWebhookEndpoint', { body: { ...endpoint, include_resource: false } }],
    ['updateWebhookEndpoint', { id: await create(), body: { event_types } }],
    ['updateWebhookEndpoint', { id: embedding, body: { include_resource: false, event_types } }],
  ]
  for (const [operation, options] of calls) {
    const answer = await invokeOk(fixtures, operation, { ...options, as })
    expect(answer.include_resource).toBe(false)
  }
})

test('the second of two concurrent changes that together need a scope is refused', async () => {
  const scopes: Scope[] = ['webhooks:manage', 'cases:read']
  const { integration } = fixtures.ada
  const as = await fixtures.key({ integration, mode: 'test', name: 'one of two', scopes })
  const id = await create({ event_types: ['case.approved.v1'] })
  // Embedding cases is allowed, and so is subscribing to patients without embedding them.
  const changes = [{ include_resource: true }, { event_types: ['patient.created.v1'] }]
  const answers = await runIntoLock(
    fixtures,
    sql`select from test.webhook_endpoints where id = ${id} for update`,
    changes.map(body => () => invoke(fixtures, 'updateWebhookEndpoint', { as, id, body })),
  )
  expect(answers.map(({ code }) => code)).toEqual([null, 'insufficient_scope'])
})

test('enabling an endpoint resets its own failures; an unchanged status resets none', async () => {
  const [id, other] = [await create(), await create()]
  await fail(id)
  await fail(other)
  await update(id, { status: 'enabled' })
  await update(id, { status: 'enabled', description: 'Renamed' })
  await update(id, { status: 'disabled' })
  await update(id, { status: 'disabled', description: 'Renamed again' })
  expect(await failuresOf(id, other)).toEqual([3, 3])
  await update(id, { status: 'enabled' })
  expect(await failuresOf(id, other)).toEqual([0, 3])
})

test('deleting an endpoint removes its own failures and its own queue', async () => {
  const [id, other] = [await create(), await create()]
  await fail(id)
  await fail(other)
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
  expect(await failuresOf(id, other)).toEqual([0, 3])
  const queues = await queryAsOwner(
    fixtures,
    sql`select webhook_endpoint from test.endpoint_queues`,
  )
  expect(queues).toEqual([{ webhook_endpoint: other }])
})

test('in a sandbox whose clock is ahead, an old secret expires 24 hours after rotation by that clock', async () => {
  const id = await create()
  const advance = (hours: number) =>
    queryAsOwner(
      fixtures,
      sql`update test.tenants set ahead_ms = ${hours}::float8 * 3600000
           where integration = ${fixtures.ada.integration}`,
    )
  await advance(5)
  const rotated = await invokeOk(fixtures, 'rotateWebhookSecret', { id })
  const grace = Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.updated_at)
  expect(Math.round(grace / 3_600_000)).toBe(24)
  await advance(0)
})
