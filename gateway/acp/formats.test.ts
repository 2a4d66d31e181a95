// Session fields in each protocol version, as written to a client.
import { describe, expect, test } from 'bun:test'
import { type AcpDate, acpDates, messageCodeIn } from '#contract/site/acp.ts'
import { echoedCart, emptyCart } from './cart.ts'
import { type Cart, sessionBody } from './session-body.ts'
import { expectFaults, refusalBody } from './refusals.ts'

type Body = Record<string, any> // oxlint-disable-line no-explicit-any

const site = 'https://health.example'
const id = 'cs_0123456789abcdef0123456789abcdef'
const bodyOf = (cart: Cart, date: AcpDate) => sessionBody(cart, date, site) as Body
/** `versions` has each value under the version that introduced it. Returns the value that applies
 *  to `date`. */
const since = <T>(date: AcpDate, versions: Partial<Record<AcpDate, T>>): T | undefined =>
  versions[acpDates.findLast(each => each <= date && versions[each] !== undefined) ?? date]

const name = 'Discovery call (30 minutes)'
const description =
  'A free introductory call. It is a sales conversation, not a medical appointment.'
const text = 'The person picks a time there. The invitation goes to their email address.'
const sum = (type: string, display_text: string) => ({ type, display_text, amount: 0 })
const totals = [sum('items_base_amount', name), sum('total', 'Total')]

const members = {
  '2025-09-29':
    'id status currency line_items fulfillment_options fulfillment_option_id totals messages links',
  '2025-12-12':
    'id status currency line_items fulfillment_options selected_fulfillment_options totals messages links',
  '2026-01-30':
    'id protocol status currency locale capabilities line_items fulfillment_options selected_fulfillment_options totals messages links continue_url',
}
const early = { id: 'li_1', item: { id: 'discovery-call', quantity: 1 } }
const sums = { base_amount: 0, discount: 0, subtotal: 0, tax: 0, total: 0 }
const lines = {
  '2025-09-29': { ...early, ...sums },
  '2025-12-12': { ...early, ...sums, name, description, unit_amount: 0 },
  '2026-01-30': {
    id: 'li_1',
    item: { id: 'discovery-call', name, unit_amount: 0 },
    quantity: 1,
    name,
    description,
    unit_amount: 0,
    max_quantity_per_order: 1,
    totals,
  },
}
const option = { type: 'digital', id: 'booking-page', title: 'Booking page' }
const options = {
  '2025-09-29': { ...option, subtitle: text, subtotal: 0, tax: 0, total: 0 },
  '2026-01-16': { ...option, description: text, totals: [sum('total', 'Total')] },
}
const digital = { option_id: 'booking-page', item_ids: ['discovery-call'] }
const chosen = {
  '2025-12-12': [{ type: 'digital', digital }],
  '2026-01-30': [{ type: 'digital', option_id: 'booking-page', item_ids: ['li_1'] }],
}

describe.each(acpDates)('ACP %s', date => {
  test('a session has its version’s fields, and every amount is 0', () => {
    const body = bodyOf(emptyCart(id), date)
    expect(Object.keys(body).join(' ')).toBe(since(date, members) ?? '')
    expect(body['line_items']).toEqual([since<object>(date, lines)])
    expect(body['fulfillment_options']).toEqual([since<object>(date, options)])
    expect(body['selected_fulfillment_options']).toEqual(since<object[]>(date, chosen))
    expect(body['totals']).toEqual(totals)
    expect(body['currency']).toBe('usd')
    const isLate = date >= '2026-01-30'
    expect(body['protocol']).toEqual(isLate ? { version: date } : undefined)
    expect(body['continue_url']).toBe(isLate ? 'https://health.example/booking' : undefined)
    expect(body['links'].map((link: Body) => link['type'])).toEqual(
      isLate ? ['terms_of_use', 'privacy_policy', 'support'] : ['terms_of_use', 'privacy_policy'],
    )
  })

  test('a buyer error has all the detail its version allows', () => {
    const buyer = { first_name: 'Ada', last_name: 'Rivera', email: 'ada@rivera-clinic.com' }
    const body = bodyOf(echoedCart(id, { ...buyer, phone_number: '1' }), date)
    const [error] = body['messages']
    expect(error).toEqual({
      type: 'error',
      code: 'invalid',
      param: '$.buyer.phone_number',
      content_type: 'plain',
      content: expect.stringContaining('buyer.phone_number must be'),
      ...(date >= '2026-01-30' ? { severity: 'high' } : {}),
      ...(date === '2026-04-17' ? { resolution: 'requires_buyer_input' } : {}),
    })
    expect(body['messages'][1]['type']).toBe('info')
    expect(body['status']).toBe('not_ready_for_payment')
    // Early versions omit the buyer only if the address is invalid.
    expect(body['buyer']).toEqual({ ...buyer, phone_number: '1' })
    const wrong = bodyOf(echoedCart(id, { ...buyer, email: 'ada' }), date)['buyer']
    expect(wrong).toEqual(date < '2026-01-30' ? undefined : { ...buyer, email: 'ada' })
    const named = bodyOf(echoedCart(id, { ...buyer, full_name: 'Ada R' }), date)['buyer']
    expect(named).toEqual(date < '2026-01-30' ? buyer : { ...buyer, full_name: 'Ada R' })
    const half = bodyOf(echoedCart(id, { first_name: 'Ada' }), date)['buyer']
    expect(half).toEqual(date < '2026-01-30' ? undefined : { first_name: 'Ada' })
  })

  test.each([
    [true, 'processing'],
    [false, 'pending'],
  ])('with a picked time: %p, the order is %s', (confirmed, status) => {
    const url = 'https://health.example/booking/call?key=x'
    const cart = { ...emptyCart(id), order: { id: 'bkg_1', url, confirmed } }
    const bare = {
      id: 'bkg_1',
      checkout_session_id: id,
      permalink_url: 'https://health.example/booking',
    }
    const supported = { ...bare, status: 'confirmed', support: { email: 'hello@example.com' } }
    const quantity = { ordered: 1, current: 1, fulfilled: 0 }
    const whole = {
      type: 'order',
      ...supported,
      line_items: [
        { id: 'li_1', title: name, quantity, unit_price: 0, subtotal: 0, status: 'processing' },
      ],
      fulfillments: [
        {
          id: 'ful_1',
          type: 'digital',
          status,
          line_items: [{ id: 'li_1', quantity: 1 }],
          digital_delivery: { access_url: url },
        },
      ],
      totals: [sum('total', 'Total')],
    }
    const orders = { '2025-09-29': bare, '2026-01-30': supported, '2026-04-17': whole }
    expect(bodyOf(cart, date)['order']).toEqual(since<object>(date, orders))
  })

  test('a code unknown to a version is written as invalid', () => {
    const codes = ['missing', 'invalid', 'not_found', 'unsupported', 'conflict', 'rate_limited']
    const written = (codes as Parameters<typeof messageCodeIn>[1][]).map(code =>
      messageCodeIn(date, code),
    )
    const early = ['missing', 'invalid', 'invalid', 'invalid', 'invalid', 'invalid']
    expect(written as string[]).toEqual(date < '2026-01-30' ? early : codes)
  })

  test('only the newest version has a field for who can resolve an error', () => {
    const faults = ['$.buyer.email', '$.items'] as const
    const [first, second] = faults.map(param => ({
      code: 'invalid' as const,
      param,
      message: 'must be so.',
    }))
    if (!first || !second) throw new Error('there are two')
    const { messages } = refusalBody(expectFaults([first, second]), date) as Body
    expect(messages.map((each: Body) => [each['param'], each['resolution']])).toEqual(
      date === '2026-04-17'
        ? [
            ['$.buyer.email', 'requires_buyer_input'],
            ['$.items', 'recoverable'],
          ]
        : faults.map(param => [param, undefined]),
    )
  })
})
