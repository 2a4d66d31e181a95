import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { consentVersion, say } from '#content/consent.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'
import {
  create as createAt,
  items,
  newKey,
  post as postTo,
  type AcpRequest,
  newBuyer,
} from '../testing/acp-agent.ts'

// Completing and canceling checkout sessions.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const post = (path: string, sent?: AcpRequest) => postTo(context, path, sent)
const create = () => createAt(context)
const complete = async (buyer: object, sent: AcpRequest = {}, id?: string) =>
  post(`/${id ?? (await create())}/complete`, { body: { buyer }, ...sent })

/** One email to the buyer and one to the company. */
const once = { bookings: 1, mail: 2 }

describe('ACP complete: 200', () => {
  test('creates one booking, with an order that links to the booking page', async () => {
    const buyer = newBuyer()
    const { status, body } = await complete(buyer)
    expect([status, body['status'], body['buyer']]).toEqual([200, 'completed', buyer])
    const { order, totals, messages } = body
    expect(order['permalink_url']).toBe(`${site}/booking`)
    expect(order['fulfillments'][0]['digital_delivery']['access_url']).toStartWith(
      `${site}/booking/`,
    )
    const quantity = { ordered: 1, current: 1, fulfilled: 0 }
    expect(order['line_items']).toMatchObject([{ quantity, unit_price: 0, subtotal: 0 }])
    expect(totals.every(({ amount }: { amount: number }) => amount === 0)).toBe(true)
    expect(messages[0]['content']).toContain(`. Pick a time here: ${site}/`)
    expect(await context.rowsOf(buyer.email)).toEqual(once)
    const [row] = await context.owner`select * from site.bookings where id = ${order['id']}`
    expect(row).toMatchObject({
      status: 'requested',
      protocol: 'acp',
      agent: 'booker/2',
      wording: consentVersion,
      email: buyer.email,
    })
  })

  test('ignores payment data, and never returns it', async () => {
    const buyer = newBuyer()
    const payment_data = { purchase_order_number: 'FREE-0', instrument: { token: 'tok_secret' } }
    const body = { buyer, payment_data, risk_signals: { ip: '192.0.2.1' } }
    const answer = await post(`/${await create()}/complete`, { body })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toMatch(/tok_secret|FREE-0|192\.0\.2\.1/)
  })

  test('splits a full name, and stores note and company', async () => {
    const { email } = newBuyer()
    const buyer = { email, full_name: 'Ada Maria Rivera', company: { name: 'Rivera Clinic' } }
    const body = { buyer, order_notes: 'About Texas.' }
    const { status } = await post(`/${await create()}/complete`, { body })
    const [row] = await context.owner`select * from site.bookings where person = ${email}`
    expect([status, row.first_name, row.last_name, row.company, row.note]).toEqual([
      200,
      'Ada',
      'Maria Rivera',
      'Rivera Clinic',
      'About Texas.',
    ])
  })

  test('a retry with the same key gets the same bytes, marked as replayed', async () => {
    const [buyer, key, id] = [newBuyer(), newKey(), await create()]
    const first = await complete(buyer, { key }, id)
    const again = await complete(buyer, { key }, id)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await context.rowsOf(buyer.email)).toEqual(once)
  })

  test('a retry with the email address in upper case gets the same response', async () => {
    const [buyer, id] = [newBuyer(), await create()]
    const first = await complete(buyer, { key: newKey() }, id)
    const shouted = { ...buyer, email: ` ${buyer.email.toUpperCase()} ` }
    const again = await complete(shouted, { key: newKey() }, id)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await context.rowsOf(buyer.email)).toEqual(once)
  })

  test('a retry with another key or none gets the same response, and sends nothing', async () => {
    const [buyer, id] = [newBuyer(), await create()]
    const first = await complete(buyer, { key: newKey() }, id)
    for (const sent of [{ key: newKey() }, {}]) {
      expect((await complete(buyer, sent, id)).text).toBe(first.text)
    }
    expect(await context.rowsOf(buyer.email)).toEqual(once)
  })

  test('another session for the same person gets the same call without its link', async () => {
    const buyer = newBuyer()
    const [first, other] = [await complete(buyer), await complete(buyer)]
    expect(other.body['order']['id']).toBe(first.body['order']['id'])
    const link = ({ body }: typeof first) =>
      body['order']['fulfillments'][0]['digital_delivery']['access_url']
    expect(link(other)).not.toBe(link(first))
    expect(await context.rowsOf(buyer.email)).toEqual(once)
  })
})

describe('ACP complete: dry run', () => {
  test('a reserved email address gets a booking’s response; nothing is stored or sent', async () => {
    const before = await context.rowCounts()
    const [id, key] = [await create(), newKey()]
    const buyer = { first_name: 'Ada', email: 'ada@example.com' }
    const dryRunBooking = await complete(buyer, { key }, id)
    expect(await context.rowCounts()).toEqual(before)
    const real = await complete(newBuyer())
    expect(Object.keys(dryRunBooking.body)).toEqual(Object.keys(real.body))
    expect(Object.keys(dryRunBooking.body['order'])).toEqual(Object.keys(real.body['order']))
    expect(dryRunBooking.headers.get('service-dry-run')).toBe('true')
    expect(dryRunBooking.text).toContain('Nothing was sent or stored')
    expect(real.text).not.toContain('nothing is stored')
    expect(real.headers.has('service-dry-run')).toBe(false)
    const again = await complete(buyer, { key }, id)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([
      dryRunBooking.text,
      'true',
    ])
    const eve = { ...buyer, email: 'eve@example.com' }
    expect((await complete(eve, { key }, id)).status).toBe(422)
    expect((await complete(eve, {}, id)).status).toBe(405)
    expect((await post(`/${id}/cancel`)).status).toBe(405)
  })

  test('its link leads to the same page as a booking’s', async () => {
    const linkOf = ({ body }: Awaited<ReturnType<typeof complete>>) =>
      new URL(body['order']['fulfillments'][0]['digital_delivery']['access_url'])
    const dryRun = linkOf(await complete({ first_name: 'Ada', email: 'ada@example.com' }))
    const real = linkOf(await complete(newBuyer()))
    expect(dryRun.pathname).toBe(real.pathname)
    expect(dryRun.search.length).toBe(real.search.length)
  })

  test('a session created for a reserved email address with a key is replayed and not stored', async () => {
    const before = await context.rowCounts()
    const buyer = { first_name: 'Ada', email: 'ada@clinic.test' }
    const [key, body] = [newKey(), { items, buyer }]
    const [first, again] = [await post('', { key, body }), await post('', { key, body })]
    expect([first.status, again.text]).toEqual([201, first.text])
    const id = first.body['id']
    for (const path of [`/${id}`, `/${id}/complete`]) {
      expect((await post(path, { key: newKey(), body })).status).toBe(200)
    }
    expect(await context.rowCounts()).toEqual(before)
    expect((await post('', { key: newKey(), body })).body['id']).not.toBe(id)
  })
})

describe('ACP: consent', () => {
  test('a session says what completing it means, before and after', async () => {
    const created = await post('', { body: { items } })
    const completed = await complete(newBuyer(), {}, created.body['id'])
    for (const { body } of [created, completed]) {
      const texts = body['messages'].map(({ content }: { content: string }) => content).join(' ')
      expect(texts).toContain(say('stated'))
      expect(texts).toContain(say('ask'))
    }
  })

  test('an explicit no is refused everywhere, and books nothing', async () => {
    const [buyer, id] = [newBuyer(), await create()]
    for (const user_consent of [false, 'no', 0]) {
      for (const body of [
        { buyer, user_consent },
        { buyer: { ...buyer, user_consent } },
        { buyer, metadata: { user_consent } },
      ]) {
        for (const path of ['', `/${id}`, `/${id}/complete`]) {
          const refused = await post(path, { body: { ...body, items } })
          expect([refused.status, refused.body['code']]).toEqual([400, 'consent_required'])
          expect(refused.body['messages'][0]['content']).toContain(say('ask'))
        }
      }
    }
    expect(await context.rowsOf(buyer.email)).toEqual({ bookings: 0, mail: 0 })
    const body = { buyer, user_consent: true }
    expect((await post(`/${id}/complete`, { body })).status).toBe(200)
    const [row] = await context.owner`
      select consent from site.bookings where person = ${buyer.email}`
    expect(row.consent).toBe(true)
  })
})

describe('ACP complete: 400', () => {
  const wrong: [string, unknown, string, string][] = [
    ['no buyer', undefined, 'missing', '$.buyer.first_name'],
    ['no address', { first_name: 'Ada' }, 'missing', '$.buyer.email'],
    ['no name', { email: 'ada@rivera-clinic.com' }, 'missing', '$.buyer.first_name'],
    ['an invalid address', { first_name: 'Ada', email: 'ada' }, 'invalid', '$.buyer.email'],
    [
      'a name that is a number',
      { first_name: 7, email: 'a@b.com' },
      'invalid',
      '$.buyer.first_name',
    ],
  ]
  for (const [name, buyer, code, param] of wrong) {
    test(`${name}: names the field, books nothing, and does not use up the key`, async () => {
      const [id, key] = [await create(), newKey()]
      const refused = await post(`/${id}/complete`, { body: { buyer }, key })
      expect([refused.status, refused.body['code'], refused.body['param']]).toEqual([
        400,
        code,
        param,
      ])
      expect(refused.body['messages'][0]).toMatchObject({ type: 'error', code, param })
      const person = newBuyer()
      expect((await complete(person, { key }, id)).status).toBe(200)
      expect(await context.rowsOf(person.email)).toEqual(once)
    })
  }

  test('reports every error in one response', async () => {
    const { body } = await complete({ first_name: '', email: '' })
    const params = body['messages'].map((each: { param: string }) => each.param)
    expect(params).toEqual(['$.buyer.first_name', '$.buyer.email'])
  })
})

describe('ACP: 405 and 422', () => {
  test('cancels an open session any number of times, but not a completed one', async () => {
    const id = await create()
    for (let times = 0; times < 2; times++) {
      const { status, body } = await post(`/${id}/cancel`)
      expect([status, body['status']]).toEqual([200, 'canceled'])
    }
    await complete(newBuyer(), {}, id)
    const { status, headers, body } = await post(`/${id}/cancel`, { body: {} })
    expect([status, body['code']]).toEqual([405, 'session_completed'])
    expect(headers.get('allow')).toBe('OPTIONS')
  })

  test('a key belongs to one path: a cancel with the key and body of the create still cancels', async () => {
    const [key, body] = [newKey(), { items }]
    const created = await post('', { key, body })
    const canceled = await post(`/${created.body['id']}/cancel`, { key, body })
    expect([created.status, created.body['status']]).toEqual([201, 'ready_for_payment'])
    expect([canceled.status, canceled.body['status']]).toEqual([200, 'canceled'])
    expect(canceled.headers.has('idempotent-replayed')).toBe(false)
  })

  test('refuses to complete a completed session for another person', async () => {
    const id = await create()
    await complete(newBuyer(), {}, id)
    const other = newBuyer()
    expect((await complete(other, {}, id)).status).toBe(405)
    expect(await context.rowsOf(other.email)).toEqual({ bookings: 0, mail: 0 })
  })

  test.each([true, false])('a dry run uses up its key; dry run first: %p', async isFirst => {
    const [person, dry] = [newBuyer(), { first_name: 'Ada', email: 'ada@example.com' }]
    const [first, second] = isFirst ? [dry, person] : [person, dry]
    const [key, id] = [newKey(), await create()]
    expect((await complete(first, { key }, id)).status).toBe(200)
    const other = await complete(second, { key }, id)
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_conflict'])
    expect(await context.rowsOf(person.email)).toMatchObject({ bookings: isFirst ? 0 : 1 })
  })

  test('refuses the same key with another body, and books nothing', async () => {
    const [id, key, other] = [await create(), newKey(), newBuyer()]
    await complete(newBuyer(), { key }, id)
    const { status, body } = await complete(other, { key }, id)
    expect([status, body['code']]).toEqual([422, 'idempotency_conflict'])
    expect(body['messages'][0]['code']).toBe('conflict')
    expect(await context.rowsOf(other.email)).toEqual({ bookings: 0, mail: 0 })
  })
})
