// The deliveries and events that redeliverEvent and triggerWebhook write. The tests in engine/ show
// that the worker sends them.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eventTypes, resourceOf } from '#contract/events.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures, openFixtures } from '../testing/fixtures.ts'
import { typicalStatuses } from '../sandbox/typical.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'
import { expectFaults, queryAsOwner, expectRefused } from '../testing/assertions.ts'

const fixtures = useFixtures()
let event: { id: string; type: string }
beforeAll(async () => {
  const { id } = await queuedCase(fixtures)
  const { data } = await invokeOk(fixtures, 'listCaseEvents', { id })
  event = data[0]
})
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const create = (event_types: string[], as = fixtures.ada.test): Promise<{ id: string }> =>
  invokeOk(fixtures, 'createWebhookEndpoint', { as, body: { ...endpoint, event_types } })
const disable = (id: string) =>
  invokeOk(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
const redeliver = (body: object = {}) =>
  invokeOk(fixtures, 'redeliverEvent', { id: event.id, body })

describe('redeliverEvent 202', () => {
  test('creates one pending delivery for each enabled endpoint subscribed to the type', async () => {
    const [some, all, other, off] = [
      await create(['case.queued.v1']),
      await create(['*']),
      await create(['order.shipped.v1']),
      await create(['*']),
    ]
    await disable(off.id)
    const { data, has_more } = await redeliver()
    expect(has_more).toBe(false)
    expect(data).toHaveLength(2)
    expect(data.map((one: { webhook_endpoint: string }) => one.webhook_endpoint)).toEqual([
      some.id,
      all.id,
    ])
    for (const one of data) {
      expect(one).toMatchObject({ event: event.id, event_type: event.type, status: 'pending' })
      expect(one).toMatchObject({ attempt: 0, http_status: null, response_body: null, error: null })
      expect(isId(prefixes.delivery, one.id)).toBe(true)
      expect(one.next_attempt_at).toBeString()
      const listed = await invokeOk(fixtures, 'listDeliveries', { id: one.webhook_endpoint })
      expect(listed.data).toEqual([one])
    }
    expect((await invokeOk(fixtures, 'listDeliveries', { id: other.id })).data).toEqual([])
  })

  test('a named endpoint gets a new delivery each time, whatever it subscribes to', async () => {
    const { id } = await create(['order.shipped.v1'])
    const first = await redeliver({ webhook_endpoint: id })
    const again = await redeliver({ webhook_endpoint: id })
    expect([first.data.length, again.data.length]).toEqual([1, 1])
    expect(again.data[0].id > first.data[0].id).toBe(true)
    expect(again.data[0].event).toBe(event.id)
  })

  test('returns an empty list when no endpoint subscribes to the type', async () => {
    await create(['order.shipped.v1'])
    expect(await redeliver()).toEqual({ data: [], has_more: false })
  })

  test('concurrent calls create deliveries with distinct timestamps in ID order', async () => {
    const { id } = await create(['*'])
    await Promise.all(Array.from({ length: 12 }, () => redeliver()))
    const { data } = await invokeOk(fixtures, 'listDeliveries', { id, query: { limit: '100' } })
    const moments = data.map((one: { created_at: string }) => one.created_at)
    expect(moments).toEqual([...new Set(moments)].sort())
    expect(data).toHaveLength(12)
  })
})

describe('redeliverEvent refusals', () => {
  test('409 for a disabled endpoint', async () => {
    const { id } = await create(['*'])
    await disable(id)
    const off = { id: event.id, body: { webhook_endpoint: id } }
    await expectRefused(fixtures, 'redeliverEvent', 'endpoint_disabled', off)
  })
})

describe('an endpoint’s pending deliveries', () => {
  test('disabling the endpoint fails them with endpoint_disabled', async () => {
    const { id } = await create(['*'])
    await redeliver()
    await disable(id)
    const { data } = await invokeOk(fixtures, 'listDeliveries', { id, query: { status: 'failed' } })
    expect(data).toMatchObject([{ error: 'endpoint_disabled', attempt: 0, next_attempt_at: null }])
    expect(await queryAsOwner(fixtures, sql`select from test.due_deliveries`)).toHaveLength(0)
  })

  test('deleting the endpoint fails them with endpoint_deleted and keeps their rows', async () => {
    const { id } = await create(['*'])
    const { data } = await redeliver()
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })
    const rows = await queryAsOwner(
      fixtures,
      sql`select status, error, next_attempt_at from test.deliveries where id = ${data[0].id}`,
    )
    expect([...rows]).toEqual([
      { status: 'failed', error: 'endpoint_deleted', next_attempt_at: null },
    ])
    expect(await queryAsOwner(fixtures, sql`select from test.due_deliveries`)).toHaveLength(0)
  })
})

describe('triggerWebhook 201', () => {
  for (const type of eventTypes) {
    test(`${type}: writes an event about an example resource`, async () => {
      const made = await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
      const kind = resourceOf(type)
      const [previous_status, status] = typicalStatuses[type]
      expect(made).toMatchObject({ type, status, previous_status, mode: 'test' })
      expect(made.resource.type).toBe(kind)
      expect(isId(prefixes[kind], made.resource.id)).toBe(true)
      expect(await invokeOk(fixtures, 'getEvent', { id: made.id })).toEqual(made)
      const since = new Date(Date.parse(made.created_at) - 1).toISOString()
      const query = { since, include_resource: 'true' }
      const { data } = await invokeOk(fixtures, 'listEvents', { query })
      expect(data[0].data).toMatchObject({ id: made.resource.id })
      const again = await invokeOk(fixtures, 'listEvents', { query })
      expect(again.data[0]).toEqual(data[0])
    })
  }

  test('the example resource cannot be read', async () => {
    const { resource } = await invokeOk(fixtures, 'triggerWebhook', {
      body: { type: 'case.queued.v1' },
    })
    await expectRefused(fixtures, 'getCase', 'not_found', { id: resource.id })
  })

  test('charges nothing for any type', async () => {
    for (const type of ['visit.completed.v1', 'charge.created.v1']) {
      await invokeOk(fixtures, 'triggerWebhook', { body: { type } })
    }
    const rows = await queryAsOwner(
      fixtures,
      sql`select from test.charges union all select from live.charges`,
    )
    expect(rows).toHaveLength(0)
  })

  test('writes one event for the named endpoint', async () => {
    const { id } = await create(['patient.created.v1'])
    const body = { type: 'case.approved.v1', webhook_endpoint: id }
    const made = await invokeOk(fixtures, 'triggerWebhook', { body })
    const rows = await queryAsOwner(
      fixtures,
      sql`select id, webhook_endpoint from test.events where id = ${made.id}`,
    )
    expect([...rows]).toEqual([{ id: made.id, webhook_endpoint: id }])
  })
})

describe('triggerWebhook refusals', () => {
  test('400 for an unknown type, 409 for a disabled endpoint', async () => {
    const type = 'case.approved.v1'
    expect(
      await expectFaults(fixtures, 'triggerWebhook', { body: { type: 'case.opened.v1' } }),
    ).toEqual([['#/type', 'not_in_enum']])
    const { id } = await create(['*'])
    await disable(id)
    const body = { type, webhook_endpoint: id }
    await expectRefused(fixtures, 'triggerWebhook', 'endpoint_disabled', { body })
  })
})

test('triggerWebhook and redeliverEvent: 429 names the operation’s own policy', async () => {
  const few = await openFixtures({ quota: 2 })
  const body = { type: 'case.approved.v1' }
  const { id } = await invokeOk(few, 'triggerWebhook', { body })
  await invokeOk(few, 'triggerWebhook', { body })
  const trigger = await expectRefused(few, 'triggerWebhook', 'rate_limited', { body })
  expect(trigger.body.detail).toStartWith('The limit of 60 triggers per 60 seconds was reached.')
  expect(Number(trigger.headers['retry-after'])).toBeLessThanOrEqual(60)
  // Each operation and each integration has its own count.
  await invokeOk(few, 'redeliverEvent', { id })
  await invokeOk(few, 'redeliverEvent', { id })
  const redeliver = await expectRefused(few, 'redeliverEvent', 'rate_limited', { id })
  expect(redeliver.body.detail).toStartWith(
    'The limit of 60 redeliveries per 60 seconds was reached.',
  )
  await invokeOk(few, 'triggerWebhook', { as: few.ben.test, body })
  await invokeOk(few, 'listEvents')
  await few.close()
})
