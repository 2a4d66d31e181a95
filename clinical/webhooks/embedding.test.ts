// Deliveries to a receiver show that, in either mode, an endpoint with include_resource never
// receives more than the key that set its URL could read.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { CallableId } from '#contract/callable.ts'
import { modes } from '#contract/operation.ts'
import type { Scope } from '#contract/scopes.ts'
import { openReceiver, type Receiver } from '#http/testing/receiver.ts'
import { openTestWorker, type TestWorker } from '../deliveries/engine/testing/worker.ts'
import { stepOnce } from '../replays/step.ts'
import { expectRefused } from '../testing/assertions.ts'
import { type CallOptions, invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { nextMoment } from '../testing/replays.ts'
import { clearEndpoints, endpoint } from '../testing/valid-calls.ts'

const fixtures = useFixtures({ allowed: ['127.0.0.1'] })
let receiver: Receiver
let worker: TestWorker
beforeAll(async () => {
  receiver = openReceiver(() => new Response('thanks'))
  worker = await openTestWorker(fixtures, { sendsLive: true })
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))
afterAll(async () => {
  await worker.stop()
  await receiver.stop()
})

describe.each(modes)('in %s mode', mode => {
  const full = () => fixtures.ada[mode]
  const narrow = (...scopes: Scope[]) =>
    fixtures.key({ integration: fixtures.ada.integration, mode, name: 'narrow', scopes })
  const event_types = ['patient.created.v1']
  const url = () => receiver.url()
  const listen = (as: string, more: object = {}) =>
    invokeOk(fixtures, 'createWebhookEndpoint', {
      as,
      body: { ...endpoint, url: url(), event_types, include_resource: true, ...more },
    })
  const createPatient = () => invokeOk(fixtures, 'createPatient', { as: full(), body: rivera })
  const createdEvent = async (patient: string): Promise<{ id: string }> => {
    const { data } = await invokeOk(fixtures, 'listEvents', { as: full(), query: { limit: '100' } })
    return data.find((one: { resource: { id: string } }) => one.resource.id === patient)
  }
  /** Returns the body of the first request that `work` causes. */
  const received = async (work: () => Promise<unknown>) => {
    const before = receiver.received.length
    await work()
    await receiver.waitForRequests(before + 1)
    return JSON.parse(receiver.received[before]?.body ?? '')
  }
  afterEach(() => clearEndpoints(fixtures, full()))

  test('an endpoint embeds what its creator may read', async () => {
    await listen(await narrow('webhooks:manage', 'patients:read'))
    expect((await received(createPatient)).data.first_name).toBe(rivera.first_name)
  })

  test('a narrow key’s endpoint gets no resource, even if a full key resends the event', async () => {
    const key = await narrow('webhooks:manage', 'cases:read')
    const { id } = await listen(key, { event_types: ['case.queued.v1'] })
    const patient = await createPatient()
    const event = await createdEvent(patient.id)
    const sent = await received(() =>
      invokeOk(fixtures, 'redeliverEvent', {
        as: full(),
        id: event.id,
        body: { webhook_endpoint: id },
      }),
    )
    expect([sent.id, sent.data]).toEqual([event.id, undefined])
    const since = await nextMoment(fixtures)
    const { id: later } = await createPatient()
    const replayed = await received(async () => {
      const body = { webhook_endpoint: id, since, only: 'all', event_types }
      await invokeOk(fixtures, 'replayEvents', { as: full(), body })
      await fixtures.workerContext.pools[mode].use(stepOnce)
      worker.wake('webhooks.deliver')
    })
    expect([replayed.resource.id, replayed.data]).toEqual([later, undefined])
  })

  test('after a narrow key redirects an endpoint, only a key that may read can make it embed again', async () => {
    const { id } = await listen(full(), { include_resource: false, url: endpoint.url })
    const key = await narrow('webhooks:manage')
    await invokeOk(fixtures, 'updateWebhookEndpoint', { as: key, id, body: { url: url() } })
    expect((await received(createPatient)).data).toBeUndefined()
    const body = { include_resource: true }
    const refused = await invoke(fixtures, 'updateWebhookEndpoint', { as: key, id, body })
    expect(refused.code).toBe('insufficient_scope')
    await invokeOk(fixtures, 'updateWebhookEndpoint', { as: full(), id, body })
    await invokeOk(fixtures, 'updateWebhookEndpoint', {
      as: key,
      id,
      body: { description: 'Renamed' },
    })
    expect((await received(createPatient)).data.first_name).toBe(rivera.first_name)
  })

  test('a narrow key can’t send anything to an endpoint that embeds', async () => {
    const since = await nextMoment(fixtures)
    const { id: webhook_endpoint } = await listen(full(), { url: endpoint.url })
    const event = await createdEvent((await createPatient()).id)
    const key = await narrow('webhooks:manage', 'test:manage')
    const calls: [CallableId, CallOptions][] = [
      ['updateWebhookEndpoint', { id: webhook_endpoint, body: { url: url() } }],
      ['redeliverEvent', { id: event.id, body: {} }],
      ['redeliverEvent', { id: event.id, body: { webhook_endpoint } }],
      ['replayEvents', { body: { webhook_endpoint, since } }],
      ['replayEvents', { body: { webhook_endpoint, since, event_types } }],
    ]
    if (mode === 'test') {
      calls.push(['triggerWebhook', { body: { type: event_types[0] } }])
      calls.push(['triggerWebhook', { body: { type: event_types[0], webhook_endpoint } }])
    }
    for (const [operation, options] of calls) {
      const { code, body } = await invoke(fixtures, operation, { as: key, ...options })
      expect([operation, code]).toEqual([operation, 'insufficient_scope'])
      expect(body.members.required_scope).toBe('patients:read')
    }
  })

  test('a replay returns a secret only to the same credential, or one with all its permissions', async () => {
    const options = { key: `a-secret-in-${mode}`, body: { ...endpoint, event_types } }
    const first = await invoke(fixtures, 'createWebhookEndpoint', { as: full(), ...options })
    expect(first.body.secret).toStartWith('whsec_')
    const as = await narrow('webhooks:manage')
    const other = await expectRefused(fixtures, 'createWebhookEndpoint', 'idempotency_key_reused', {
      as,
      ...options,
    })
    expect(other.text).not.toContain('whsec_')
    const successor = await fixtures.key({
      integration: fixtures.ada.integration,
      mode,
      name: 'successor',
    })
    for (const key of [full(), successor]) {
      const again = await invoke(fixtures, 'createWebhookEndpoint', { as: key, ...options })
      expect(again.text).toBe(first.text)
    }
  })
})
