// The portal pages' reads about webhooks, in a member's session.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk, rivera } from '../../testing/call.ts'
import { useFixtures } from '../../testing/fixtures.ts'
import { clearEndpoints } from '../../testing/valid-calls.ts'
import { purgeDeliveries } from '../engine/upkeep.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { openTestWorker, type TestWorker } from '../engine/testing/worker.ts'
import { ask as askAsOwner } from './testing/ask.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let receiver: Receiver
let testWorker: TestWorker
let answer: () => Response
beforeEach(async () => {
  // Hides the previous test's events and deliveries.
  await invokeOk(fixtures, 'resetSandbox')
  answer = () => new Response('taken', { headers: { 'x-request-id': 'r-1', 'set-cookie': 'a=b' } })
  receiver = openReceiver(() => answer())
  testWorker = await openTestWorker(fixtures)
})
afterEach(async () => {
  await testWorker.stop()
  await receiver.stop()
  await clearEndpoints(fixtures)
})

const ask = (operation: SessionOperationId, asked: Parameters<typeof askAsOwner>[2] = {}) =>
  askAsOwner(fixtures, operation, asked)

const listen = () =>
  invokeOk(fixtures, 'createWebhookEndpoint', {
    body: { url: receiver.url('/hooks'), event_types: ['*'] },
  })
const trigger = (type: string, webhook_endpoint: string) =>
  invokeOk(fixtures, 'triggerWebhook', { body: { type, webhook_endpoint } })
const attempted = (count: number) => testWorker.waitForLines('webhook.attempted', count)

describe('a delivery’s attempts', () => {
  test('are all kept, each with where it went, what was sent, and the response', async () => {
    const { id: endpoint } = await listen()
    answer = () =>
      new Response('not now', {
        status: 503,
        headers: { 'retry-after': '9', location: '/login?token=secret' },
      })
    await trigger('order.shipped.v1', endpoint)
    await attempted(1)
    answer = () => new Response('taken', { headers: { 'set-cookie': 'session=secret' } })
    testWorker.advance(limits.webhookRetrySeconds[1])
    await attempted(2)

    const [listed] = (await ask('listNewestDeliveries')).data
    const delivery = await ask('getDelivery', { id: listed.id })
    expect(delivery).toMatchObject({ ...listed, status: 'delivered', attempt: 2 })
    const sent = receiver.received.map(({ headers }) => headers['service-signature'])
    const where = { url: receiver.url('/hooks'), address: '127.0.0.1' }
    expect(delivery.attempts).toMatchObject([
      {
        attempt: 1,
        ...where,
        signature: sent[0],
        http_status: 503,
        error: null,
        response_body: 'not now',
        response_headers: { 'retry-after': '9', location: '/login' },
      },
      {
        attempt: 2,
        ...where,
        signature: sent[1],
        http_status: 200,
        response_body: 'taken',
        // The name shows that the header was sent; its value is a credential.
        response_headers: { 'set-cookie': null },
      },
    ])
    expect(delivery.body).toBe(receiver.received[0]?.body)
    const { attempts } = delivery
    expect(attempts[1].latency_ms).toBeGreaterThanOrEqual(attempts[1].resolve_ms)
    expect(attempts[1].ended_at).toBe(delivery.last_attempt_at)
  })

  test('have no signature if they didn’t connect, and show the reason', async () => {
    const { id: endpoint } = await listen()
    await receiver.stop()
    await trigger('order.shipped.v1', endpoint)
    await attempted(1)
    const [listed] = (await ask('listNewestDeliveries')).data
    const { attempts } = await ask('getDelivery', { id: listed.id })
    expect(attempts).toMatchObject([
      { attempt: 1, http_status: null, error: 'connection_failed', response_headers: null },
    ])
  })

  test('never store a response in plain text, and are deleted with their delivery', async () => {
    const { id: endpoint } = await listen()
    answer = () => new Response('Jordan Rivera', { headers: { server: 'rivera' } })
    await trigger('order.shipped.v1', endpoint)
    await attempted(1)
    const rows = () =>
      queryAsOwner<{ row: string }>(
        fixtures,
        sql`select a::text as row from test.delivery_attempts a
              join test.deliveries d on d.tenant = a.tenant and d.id = a.delivery
             where d.webhook_endpoint = ${endpoint}`,
      )
    const [stored] = await rows()
    expect(stored?.row).toContain('sealed.')
    expect(stored?.row.toLowerCase()).not.toContain('rivera')
    const [delivery] = (await ask('listNewestDeliveries')).data
    const left = () =>
      queryAsOwner(
        fixtures,
        sql`select from test.delivery_attempts where delivery = ${delivery.id}`,
      )
    expect(await left()).toHaveLength(1)
    await queryAsOwner(
      fixtures,
      sql`update test.deliveries set created_at = now() - interval '31 days'
           where webhook_endpoint = ${endpoint}`,
    )
    expect((await ask('listNewestDeliveries')).data).not.toContainEqual(delivery)
    await purgeDeliveries(fixtures.workerContext, 'test')
    expect(await left()).toEqual([])
  })

  test('outlive the patient they’re about', async () => {
    await listen()
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    await attempted(1)
    await invokeOk(fixtures, 'deletePatient', { id })
    await attempted(2)
    const { data } = await ask('listNewestDeliveries')
    const [deleted, created] = await Promise.all(
      data.map((one: { id: string }) => ask('getDelivery', { id: one.id })),
    )
    expect([created.event_type, deleted.event_type]).toEqual([
      'patient.created.v1',
      'patient.deleted.v1',
    ])
    expect(created.attempts).toMatchObject([{ http_status: 200, response_body: 'taken' }])
  })

  test('the headers that repeat a delivery are signed with the secret, which isn’t shown', async () => {
    const { id: endpoint, secret } = await listen()
    await trigger('order.shipped.v1', endpoint)
    await attempted(1)
    const [listed] = (await ask('listNewestDeliveries')).data
    const delivery = await ask('getDelivery', { id: listed.id })
    const header = delivery.headers['service-signature']
    const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
    const own = new Bun.CryptoHasher('sha256', secret).update(`${t}.${delivery.body}`).digest('hex')
    expect(v1).toBe(own)
    // The signature's timestamp is current.
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.stringify(delivery)).not.toContain('whsec_')
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: endpoint })
    expect(await ask('getDelivery', { id: listed.id })).toMatchObject({ headers: null, url: null })
  })
})

test('deliveries are filtered by endpoint, status, type, event and time, newest first', async () => {
  const [one, other] = [await listen(), await listen()]
  const event = await trigger('order.shipped.v1', one.id)
  await attempted(1)
  answer = () => new Response('no', { status: 500 })
  await trigger('case.approved.v1', other.id)
  await attempted(2)
  await invokeOk(fixtures, 'redeliverEvent', {
    id: event.id,
    body: { webhook_endpoint: other.id },
  })
  await attempted(3)
  const found = async (query: Record<string, string>) =>
    (await ask('listNewestDeliveries', { query })).data.map(
      (each: { webhook_endpoint: string; status: string; redelivery: boolean }) =>
        `${each.webhook_endpoint === one.id ? 'one' : 'other'} ${each.status}${each.redelivery ? ' again' : ''}`,
    )
  const all = ['other pending again', 'other pending', 'one delivered']
  expect(await found({})).toEqual(all)
  expect(await found({ webhook_endpoint: other.id })).toEqual(all.slice(0, 2))
  expect(await found({ status: 'delivered' })).toEqual(['one delivered'])
  expect(await found({ status: 'pending' })).toEqual(all.slice(0, 2))
  expect(await found({ status: 'pending', webhook_endpoint: one.id })).toEqual([])
  expect(await found({ event_type: 'case.approved.v1' })).toEqual(['other pending'])
  expect(await found({ event: event.id })).toEqual(['other pending again', 'one delivered'])
  expect(await found({ event: event.id, status: 'delivered' })).toEqual(['one delivered'])
  expect(await found({ since: '2100-01-01T00:00:00Z' })).toEqual([])
  expect(await found({ until: '2020-01-01T00:00:00Z', status: 'pending' })).toEqual([])
  const [, second] = (await ask('listNewestDeliveries')).data
  expect(await found({ until: second.created_at })).toEqual(['one delivered'])
  expect(await found({ since: second.created_at })).toEqual(all.slice(0, 2))
  expect(await found({ before: second.id })).toEqual(['one delivered'])
  expect(await found({ before: second.id, status: 'delivered' })).toEqual(['one delivered'])
  expect(await found({ after: second.id })).toEqual(['other pending again'])
  await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: one.id })
  expect(await found({ status: 'delivered' })).toEqual(['one delivered'])
  expect(
    (await ask('listNewestDeliveries', { integration: fixtures.ben.integration })).data,
  ).toEqual([])
})

test('a chart has a bar per hour, with outcomes and latency, for one endpoint or all', async () => {
  const [one, other] = [await listen(), await listen()]
  await trigger('order.shipped.v1', one.id)
  await attempted(1)
  answer = () => new Response('no', { status: 500 })
  await trigger('order.shipped.v1', other.id)
  await attempted(2)
  type Bar = Record<'delivered' | 'pending' | 'failed' | 'p50_ms' | 'p95_ms', number>
  const sumOf = (bars: Bar[], name: keyof Bar) => bars.reduce((sum, bar) => sum + bar[name], 0)
  const { bars } = await ask('getDeliveryChart')
  expect(bars).toHaveLength(24)
  expect([sumOf(bars, 'delivered'), sumOf(bars, 'pending'), sumOf(bars, 'failed')]).toEqual([
    1, 1, 0,
  ])
  expect(sumOf(bars, 'p95_ms')).toBeGreaterThanOrEqual(sumOf(bars, 'p50_ms'))
  expect(bars[0]).toMatchObject({ delivered: 0, pending: 0, failed: 0, p50_ms: null })
  const own = await ask('getDeliveryChart', { query: { span: 'week', webhook_endpoint: other.id } })
  expect(own.bars).toHaveLength(7)
  expect([sumOf(own.bars, 'delivered'), sumOf(own.bars, 'pending')]).toEqual([0, 1])
})

test('events are filtered by type, resource and time, newest first', async () => {
  const { id } = await listen()
  const shipped = await trigger('order.shipped.v1', id)
  const approved = await trigger('case.approved.v1', id)
  const found = async (query: Record<string, string> = {}) =>
    (await ask('listNewestEvents', { query })).data.map((one: { id: string }) => one.id)
  expect((await found()).slice(0, 2)).toEqual([approved.id, shipped.id])
  expect((await found({ type: 'order.shipped.v1' }))[0]).toBe(shipped.id)
  expect(await found({ resource: approved.resource.id })).toEqual([approved.id])
  expect(await found({ after: shipped.id })).toEqual([approved.id])
  expect((await found({ until: approved.created_at }))[0]).toBe(shipped.id)
})
