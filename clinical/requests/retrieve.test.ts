// One call in the log: the shape of its body, and the events and deliveries it caused.

import { afterEach, describe, expect, test } from 'bun:test'
import { newRequestId } from '#http/http-request.ts'
import { sql } from '#database/sql.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { projectAll } from '../testing/requests.ts'
import { endpoint } from '../testing/valid-calls.ts'
import { withScopes } from '../testing/with-scopes.ts'
import { createRateLimits } from '../pipeline/rate-limits.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { dispatchOnce } from '../deliveries/engine/testing/dispatch.ts'
import { clockOf } from '../deliveries/engine/clock.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const find = async (id: string, as?: string) => {
  await projectAll(fixtures)
  return await invokeOk(fixtures, 'getRequest', as === undefined ? { id } : { id, as })
}

const dispatchAll = ({ workerContext, context }: Fixtures) =>
  workerContext.pools.test.use(connection =>
    dispatchOnce(connection, clockOf(), context.realtime.announce('test')),
  )

describe('request log: the shape of a body', () => {
  test('has the pointer, types and length of each known field', async () => {
    const request = newRequestId()
    const body = { patient: 7, consent_ids: ['a', null], nope: 'PrivateMarker', PrivateMarker: 1 }
    await invoke(fixtures, 'createCase', { body, request })
    const found = await find(request)
    expect(found.status).toBe(400)
    expect(found.body).toEqual({
      fields: [
        { pointer: '#/patient', types: ['number'], length: null },
        { pointer: '#/consent_ids', types: ['array'], length: 2 },
        { pointer: '#/consent_ids/*', types: ['null', 'string'], length: null },
      ],
      unknown_fields: 2,
    })
    expect(JSON.stringify(found)).not.toContain('PrivateMarker')
  })

  test('is null for a read, and for a call refused before its body was read', async () => {
    const [read, limited] = [newRequestId(), newRequestId()]
    await invokeOk(fixtures, 'listPatients', { request: read })
    const tight = { ...fixtures, context: { ...fixtures.context, limiter: createRateLimits(1) } }
    await invokeOk(tight, 'listPatients')
    await invoke(tight, 'createPatient', { body: rivera, request: limited })
    expect((await find(read)).body).toBeNull()
    expect(await find(limited)).toMatchObject({ status: 429, code: 'rate_limited', body: null })
  })

  test('never contains a patient’s values, in the audit or in the log', async () => {
    await invokeOk(fixtures, 'createPatient', { body: rivera })
    await projectAll(fixtures)
    const rows = await queryAsOwner<{ text: string }>(
      fixtures,
      sql`select shape as text from audit.entries where shape is not null
          union all select to_json(r)::text from test.requests r`,
    )
    expect(rows.length).toBeGreaterThan(5)
    const values = [
      rivera.first_name,
      rivera.last_name,
      rivera.email,
      rivera.phone,
      '1988',
      'Stockton',
    ]
    expect(rows.filter(({ text }) => values.some(value => text.includes(value)))).toEqual([])
  })
})

describe('request log: a call’s effects', () => {
  test('are its events in order, and none for a replay, a read or a refusal', async () => {
    const { id } = await queuedCase(fixtures)
    const [decided, again, refused] = [newRequestId(), newRequestId(), newRequestId()]
    const decide = (request: string, key?: string) =>
      invoke(fixtures, 'decideCase', {
        id,
        body: { decision: 'approve' },
        request,
        ...(key === undefined ? {} : { key }),
      })
    await decide(decided, 'decide')
    await decide(again, 'decide')
    await decide(refused)
    const { events } = await find(decided)
    expect(events.map(({ type }: { type: string }) => type)).toContain('case.approved.v1')
    expect(events.length).toBeGreaterThan(2)
    for (const { id: event, type } of events)
      expect((await invokeOk(fixtures, 'getEvent', { id: event })).type).toBe(type)
    expect(events.map((one: { id: string }) => one.id)).toEqual(
      events.map((one: { id: string }) => one.id).toSorted(),
    )
    expect(await find(again)).toMatchObject({ replayed: true, events: [] })
    expect(await find(refused)).toMatchObject({ code: 'invalid_transition', events: [] })
  })

  test("never show another integration's requests, or another outcome's", async () => {
    const [shared, repeated] = [newRequestId(), newRequestId()]
    for (const as of [fixtures.ada.test, fixtures.ben.test]) {
      await invokeOk(fixtures, 'createPatient', { body: rivera, request: shared, as })
    }
    expect((await find(shared)).events).toHaveLength(1)
    // The row belongs to the refusal, which came first.
    await invoke(fixtures, 'createPatient', { body: {}, request: repeated })
    await invokeOk(fixtures, 'createPatient', { body: rivera, request: repeated })
    expect(await find(repeated)).toMatchObject({ status: 400, events: [] })
  })

  test('include a triggered event', async () => {
    const request = newRequestId()
    const { id } = await invokeOk(fixtures, 'triggerWebhook', {
      body: { type: 'order.shipped.v1' },
      request,
    })
    expect((await find(request)).events).toEqual([{ id, type: 'order.shipped.v1' }])
  })

  test('are its events’ deliveries to each endpoint, with their status', async () => {
    const body = { ...endpoint, event_types: ['patient.created.v1'] }
    const { id: we } = await invokeOk(fixtures, 'createWebhookEndpoint', { body })
    const request = newRequestId()
    await invokeOk(fixtures, 'createPatient', { body: rivera, request })
    await dispatchAll(fixtures)
    const { events, deliveries } = await find(request)
    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^dlv_/),
        event: events[0].id,
        webhook_endpoint: we,
        status: 'pending',
        attempt: 0,
        http_status: null,
        error: null,
        next_attempt_at: expect.any(String),
      },
    ])
    // Redelivering is a different call, which caused that delivery.
    const redeliver = newRequestId()
    await invokeOk(fixtures, 'redeliverEvent', { id: events[0].id, request: redeliver })
    expect((await find(request)).deliveries).toHaveLength(1)
    await withScopes(fixtures, fixtures.ada.integration, ['events:read'], async () => {
      expect(await find(request)).toMatchObject({ events, deliveries: null })
    })
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: we })
    expect((await find(request)).deliveries).toEqual([])
  })

  test('survive a sandbox reset, which removes the events themselves', async () => {
    const as = fixtures.ben.test
    const request = newRequestId()
    await invokeOk(fixtures, 'createPatient', { as, body: rivera, request })
    await projectAll(fixtures)
    await invokeOk(fixtures, 'resetSandbox', { as })
    const { events } = await find(request, as)
    expect(events).toHaveLength(1)
    expect((await invoke(fixtures, 'getEvent', { as, id: events[0].id })).code).toBe('not_found')
  })
})
