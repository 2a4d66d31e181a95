// Creates, reads, updates and deletes webhook endpoints, and rotates their secrets. Only two
// operations return a secret.

import { afterEach, describe, expect, test } from 'bun:test'
import type { Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { endpoint } from '../testing/valid-calls.ts'
import {
  tableContents,
  expectFaults,
  memberNames,
  queryAsOwner,
  expectRefused,
} from '../testing/assertions.ts'

const fixtures = useFixtures()
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  for (const as of [fixtures.ada.test, fixtures.ben.test]) {
    for (const { id } of (await invokeOk(fixtures, 'listWebhookEndpoints', { as })).data) {
      await invokeOk(fixtures, 'deleteWebhookEndpoint', { as, id })
    }
  }
})

const create = (more: object = {}, as = fixtures.ada.test) =>
  invokeOk(fixtures, 'createWebhookEndpoint', { as, body: { ...endpoint, ...more } })
const secretForm = /^whsec_[0-9A-Za-z]{32}$/
const scoped = (scopes: Scope[]) =>
  fixtures.key({ integration: fixtures.ada.integration, mode: 'test', name: 'scoped', scopes })

describe('webhook endpoints 201 and 200', () => {
  test('createWebhookEndpoint returns the endpoint and its secret, with fields in published order', async () => {
    const made = await create()
    expect(memberNames(made)).toEqual([
      'id',
      'url',
      'event_types',
      'include_resource',
      'description',
      'status',
      'secret',
      'previous_secret_expires_at',
      'disabled_at',
      'created_at',
      'updated_at',
    ])
    expect(made).toMatchObject({ ...endpoint, include_resource: false, status: 'enabled' })
    expect(made.secret).toMatch(secretForm)
  })

  test('no other response contains the secret, and it’s stored encrypted', async () => {
    const key = 'a-registration'
    const options = { body: endpoint, key }
    const first = await invoke(fixtures, 'createWebhookEndpoint', options)
    const { secret, ...rest } = first.body
    expect((await invoke(fixtures, 'createWebhookEndpoint', options)).text).toBe(first.text)
    const { id } = rest
    expect(await invokeOk(fixtures, 'getWebhookEndpoint', { id })).toEqual(rest)
    expect((await invokeOk(fixtures, 'listWebhookEndpoints')).data).toEqual([rest])
    const update = await invokeOk(fixtures, 'updateWebhookEndpoint', {
      id,
      body: { description: 'B' },
    })
    expect(update).not.toHaveProperty('secret')
    const rotated = await invokeOk(fixtures, 'rotateWebhookSecret', { id })
    const dump = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select t::text as row from test.webhook_endpoints t
          union all select t::text from test.idempotency_keys t
          union all select t::text from audit.entries t`,
    )
    for (const one of [secret, rotated.secret]) {
      expect(dump.some(({ row }) => row.includes(one))).toBe(false)
    }
    expect(dump.filter(({ row }) => row.includes('sealed.')).length).toBeGreaterThanOrEqual(3)
  })

  test('every endpoint has its own secret', async () => {
    const made = await Promise.all([create(), create(), create()])
    expect(new Set(made.map(one => one.secret)).size).toBe(3)
  })

  test('rotateWebhookSecret returns a new secret; the old one expires in 24 hours', async () => {
    const made = await create()
    const first = await invokeOk(fixtures, 'rotateWebhookSecret', { id: made.id })
    expect(first.secret).toMatch(secretForm)
    expect(first.secret).not.toBe(made.secret)
    const grace = Date.parse(first.previous_secret_expires_at) - Date.parse(first.updated_at)
    expect(Math.round(grace / 3_600_000)).toBe(24)
    const again = await invokeOk(fixtures, 'rotateWebhookSecret', { id: made.id })
    expect(again.secret).not.toBe(first.secret)
    await queryAsOwner(
      fixtures,
      sql`update test.webhook_endpoints set previous_secret_expires_at = now() - interval '1 ms' where id = ${made.id}`,
    )
    const after = await invokeOk(fixtures, 'getWebhookEndpoint', { id: made.id })
    expect(after.previous_secret_expires_at).toBeNull()
  })

  test('updateWebhookEndpoint keeps omitted fields and sets updated_at', async () => {
    const { secret: _, ...made } = await create()
    const body = { url: 'https://public.brand.example:8443/x?y=1', event_types: ['*'] }
    const changed = await invokeOk(fixtures, 'updateWebhookEndpoint', { id: made.id, body })
    expect(changed).toEqual({ ...made, ...body, updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    const same = await invokeOk(fixtures, 'updateWebhookEndpoint', { id: made.id, body })
    expect(same).toEqual(changed)
    const cleared = { description: null }
    expect(
      await invokeOk(fixtures, 'updateWebhookEndpoint', { id: made.id, body: cleared }),
    ).toMatchObject(cleared)
  })

  test('disabling sets disabled_at; enabling clears it', async () => {
    const { id } = await create()
    const off = await invokeOk(fixtures, 'updateWebhookEndpoint', {
      id,
      body: { status: 'disabled' },
    })
    expect(off).toMatchObject({ status: 'disabled', disabled_at: off.updated_at })
    const on = await invokeOk(fixtures, 'updateWebhookEndpoint', {
      id,
      body: { status: 'enabled' },
    })
    expect(on).toMatchObject({ status: 'enabled', disabled_at: null })
  })

  test('deleting an endpoint removes its queue and its secrets', async () => {
    const { id } = await create()
    expect(await invokeOk(fixtures, 'deleteWebhookEndpoint', { id })).toEqual({ id, deleted: true })
    await expectRefused(fixtures, 'getWebhookEndpoint', 'not_found', { id })
    for (const table of [sql`webhook_endpoints`, sql`endpoint_queues`]) {
      expect(await queryAsOwner(fixtures, sql`select from test.${table}`)).toHaveLength(0)
    }
  })

  test('endpoints survive resetSandbox', async () => {
    const { secret: _, ...made } = await create()
    await invokeOk(fixtures, 'resetSandbox')
    expect((await invokeOk(fixtures, 'listWebhookEndpoints')).data).toEqual([made])
  })

  test('a host that doesn’t resolve yet is accepted, because every attempt resolves it again', async () => {
    expect(await create({ url: 'https://soon.brand.example/' })).toMatchObject({
      status: 'enabled',
    })
  })
})

describe('webhook endpoints 400', () => {
  // clinical/webhooks/addresses.test.ts tests every form of address.
  test.each([
    ['nonsense', 'must be a valid https URL'],
    ['http://hooks.brand.example/', 'must begin with https://'],
    ['https://user:pass@hooks.brand.example/', 'must not contain credentials'],
    ['https://hooks.brand.example/#part', 'must not contain a fragment'],
    ['https://hooks.brand.example:22/', 'must use port 443'],
    ['https://hooks.brand.example\\', 'must not contain spaces or backslashes'],
    ['https://hooks.brand.example./', 'must not end its host with a dot'],
    [`https://${'a'.repeat(64)}.example/`, 'must have a host whose labels'],
    ['https://localhost/', 'must not name a host on a private network'],
    ['https://2130706433/', 'must not resolve to a private address'],
    ['https://[::ffff:10.0.0.1]/', 'must not resolve to a private address'],
    ['https://inside.brand.example/', 'must not resolve to a private address'],
  ])('refuses the url %s as unsafe_url, and says why', async (url, reason) => {
    const { id } = await create()
    for (const [operation, options] of [
      ['createWebhookEndpoint', { body: { ...endpoint, url } }],
      ['updateWebhookEndpoint', { id, body: { url } }],
    ] as const) {
      const { body, code } = await invoke(fixtures, operation, options)
      expect(code).toBe('invalid_request')
      expect(body.errors).toEqual([
        { pointer: '#/url', code: 'unsafe_url', message: expect.stringContaining(`url ${reason}`) },
      ])
    }
  })

  test('refuses * together with another event type', async () => {
    const body = { ...endpoint, event_types: ['*', 'case.approved.v1'] }
    expect(await expectFaults(fixtures, 'createWebhookEndpoint', { body })).toEqual([
      ['#/event_types', 'not_allowed'],
    ])
  })

  test.each([
    [[], 'too_few', '#/event_types'],
    [['case.opened.v1'], 'not_in_enum', '#/event_types/0'],
    [['case.approved.v1', 'case.approved.v1'], 'not_unique', '#/event_types/1'],
  ])('refuses event_types %j', async (event_types, code, pointer) => {
    const body = { ...endpoint, event_types }
    expect(await expectFaults(fixtures, 'createWebhookEndpoint', { body })).toEqual([
      [pointer, code],
    ])
  })

  test('a replay succeeds even if the url has become unsafe since', async () => {
    const options = { body: { ...endpoint, url: 'https://public.brand.example/' }, key: 'moved-in' }
    const first = await invoke(fixtures, 'createWebhookEndpoint', options)
    const webhooks = {
      ...fixtures.context.webhooks,
      vetUrl: async () => 'url must not resolve to a private address.',
    }
    const context = { ...fixtures.context, webhooks }
    const replay = await invoke({ ...fixtures, context }, 'createWebhookEndpoint', options)
    expect([replay.status, replay.text]).toEqual([201, first.text])
    const other = await invoke({ ...fixtures, context }, 'createWebhookEndpoint', {
      body: endpoint,
    })
    expect(other.body.errors).toMatchObject([{ pointer: '#/url', code: 'unsafe_url' }])
  })
})

describe('webhook endpoints 403: include_resource requires the read scopes of the embedded resources', () => {
  test.each<[Scope[], string[], Scope | null]>([
    [[], ['case.approved.v1'], 'cases:read'],
    [['cases:read'], ['case.approved.v1'], null],
    [['cases:read'], ['case.approved.v1', 'patient.created.v1'], 'patients:read'],
    [['cases:read', 'patients:read'], ['*'], 'visits:read'],
    [['cases:read', 'patients:read', 'visits:read', 'billing:read'], ['*'], null],
  ])('a key with %j, for events %j', async (scopes, event_types, missing) => {
    const as = await scoped(['webhooks:manage', ...scopes])
    const body = { ...endpoint, event_types, include_resource: true }
    const { id } = await create({ event_types })
    for (const [operation, options] of [
      ['createWebhookEndpoint', { as, body }],
      ['updateWebhookEndpoint', { as, id, body: { include_resource: true } }],
    ] as const) {
      if (missing === null) {
        expect((await invokeOk(fixtures, operation, options)).include_resource).toBe(true)
        continue
      }
      const { body: problem } = await expectRefused(
        fixtures,
        operation,
        'insufficient_scope',
        options,
      )
      expect(problem.members.required_scope).toBe(missing)
    }
  })

  test('updates to other fields require no read scopes', async () => {
    const { id } = await create({ include_resource: true })
    const as = await scoped(['webhooks:manage'])
    const body = { description: 'Renamed' }
    expect(await invokeOk(fixtures, 'updateWebhookEndpoint', { as, id, body })).toMatchObject(body)
    await expectRefused(fixtures, 'updateWebhookEndpoint', 'insufficient_scope', {
      as,
      id,
      body: { event_types: ['order.failed.v1'] },
    })
  })
})

describe('webhook endpoints 409', () => {
  test('an integration has at most 16 endpoints in a mode, even with concurrent calls', async () => {
    const all = await Promise.all(
      Array.from({ length: 24 }, () =>
        invoke(fixtures, 'createWebhookEndpoint', { body: endpoint }),
      ),
    )
    const codes = all.map(one => one.code)
    expect(codes.filter(code => code === null)).toHaveLength(16)
    expect(codes.filter(code => code === 'endpoint_limit_reached')).toHaveLength(8)
    const before = await tableContents(fixtures)
    await expectRefused(fixtures, 'createWebhookEndpoint', 'endpoint_limit_reached', {
      body: endpoint,
    })
    expect(await tableContents(fixtures)).toEqual(before)
    expect((await create({}, fixtures.ben.test)).status).toBe('enabled')
    const { data } = await invokeOk(fixtures, 'listWebhookEndpoints', { query: { limit: '100' } })
    await invokeOk(fixtures, 'deleteWebhookEndpoint', { id: data[7].id })
    expect((await create()).status).toBe('enabled')
  })
})
