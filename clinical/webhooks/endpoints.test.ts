// Endpoints: registered, read, changed, deleted; and their secret, which is said twice in its life.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { ask, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { endpoint } from '../testing/valid-calls.ts'
import {
  contents,
  expectFaults,
  members,
  unknownId,
  queryAsOwner,
  refused,
} from '../testing/assertions.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(async () => {
  expect(fixtures.errors).toEqual([])
  for (const as of [fixtures.ada.test, fixtures.ben.test]) {
    for (const { id } of (await must(fixtures, 'listWebhookEndpoints', { as })).data) {
      await must(fixtures, 'deleteWebhookEndpoint', { as, id })
    }
  }
})

const create = (more: object = {}, as = fixtures.ada.test) =>
  must(fixtures, 'createWebhookEndpoint', { as, body: { ...endpoint, ...more } })
const secretForm = /^whsec_[0-9A-Za-z]{32}$/
const scoped = (scopes: Scope[]) =>
  fixtures.key({ integration: fixtures.ada.integration, mode: 'test', name: 'scoped', scopes })

describe('201 and 200', () => {
  test('a registration answers the endpoint with its secret, in the order of the paper', async () => {
    const made = await create()
    expect(members(made)).toEqual([
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

  test('the secret is said by no other answer, and lies nowhere plainly', async () => {
    const key = 'a-registration'
    const asked = { body: endpoint, key }
    const first = await ask(fixtures, 'createWebhookEndpoint', asked)
    const { secret, ...rest } = first.body
    expect((await ask(fixtures, 'createWebhookEndpoint', asked)).text).toBe(first.text)
    const { id } = rest
    expect(await must(fixtures, 'getWebhookEndpoint', { id })).toEqual(rest)
    expect((await must(fixtures, 'listWebhookEndpoints')).data).toEqual([rest])
    const update = await must(fixtures, 'updateWebhookEndpoint', { id, body: { description: 'B' } })
    expect(update).not.toHaveProperty('secret')
    const rotated = await must(fixtures, 'rotateWebhookSecret', { id })
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

  test('two secrets are never the same', async () => {
    const made = await Promise.all([create(), create(), create()])
    expect(new Set(made.map(one => one.secret)).size).toBe(3)
  })

  test('a rotation answers a new secret and the end of the old one, in 24 hours', async () => {
    const made = await create()
    const first = await must(fixtures, 'rotateWebhookSecret', { id: made.id })
    expect(first.secret).toMatch(secretForm)
    expect(first.secret).not.toBe(made.secret)
    const grace = Date.parse(first.previous_secret_expires_at) - Date.parse(first.updated_at)
    expect(Math.round(grace / 3_600_000)).toBe(24)
    const again = await must(fixtures, 'rotateWebhookSecret', { id: made.id })
    expect(again.secret).not.toBe(first.secret)
    await queryAsOwner(
      fixtures,
      sql`update test.webhook_endpoints set previous_secret_expires_at = now() where id = ${made.id}`,
    )
    const after = await must(fixtures, 'getWebhookEndpoint', { id: made.id })
    expect(after.previous_secret_expires_at).toBeNull()
  })

  test('a change keeps what it does not name, and says when', async () => {
    const { secret: _, ...made } = await create()
    const body = { url: 'https://public.brand.example:8443/x?y=1', event_types: ['*'] }
    const changed = await must(fixtures, 'updateWebhookEndpoint', { id: made.id, body })
    expect(changed).toEqual({ ...made, ...body, updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    const same = await must(fixtures, 'updateWebhookEndpoint', { id: made.id, body })
    expect(same).toEqual(changed)
    const cleared = { description: null }
    expect(
      await must(fixtures, 'updateWebhookEndpoint', { id: made.id, body: cleared }),
    ).toMatchObject(cleared)
  })

  test('disabling says since when; enabling takes that back', async () => {
    const { id } = await create()
    const off = await must(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'disabled' } })
    expect(off).toMatchObject({ status: 'disabled', disabled_at: off.updated_at })
    const on = await must(fixtures, 'updateWebhookEndpoint', { id, body: { status: 'enabled' } })
    expect(on).toMatchObject({ status: 'enabled', disabled_at: null })
  })

  test('a deleted endpoint is gone with its lane and its secrets', async () => {
    const { id } = await create()
    expect(await must(fixtures, 'deleteWebhookEndpoint', { id })).toEqual({ id, deleted: true })
    await refused(fixtures, 'getWebhookEndpoint', 'not_found', { id })
    for (const table of [sql`webhook_endpoints`, sql`endpoint_queues`]) {
      expect(await queryAsOwner(fixtures, sql`select from test.${table}`)).toHaveLength(0)
    }
  })

  test('endpoints belong to the integration, whichever clinic is named', async () => {
    const { id } = await create()
    await refused(fixtures, 'getWebhookEndpoint', 'not_found', { id, as: fixtures.ben.test })
    await refused(fixtures, 'getWebhookEndpoint', 'not_found', { id, as: fixtures.ada.live })
  })

  test('endpoints outlive a reset of the sandbox', async () => {
    const { secret: _, ...made } = await create()
    await must(fixtures, 'resetSandbox')
    expect((await must(fixtures, 'listWebhookEndpoints')).data).toEqual([made])
  })

  test('a name that nobody knows yet is taken: every attempt asks again', async () => {
    expect(await create({ url: 'https://soon.brand.example/' })).toMatchObject({
      status: 'enabled',
    })
  })
})

describe('400', () => {
  // Every form of an address is judged in clinical/webhooks/delivery/addresses.test.ts.
  test.each([
    'http://hooks.brand.example/',
    'https://user:pass@hooks.brand.example/',
    'https://hooks.brand.example:22/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://inside.brand.example/',
  ])('%s may not be called', async url => {
    const { id } = await create()
    for (const [operation, asked] of [
      ['createWebhookEndpoint', { body: { ...endpoint, url } }],
      ['updateWebhookEndpoint', { id, body: { url } }],
    ] as const) {
      const [first] = await expectFaults(fixtures, operation, asked)
      expect(first?.[0]).toBe('#/url')
      expect(['unsafe_url', 'invalid_format']).toContain(first?.[1] ?? '')
    }
  })

  test('every type, and another, contradict each other', async () => {
    const body = { ...endpoint, event_types: ['*', 'case.approved.v1'] }
    expect(await expectFaults(fixtures, 'createWebhookEndpoint', { body })).toEqual([
      ['#/event_types', 'not_allowed'],
    ])
  })

  test.each([
    [[], 'too_few', '#/event_types'],
    [['case.opened.v1'], 'not_in_enum', '#/event_types/0'],
    [['case.approved.v1', 'case.approved.v1'], 'not_unique', '#/event_types/1'],
  ])('types %j', async (event_types, code, pointer) => {
    const body = { ...endpoint, event_types }
    expect(await expectFaults(fixtures, 'createWebhookEndpoint', { body })).toEqual([
      [pointer, code],
    ])
  })

  test('a replay is answered even when the address has become unsafe since', async () => {
    const asked = { body: { ...endpoint, url: 'https://public.brand.example/' }, key: 'moved-in' }
    const first = await ask(fixtures, 'createWebhookEndpoint', asked)
    const webhooks = {
      ...fixtures.context.webhooks,
      vetUrl: async () => 'url must not resolve to a private address.',
    }
    const context = { ...fixtures.context, webhooks }
    const replay = await ask({ ...fixtures, context }, 'createWebhookEndpoint', asked)
    expect([replay.status, replay.text]).toEqual([201, first.text])
    const other = await ask({ ...fixtures, context }, 'createWebhookEndpoint', { body: endpoint })
    expect(other.body.errors).toMatchObject([{ pointer: '#/url', code: 'unsafe_url' }])
  })
})

describe('403: embedding needs the read scopes of what is embedded', () => {
  test.each<[Scope[], string[], Scope | null]>([
    [[], ['case.approved.v1'], 'cases:read'],
    [['cases:read'], ['case.approved.v1'], null],
    [['cases:read'], ['case.approved.v1', 'patient.created.v1'], 'patients:read'],
    [['cases:read', 'patients:read'], ['*'], 'visits:read'],
    [['cases:read', 'patients:read', 'visits:read', 'billing:read'], ['*'], null],
  ])('%j for %j', async (scopes, event_types, missing) => {
    const as = await scoped(['webhooks:manage', ...scopes])
    const body = { ...endpoint, event_types, include_resource: true }
    const { id } = await create({ event_types })
    for (const [operation, asked] of [
      ['createWebhookEndpoint', { as, body }],
      ['updateWebhookEndpoint', { as, id, body: { include_resource: true } }],
    ] as const) {
      if (missing === null) {
        expect((await must(fixtures, operation, asked)).include_resource).toBe(true)
        continue
      }
      const { body: said } = await refused(fixtures, operation, 'insufficient_scope', asked)
      expect(said.members.required_scope).toBe(missing)
    }
  })

  test('a change of something else needs none of them', async () => {
    const { id } = await create({ include_resource: true })
    const as = await scoped(['webhooks:manage'])
    const body = { description: 'Renamed' }
    expect(await must(fixtures, 'updateWebhookEndpoint', { as, id, body })).toMatchObject(body)
    await refused(fixtures, 'updateWebhookEndpoint', 'insufficient_scope', {
      as,
      id,
      body: { event_types: ['order.failed.v1'] },
    })
  })
})

describe('409', () => {
  test('16 endpoints an integration and mode, however many ask at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 24 }, () => ask(fixtures, 'createWebhookEndpoint', { body: endpoint })),
    )
    const codes = all.map(one => one.code)
    expect(codes.filter(code => code === null)).toHaveLength(16)
    expect(codes.filter(code => code === 'endpoint_limit_reached')).toHaveLength(8)
    const before = await contents(fixtures)
    await refused(fixtures, 'createWebhookEndpoint', 'endpoint_limit_reached', { body: endpoint })
    expect(await contents(fixtures)).toEqual(before)
    expect((await create({}, fixtures.ben.test)).status).toBe('enabled')
    const { data } = await must(fixtures, 'listWebhookEndpoints', { query: { limit: '100' } })
    await must(fixtures, 'deleteWebhookEndpoint', { id: data[7].id })
    expect((await create()).status).toBe('enabled')
  })
})

describe('404', () => {
  test.each([
    'getWebhookEndpoint',
    'updateWebhookEndpoint',
    'deleteWebhookEndpoint',
    'rotateWebhookSecret',
    'listDeliveries',
  ] as const)('%s of an endpoint that never was', async operation => {
    await refused(fixtures, operation, 'not_found', { id: unknownId('we') })
  })
})
