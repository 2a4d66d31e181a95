// Events to destinations, from the write to the request received by a service that verifies each
// signature.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { destinationKinds, type DestinationKind } from '#contract/preview/destinations.ts'
import { until } from '#http/testing/until.ts'
import { openTestWorker, type TestWorker } from '../deliveries/engine/testing/worker.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { clearEndpoints } from '../testing/valid-calls.ts'
import { bodies, type Cloud, openCloud } from './testing/cloud.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let cloud: Cloud
let worker: TestWorker | undefined
beforeEach(() => void (cloud = openCloud()))
afterEach(async () => {
  await worker?.stop()
  expect(worker?.linesOf('job.failed') ?? []).toEqual([])
  worker = undefined
  await cloud.stop()
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const work = async () => (worker = await openTestWorker(fixtures, { cloudPort: cloud.port }))
const bodyOf = (kind: DestinationKind) =>
  kind === 'kafka' ? bodies.kafka(cloud.port) : bodies[kind]
const create = async (body: object): Promise<string> =>
  (await invokeOk(fixtures, 'createDestination', { body })).id
const trigger = async (type = 'order.shipped.v1'): Promise<string> =>
  (await invokeOk(fixtures, 'triggerWebhook', { body: { type } })).id
const deliveries = async (id: string) =>
  (await invokeOk(fixtures, 'listDeliveries', { id, query: { limit: '100' } })).data
const attemptsOf = async (id: string): Promise<number[]> =>
  (await deliveries(id)).map((one: { attempt: number }) => one.attempt)
const idIn = ({ body }: { body: string }): string => JSON.parse(body).id
const seconds = 3720

describe.each(destinationKinds.filter(kind => kind !== 's3'))('%s', kind => {
  test('receives an event as getEvent returns it, and its delivery is marked delivered', async () => {
    const id = await create(bodyOf(kind))
    const event = await trigger()
    await work()
    await until(() => cloud.arrived().length > 0)
    const [one] = cloud.arrived()
    expect(JSON.parse(one?.body ?? '')).toEqual(
      JSON.parse((await invoke(fixtures, 'getEvent', { id: event })).text),
    )
    await until(async () => (await deliveries(id))[0]?.status === 'delivered')
    expect((await deliveries(id))[0]).toMatchObject({ event, attempt: 1, http_status: 200 })
    const names = one?.names ?? {}
    if (kind === 'eventbridge')
      expect(names).toEqual({ DetailType: 'order.shipped.v1', EventBusName: 'clinic' })
    else if (kind === 'kafka') expect(names['key']).toMatch(/^ord_/)
    else expect(names).toMatchObject({ 'service-event-id': event })
  })

  test('refuses a wrong secret: the attempt fails with its status, and is due again', async () => {
    const body = JSON.stringify(bodyOf(kind))
    const wrong = body
      .replace('the-secret-access-key', 'another-secret-key')
      .replace('c2VjcmV0', 'b3RoZXI=')
      .replace('a-password', 'another')
      .replace('sender@example.com', 'another@example.com')
    const id = await create(JSON.parse(wrong))
    await trigger()
    await work()
    await until(async () => (await deliveries(id))[0]?.attempt === 1)
    const [one] = await deliveries(id)
    expect(one).toMatchObject({ status: 'pending', error: null })
    expect([401, 403]).toContain(one.http_status)
    expect(cloud.arrived()).toEqual([])
  })
})

describe.each(['sqs', 'eventbridge', 'kafka'] as const)('%s', kind => {
  test('only events it didn’t accept are sent again', async () => {
    cloud.takeOnly(({ body }) => !body.includes('case.approved.v1'))
    const id = await create(bodyOf(kind))
    const [taken, other] = [await trigger(), await trigger('case.approved.v1')]
    await work()
    await until(async () => (await attemptsOf(id)).join() === '1,1')
    const byEvent = new Map(
      (await deliveries(id)).map((one: { event: string }) => [one.event, one]),
    )
    expect(byEvent.get(taken)).toMatchObject({ status: 'delivered', error: null })
    expect(byEvent.get(other)).toMatchObject({ status: 'pending', error: 'rejected' })
    cloud.takeOnly(() => true)
    worker?.advance(60)
    await until(() => cloud.arrived().length >= 2)
    expect(cloud.arrived().map(idIn)).toEqual([taken, other])
  })
})

test('a request to SQS has at most ten events, each with its own delivery and resource', async () => {
  const id = await create({ ...bodies.sqs, include_resource: true })
  const written: string[] = []
  for (let at = 0; at < 14; at++) written.push(await trigger())
  await work()
  await until(() => cloud.arrived().length >= 14)
  expect(cloud.requests.length).toBeLessThan(14)
  expect(cloud.arrived().map(idIn).toSorted()).toEqual(written.toSorted())
  for (const { body } of cloud.arrived()) {
    const { resource, data } = JSON.parse(body)
    expect(data.id).toBe(resource.id)
  }
  await until(async () =>
    (await deliveries(id)).every((one: { status: string }) => one.status === 'delivered'),
  )
})

describe('s3', () => {
  test('gets an hour’s events in one object, after the hour', async () => {
    const id = await create(bodies.s3)
    const written: string[] = []
    for (let at = 0; at < 40; at++) written.push(await trigger())
    const started = await work()
    await until(async () => (await deliveries(id)).length >= 40)
    const [first] = await deliveries(id)
    expect(first).toMatchObject({ status: 'pending', attempt: 0 })
    const hour = first.created_at.slice(0, 13)
    const after = Date.parse(first.next_attempt_at) - Date.parse(`${hour}:00:00Z`)
    expect(Math.round(after / 60_000)).toBe(61)
    expect(cloud.requests).toEqual([])
    started.advance(seconds)
    await until(async () =>
      (await deliveries(id)).every((one: { status: string }) => one.status === 'delivered'),
    )
    // There are two objects if the hour ended between the events.
    const objects = cloud.arrived().map(({ path, body }) => {
      const events = body
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      const hours = new Set(events.map(({ created_at }) => created_at.slice(0, 13)))
      expect(hours.size).toBe(1)
      const folder = [...hours].join().replaceAll(/[-T]/g, '/')
      expect(path).toMatch(new RegExp(`^/events/a/${folder}/[0-9a-f]{24}\\.ndjson$`))
      return { folder, ids: events.map(one => one.id) }
    })
    for (const { ids } of objects) expect(ids).toEqual(ids.toSorted())
    expect(new Set(objects.map(({ folder }) => folder)).size).toBe(objects.length)
    expect(objects.flatMap(({ ids }) => ids).toSorted()).toEqual(written)
  }, 30_000)

  test('a redelivery is written immediately, and never overwrites another object', async () => {
    const id = await create(bodies.s3)
    const event = await trigger()
    const started = await work()
    await until(async () => (await deliveries(id)).length >= 1)
    const body = { webhook_endpoint: id }
    await invokeOk(fixtures, 'redeliverEvent', { id: event, body })
    started.wake('webhooks.deliver')
    await until(() => cloud.requests.length >= 1)
    // An unrecorded delivery would be due again when its lease expires.
    await until(async () => (await attemptsOf(id)).join() === '0,1')
    started.advance(seconds)
    await until(() => cloud.requests.length >= 2)
    expect(new Set(cloud.arrived().map(({ path }) => path)).size).toBe(2)
    expect(cloud.arrived().map(idIn)).toEqual([event, event])
  }, 30_000)
})

test('a destination is disabled, replayed to and deleted like an endpoint', async () => {
  const id = await create(bodies.sqs)
  const event = await trigger()
  const started = await work()
  await until(() => cloud.arrived().length >= 1)
  await until(async () => (await deliveries(id))[0]?.status === 'delivered')
  const since = new Date(Date.now() - 60_000).toISOString()
  const replay = { webhook_endpoint: id, since, only: 'all' }
  await invokeOk(fixtures, 'replayEvents', { body: replay })
  const body = { webhook_endpoint: id }
  await invokeOk(fixtures, 'redeliverEvent', { id: event, body })
  started.wake('webhooks.deliver')
  await until(() => cloud.arrived().length >= 2)
  await invokeOk(fixtures, 'updateDestination', { id, body: { status: 'disabled' } })
  const refused = await invoke(fixtures, 'redeliverEvent', { id: event, body })
  expect(refused.code).toBe('endpoint_disabled')
  await invokeOk(fixtures, 'deleteDestination', { id })
  expect((await invoke(fixtures, 'getDestination', { id })).code).toBe('not_found')
})

test('a proxy whose name resolves to a private address at delivery gets no request', async () => {
  const id = await create(bodies.kafka(cloud.port))
  await trigger()
  worker = await openTestWorker(fixtures, { resolve: async () => ['10.0.0.1'] })
  await until(async () => (await deliveries(id))[0]?.attempt === 1)
  expect((await deliveries(id))[0]).toMatchObject({ error: 'blocked_address', http_status: null })
})
