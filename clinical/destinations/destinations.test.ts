// Creates, reads, updates and deletes destinations. No operation returns a secret.

import { afterEach, describe, expect, test } from 'bun:test'
import { destinationKinds } from '#contract/preview/destinations.ts'
import { sql } from '#database/sql.ts'
import { expectFaults, queryAsOwner, unknownId } from '../testing/assertions.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'
import { bodies } from './testing/cloud.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  await clearEndpoints(fixtures)
})

const create = (body: object) => invokeOk(fixtures, 'createDestination', { body })
const faultsOf = (settings: object) =>
  expectFaults(fixtures, 'createDestination', { body: { event_types: ['*'], ...settings } })
const kafka = {
  ...bodies.kafka(8443).kafka,
  url: 'https://proxy.brand.example:8443/',
}

describe('destinations 200', () => {
  test.each([
    ['sqs', bodies.sqs, 'https://sqs.us-east-1.amazonaws.com/123456789012/events'],
    ['eventbridge', bodies.eventbridge, 'https://events.us-east-1.amazonaws.com/'],
    [
      'pubsub',
      bodies.pubsub,
      'https://pubsub.googleapis.com/v1/projects/example-project/topics/events:publish',
    ],
    ['event_hubs', bodies.event_hubs, 'https://example-ns.servicebus.windows.net/events/messages'],
    ['kafka', { kafka, event_types: ['*'] }, 'https://proxy.brand.example:8443/topics/events'],
    ['s3', bodies.s3, 'https://s3.us-east-1.amazonaws.com/events/a/'],
  ] as const)('%s: returns its settings without the secret', async (kind, body, url) => {
    const made = await create(body)
    expect(made).toMatchObject({ kind, url, status: 'enabled', include_resource: false })
    for (const other of destinationKinds)
      expect([other, made[other] === null]).toEqual([other, other !== kind])
    expect(await invokeOk(fixtures, 'getDestination', { id: made.id })).toEqual(made)
    expect((await invokeOk(fixtures, 'listDestinations')).data).toEqual([made])
    const [stored] = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select w::text || (select string_agg(k::text, '') from test.idempotency_keys k) as row
            from test.webhook_endpoints w where id = ${made.id}`,
    )
    const secret = /secret-access-key|a-password|c2VjcmV0|PRIVATE KEY/
    expect(`${JSON.stringify(made)} ${stored?.row}`).not.toMatch(secret)
    expect(stored?.row).toContain('sealed.')
  })

  test('updateDestination replaces settings as a whole, and keeps omitted fields', async () => {
    const made = await create(bodies.sqs)
    const sqs = { ...bodies.sqs.sqs, queue: 'others' }
    const { secret_access_key: _, ...open } = sqs
    const changed = await invokeOk(fixtures, 'updateDestination', { id: made.id, body: { sqs } })
    const url = 'https://sqs.us-east-1.amazonaws.com/123456789012/others'
    expect(changed).toEqual({ ...made, sqs: open, url, updated_at: changed.updated_at })
    const body = { event_types: ['case.approved.v1'], description: 'B' }
    const renamed = await invokeOk(fixtures, 'updateDestination', { id: made.id, body })
    expect(renamed).toEqual({ ...changed, ...body, updated_at: renamed.updated_at })
  })

  test('endpoint operations don’t find destinations, and destination operations don’t find endpoints', async () => {
    const { id } = await create(bodies.sqs)
    const other = await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
    expect((await invokeOk(fixtures, 'listWebhookEndpoints')).data).toHaveLength(1)
    expect((await invokeOk(fixtures, 'listDestinations')).data).toHaveLength(1)
    const body = { description: 'C' }
    for (const [operation, options] of [
      ['getWebhookEndpoint', { id }],
      ['updateWebhookEndpoint', { id, body }],
      ['rotateWebhookSecret', { id }],
      ['deleteWebhookEndpoint', { id }],
      ['getDestination', { id: other.id }],
      ['updateDestination', { id: other.id, body }],
      ['deleteDestination', { id: other.id }],
      ['getDestination', { id: unknownId('we') }],
    ] as const) {
      expect([operation, (await invoke(fixtures, operation, options)).code]).toEqual([
        operation,
        'not_found',
      ])
    }
    expect((await invokeOk(fixtures, 'listDeliveries', { id })).data).toEqual([])
  })
})

describe('destinations 400', () => {
  test('a destination has exactly one kind, and keeps it', async () => {
    expect(await faultsOf({})).toEqual([['#', 'required']])
    expect(await faultsOf({ ...bodies.sqs, ...bodies.s3 })).toEqual([['#/s3', 'not_allowed']])
    const { id } = await create(bodies.sqs)
    const { s3 } = bodies.s3
    const faults = await expectFaults(fixtures, 'updateDestination', { id, body: { s3 } })
    expect(faults).toEqual([['#/s3', 'not_allowed']])
  })

  test('a new address requires the secret again', async () => {
    const { id } = await create(bodies.sqs)
    const { secret_access_key: _, ...sqs } = bodies.sqs.sqs
    const faults = await expectFaults(fixtures, 'updateDestination', { id, body: { sqs } })
    expect(faults).toEqual([['#/sqs/secret_access_key', 'required']])
  })

  test.each([
    [{ sqs: { ...bodies.sqs.sqs, region: 'evil.example' } }, '#/sqs/region'],
    [{ sqs: { ...bodies.sqs.sqs, queue: '../other' } }, '#/sqs/queue'],
    [
      { event_hubs: { ...bodies.event_hubs.event_hubs, namespace: 'a.b' } },
      '#/event_hubs/namespace',
    ],
    [{ s3: { ...bodies.s3.s3, prefix: '../' } }, '#/s3/prefix'],
    [{ pubsub: { ...bodies.pubsub.pubsub, private_key: 'no key' } }, '#/pubsub/private_key'],
  ])('no setting can point to another host or folder: %#', async (settings, pointer) => {
    expect(await faultsOf(settings)).toEqual([[pointer, 'invalid_format']])
  })

  test.each([
    { kafka: { ...kafka, url: 'https://127.0.0.1:8443' } },
    { kafka: { ...kafka, url: 'http://proxy.brand.example' } },
    { kafka: { ...kafka, url: 'https://proxy.brand.example/?a=1' } },
    { s3: { ...bodies.s3.s3, url: 'https://169.254.169.254' } },
  ])('named hosts must be public: %#', async settings => {
    const [kind] = Object.keys(settings)
    expect(await faultsOf(settings)).toEqual([[`#/${kind}/url`, 'unsafe_url']])
  })
})

test('endpoints and destinations share one limit', async () => {
  for (let at = 0; at < 8; at++) {
    await create(bodies.sqs)
    await invokeOk(fixtures, 'createWebhookEndpoint', { body: endpoint })
  }
  const more = await invoke(fixtures, 'createDestination', { body: bodies.sqs })
  expect(more.code).toBe('endpoint_limit_reached')
})
