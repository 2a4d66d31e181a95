import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { acpDates, acpSessions } from '#contract/site/acp.ts'
import { say } from '#content/consent.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'
import { faultsBySchema } from '../testing/acp-schemas.ts'
import {
  type Body,
  create as createAt,
  faultsOf,
  get as getFrom,
  items,
  newKey,
  post as postTo,
  type AcpRequest,
  newBuyer,
} from '../testing/acp-agent.ts'

// The checkout API through the endpoint router, on a real database.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const create = () => createAt(context)
const post = (path: string, sent?: AcpRequest) => postTo(context, path, sent)
const get = (path: string, headers?: Record<string, string>) => getFrom(context, path, headers)

describe('ACP create: 201', () => {
  test('returns a free cart with one line, the question to ask, and no payment', async () => {
    const { status, headers, body } = await post('', { body: { items } })
    expect(status).toBe(201)
    expect(body['status']).toBe('ready_for_payment')
    expect(body['id']).toMatch(/^cs_[0-9a-z]{32}$/)
    expect(body['totals'].map((total: Body) => total['amount'])).toEqual([0, 0])
    const contents = body['messages'].map((each: Body) => each['content'])
    expect(contents).toContain(say('ask'))
    expect(contents, 'quotation marks are escaped').toContain(say('stated'))
    expect(body['messages'].every((each: Body) => each['type'] === 'info')).toBe(true)
    expect(body['capabilities']).toEqual({ payment: { handlers: [] } })
    const links = Object.fromEntries(body['links'].map((link: Body) => [link['type'], link['url']]))
    expect(links).toMatchObject({
      terms_of_use: `${site}/terms`,
      privacy_policy: `${site}/privacy`,
    })
    expect(headers.get('api-version')).toBe('2026-08-23')
    expect(headers.get('content-type')).toBe('application/json')
  })

  const forms: Record<string, unknown> = {
    items: { items },
    'items of 2025-09-29 with a decimal quantity': {
      items: [{ id: 'discovery-call', quantity: 1.0 }],
    },
    line_items: { line_items: [{ id: 'discovery-call' }], currency: 'usd', capabilities: {} },
    'line_items with an item in them': { line_items: [{ item: { id: 'discovery-call' } }] },
    'unknown members': { items, test_mode: true, buyer: null },
  }
  for (const [name, body] of Object.entries(forms)) {
    test(`accepts ${name}`, async () => {
      expect((await post('', { body })).status).toBe(201)
    })
  }

  test('two requests create two sessions, or one session if they have the same key', async () => {
    expect(await create()).not.toBe(await create())
    const key = newKey()
    const [first, again] = [
      await post('', { body: { items }, key }),
      await post('', { body: { items: [{ quantity: 1, id: 'discovery-call' }] }, key }),
    ]
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('idempotency-key')).toBe(key)
  })
})

describe('ACP create: 400', () => {
  const wrong: [string, unknown, string, string][] = [
    ['no lines', {}, 'missing', '$.line_items'],
    ['an empty list', { items: [] }, 'missing', '$.items'],
    ['lines that are not a list', { items: {} }, 'invalid', '$.items'],
    ['a line that is not an object', { items: ['discovery-call'] }, 'invalid', '$.items[0]'],
    ['no id', { items: [{ quantity: 1 }] }, 'missing', '$.items[0].id'],
    ['an unknown item', { items: [{ id: 'x', quantity: 1 }] }, 'invalid_item_id', '$.items[0].id'],
    ['two lines', { items: [...items, ...items] }, 'invalid', '$.items[1]'],
    ...[0, 2, -1, 1.5, '1', true, {}].map((quantity): [string, unknown, string, string] => [
      `a quantity of ${JSON.stringify(quantity)}`,
      { items: [{ id: 'discovery-call', quantity }] },
      'invalid',
      '$.items[0].quantity',
    ]),
    ['a buyer that is not an object', { items, buyer: 'Ada' }, 'invalid', '$.buyer'],
    ['an address that is not a string', { items, buyer: { email: 1 } }, 'invalid', '$.buyer.email'],
  ]
  for (const [name, body, code, param] of wrong) {
    test(name, async () => {
      const answer = await post('', { body })
      expect([answer.status, answer.body['code'], answer.body['param']]).toEqual([400, code, param])
      const [message] = answer.body['messages']
      expect(message).toMatchObject({ type: 'error', param })
      const { messages: _, ...flat } = answer.body
      expect(await faultsBySchema('2026-04-17', 'Error', flat)).toEqual([])
    })
  }

  test('refuses every body that is not one JSON object', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const body of ['{', '[]', 'null', '"x"', '['.repeat(60_000), '\u0000', '{"a":"\xff"}']) {
      const bytes = Buffer.from(body, 'latin1')
      const response = await context.ask(acpSessions, { method: 'POST', body: bytes, headers })
      expect([body, response.status]).toEqual([body, 400])
      expect(await response.json()).toMatchObject({ type: 'invalid_request', code: 'invalid' })
    }
    const typed = { method: 'POST', body: '{}', headers: { 'content-type': 'text/csv' } }
    expect((await context.ask(acpSessions, typed)).status).toBe(415)
  })
})

describe('ACP: 404', () => {
  test('an ID this server didn’t create, in every operation', async () => {
    const id = await create()
    const made = ['cs_x', 'x', `${id}0`, id.replace(/.$/, last => (last === '0' ? '1' : '0'))]
    for (const wrong of made) {
      for (const path of [`/${wrong}`, `/${wrong}/complete`, `/${wrong}/cancel`]) {
        const { status, body } = await post(path, { body: {} })
        expect([path, status, body['code']]).toEqual([path, 404, 'not_found'])
        expect(body['messages'][0]).toMatchObject({ type: 'error', code: 'not_found' })
      }
      expect((await get(`/${wrong}`)).status).toBe(404)
    }
  })
})

describe('ACP retrieve and update: 200', () => {
  test('an update returns its changes and stores nothing', async () => {
    const id = await create()
    const before = await get(`/${id}`)
    expect([before.status, before.body['status']]).toEqual([200, 'ready_for_payment'])
    const { status, body } = await post(`/${id}`, { body: { buyer: { first_name: 'Ada' } } })
    expect([status, body['buyer'], body['status']]).toEqual([
      200,
      { first_name: 'Ada' },
      'not_ready_for_payment',
    ])
    expect(body['messages'][0]).toMatchObject({
      type: 'error',
      code: 'missing',
      param: '$.buyer.email',
    })
    expect((await get(`/${id}`)).body).toEqual(before.body)
  })

  test('a session with a valid buyer is ready for payment', async () => {
    const buyer = newBuyer()
    const { body } = await post(`/${await create()}`, { body: { buyer } })
    expect([body['status'], body['buyer']]).toEqual(['ready_for_payment', buyer])
  })

  test('an update reports an invalid address', async () => {
    const buyer = { first_name: 'Ada', email: 'ada at home' }
    const { body } = await post(`/${await create()}`, { body: { buyer } })
    expect(body['messages'][0]).toMatchObject({ code: 'invalid', param: '$.buyer.email' })
  })
})

describe('ACP: versions and keys', () => {
  for (const date of acpDates) {
    test(`${date}: every endpoint responds in that date’s format`, async () => {
      const key = () => ({ key: newKey(), date })
      const made = await post('', { body: { items }, ...key() })
      const id = made.body['id']
      const buyer = { ...newBuyer(), last_name: 'Rivera' }
      const answers = [
        made,
        await get(`/${id}`, { 'api-version': date }),
        await post(`/${id}`, { body: { buyer }, ...key() }),
        await post(`/${id}/complete`, { body: { buyer }, ...key() }),
        await post(`/${(await post('', { body: { items }, ...key() })).body['id']}/cancel`, key()),
      ]
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200])
      for (const { body } of answers) expect(await faultsOf(date, body)).toEqual([])
    })
  }

  test.each(acpDates)('%s: router errors are in that date’s format', async date => {
    const method = await context.ask('/api/acp/checkout_sessions', {
      method: 'DELETE',
      headers: { 'api-version': date },
    })
    const answers = [
      await post('', { body: { items }, key: 'x'.repeat(256), date }),
      { status: method.status, body: (await method.json()) as Body },
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 405])
    for (const { body } of answers) {
      const { messages, ...flat } = body
      expect(messages).toHaveLength(1)
      expect(await faultsBySchema(date, 'Error', flat)).toEqual([])
      expect(await faultsBySchema(date, 'MessageError', messages[0])).toEqual([])
    }
  })

  test('the site’s API version gets the newest ACP version', async () => {
    const { body } = await post('', { body: { items }, date: '2026-08-23' })
    expect(body['protocol']).toEqual({ version: '2026-04-17' })
  })

  test('an unknown version is refused with the supported ones, newest first', async () => {
    const { status, body } = await post('', { body: { items }, date: '2024-01-01' })
    expect([status, body['code']]).toEqual([400, 'unsupported_api_version'])
    expect(body['supported_versions']).toEqual(acpDates.toReversed())
  })

  test('the newest version requires an Idempotency-Key', async () => {
    const { status, body } = await post('', { body: { items }, date: '2026-04-17' })
    expect([status, body['code']]).toEqual([400, 'idempotency_key_required'])
    expect((await post('', { body: { items }, date: '2026-01-30' })).status).toBe(201)
  })

  test('returns the caller’s Request-Id, and ignores signatures', async () => {
    const headers = {
      'request-id': 'agent-7',
      signature: 'xx',
      timestamp: 'yesterday',
      'accept-language': 'de-CH',
      authorization: 'Bearer whatever',
    }
    const answer = await post('', { body: { items }, headers })
    expect([answer.status, answer.headers.get('request-id')]).toEqual([201, 'agent-7'])
  })
})
