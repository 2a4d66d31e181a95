// What redeliver and trigger queue; that it arrives is proven where the worker is.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eventTypes, resourceOf } from '#contract/events.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { ask, queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { typicalStatuses } from '../sandbox/typical.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'
import { expectFaults, unknownId, queryAsOwner, refused } from '../testing/assertions.ts'

let fixtures: Fixtures
let event: { id: string; type: string }
beforeAll(async () => {
  fixtures = await openFixtures()
  const { id } = await queuedCase(fixtures)
  const { data } = await must(fixtures, 'listCaseEvents', { id })
  event = data[0]
})
afterAll(() => fixtures.close())
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const create = (event_types: string[], as = fixtures.ada.test): Promise<{ id: string }> =>
  must(fixtures, 'createWebhookEndpoint', { as, body: { ...endpoint, event_types } })
const disable = (id: string) =>
  must(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
const redeliver = (body: object = {}) => must(fixtures, 'redeliverEvent', { id: event.id, body })

describe('redeliver, 202', () => {
  test('one pending delivery for each enabled endpoint that subscribes to the type', async () => {
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
      const listed = await must(fixtures, 'listDeliveries', { id: one.webhook_endpoint })
      expect(listed.data).toEqual([one])
    }
    expect((await must(fixtures, 'listDeliveries', { id: other.id })).data).toEqual([])
  })

  test('the one that is named, whatever it subscribes to, again and again', async () => {
    const { id } = await create(['order.shipped.v1'])
    const first = await redeliver({ webhook_endpoint: id })
    const again = await redeliver({ webhook_endpoint: id })
    expect([first.data.length, again.data.length]).toEqual([1, 1])
    expect(again.data[0].id > first.data[0].id).toBe(true)
    expect(again.data[0].event).toBe(event.id)
  })

  test('an empty list when nobody subscribes', async () => {
    await create(['order.shipped.v1'])
    expect(await redeliver()).toEqual({ data: [], has_more: false })
  })

  test('ids ascend across many at once', async () => {
    const { id } = await create(['*'])
    await Promise.all(Array.from({ length: 12 }, () => redeliver()))
    const { data } = await must(fixtures, 'listDeliveries', { id, query: { limit: '100' } })
    const moments = data.map((one: { created_at: string }) => one.created_at)
    expect(moments).toEqual([...new Set(moments)].sort())
    expect(data).toHaveLength(12)
  })
})

describe('redeliver, refused', () => {
  test('404 of an event that never was, or is not ours', async () => {
    const { id } = await create(['*'])
    const body = { webhook_endpoint: id }
    await refused(fixtures, 'redeliverEvent', 'not_found', { id: unknownId('evt'), body })
    await refused(fixtures, 'redeliverEvent', 'not_found', { id: event.id, as: fixtures.ben.test })
  })

  test("400 of an endpoint that is another's; 409 of one that is disabled", async () => {
    const bens = await create(['*'], fixtures.ben.test)
    const asked = { id: event.id, body: { webhook_endpoint: bens.id } }
    expect(await expectFaults(fixtures, 'redeliverEvent', asked)).toEqual([
      ['#/webhook_endpoint', 'unknown_reference'],
    ])
    const { id } = await create(['*'])
    await disable(id)
    const off = { id: event.id, body: { webhook_endpoint: id } }
    await refused(fixtures, 'redeliverEvent', 'endpoint_disabled', off)
  })
})

describe('pending deliveries end with their endpoint', () => {
  test('disabling fails them, and says why', async () => {
    const { id } = await create(['*'])
    await redeliver()
    await disable(id)
    const { data } = await must(fixtures, 'listDeliveries', { id, query: { status: 'failed' } })
    expect(data).toMatchObject([{ error: 'endpoint_disabled', attempt: 0, next_attempt_at: null }])
    expect(await queryAsOwner(fixtures, sql`select from test.due_deliveries`)).toHaveLength(0)
  })

  test('deleting fails them too; the record stays', async () => {
    const { id } = await create(['*'])
    const { data } = await redeliver()
    await must(fixtures, 'deleteWebhookEndpoint', { id })
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

describe('trigger, 201', () => {
  for (const type of eventTypes) {
    test(`${type}: a real event about what never was`, async () => {
      const made = await must(fixtures, 'triggerWebhook', { body: { type } })
      const kind = resourceOf(type)
      const [previous_status, status] = typicalStatuses[type]
      expect(made).toMatchObject({ type, status, previous_status, mode: 'test' })
      expect(made.resource.type).toBe(kind)
      expect(isId(prefixes[kind], made.resource.id)).toBe(true)
      expect(await must(fixtures, 'getEvent', { id: made.id })).toEqual(made)
      const since = new Date(Date.parse(made.created_at) - 1).toISOString()
      const query = { since, include_resource: 'true' }
      const { data } = await must(fixtures, 'listEvents', { query })
      expect(data[0].data).toMatchObject({ id: made.resource.id })
      const again = await must(fixtures, 'listEvents', { query })
      expect(again.data[0]).toEqual(data[0])
    })
  }

  test('its resource is 404', async () => {
    const { resource } = await must(fixtures, 'triggerWebhook', {
      body: { type: 'case.queued.v1' },
    })
    await refused(fixtures, 'getCase', 'not_found', { id: resource.id })
  })

  test('it moves nothing but the tenant: one event, one outbox row, for the one that is named', async () => {
    const { id } = await create(['patient.created.v1'])
    const body = { type: 'case.approved.v1', webhook_endpoint: id }
    const made = await must(fixtures, 'triggerWebhook', { body })
    const rows = await queryAsOwner(
      fixtures,
      sql`select event, webhook_endpoint from test.outbox where event = ${made.id}`,
    )
    expect([...rows]).toEqual([{ event: made.id, webhook_endpoint: id }])
  })
})

describe('trigger, refused', () => {
  test('400 for a type that is none, and an endpoint that is not ours; 409 when disabled', async () => {
    const bens = await create(['*'], fixtures.ben.test)
    const type = 'case.approved.v1'
    expect(
      await expectFaults(fixtures, 'triggerWebhook', { body: { type: 'case.opened.v1' } }),
    ).toEqual([['#/type', 'not_in_enum']])
    const named = { type, webhook_endpoint: bens.id }
    expect(await expectFaults(fixtures, 'triggerWebhook', { body: named })).toEqual([
      ['#/webhook_endpoint', 'unknown_reference'],
    ])
    const { id } = await create(['*'])
    await disable(id)
    const body = { type, webhook_endpoint: id }
    await refused(fixtures, 'triggerWebhook', 'endpoint_disabled', { body })
    const live = await ask(fixtures, 'triggerWebhook', { as: fixtures.ada.live, body: { type } })
    expect([live.status, live.code]).toEqual([403, 'forbidden'])
  })
})

test('429: the sixty-first of a minute, each in words of its own policy', async () => {
  const few = await openFixtures({ quota: 2 })
  const body = { type: 'case.approved.v1' }
  const { id } = await must(few, 'triggerWebhook', { body })
  await must(few, 'triggerWebhook', { body })
  const trigger = await refused(few, 'triggerWebhook', 'rate_limited', { body })
  expect(trigger.body.detail).toStartWith('The limit of 60 triggers per 60 seconds is used up.')
  expect(Number(trigger.headers['retry-after'])).toBeLessThanOrEqual(60)
  // The other has its own count, and so has another integration.
  await must(few, 'redeliverEvent', { id })
  await must(few, 'redeliverEvent', { id })
  const redeliver = await refused(few, 'redeliverEvent', 'rate_limited', { id })
  expect(redeliver.body.detail).toStartWith(
    'The limit of 60 redeliveries per 60 seconds is used up.',
  )
  await must(few, 'triggerWebhook', { as: few.ben.test, body })
  await must(few, 'listEvents')
  await few.close()
})
