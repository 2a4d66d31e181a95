import { describe, expect, test } from 'bun:test'
import { acpDates, acpDiscovery } from '#contract/site/acp.ts'
import { echoedCart, emptyCart } from './cart.ts'
import { type Cart, sessionBody } from './session-body.ts'
import { faultsBySchema } from '#sweeps/testing/acp-schemas.ts'
import { expectFaults, refusalBody } from './refusals.ts'

/** Validates every session state, in every version, against the protocol's official schema. */
const site = 'https://example.com'
const id = 'cs_0123456789abcdef0123456789abcdef'
const ada = { first_name: 'Ada', last_name: 'Rivera', email: 'ada@rivera-clinic.example' }
const order = { id: 'bkg_1', url: `${site}/booking/times?key=x`, confirmed: false }
const completed: Cart = { id, status: 'completed', buyer: ada, notes: [], order }
const carts: Record<string, Cart> = {
  empty: emptyCart(id),
  'with a buyer': echoedCart(id, { ...ada, phone_number: '+12025550123' }),
  'with a buyer with an invalid phone number': echoedCart(id, { ...ada, phone_number: '1' }),
  'completed without a last name': { ...completed, buyer: { first_name: 'Ada', email: ada.email } },
  'completed with a full name': { ...completed, buyer: { full_name: 'Ada R', email: ada.email } },
  canceled: { id, status: 'canceled', notes: [] },
  completed,
  'completed with a time': { ...completed, order: { ...order, confirmed: true } },
}

/** An update echoes the request's data, which later versions' session schemas reject. */
const earlyCarts: Record<string, Cart> = {
  'with a first name': echoedCart(id, { first_name: 'Ada' }),
  'with an invalid address': echoedCart(id, { ...ada, email: 'ada' }),
}

for (const date of acpDates) {
  describe(`ACP ${date}`, () => {
    const all = date < '2026-01-30' ? { ...carts, ...earlyCarts } : carts
    for (const [name, cart] of Object.entries(all)) {
      test(`a session ${name} matches the official schema`, async () => {
        const { order: made, ...session } = sessionBody(cart, date, site)
        expect(await faultsBySchema(date, 'CheckoutSession', session)).toEqual([])
        if (made === undefined) return
        expect(await faultsBySchema(date, 'Order', made)).toEqual([])
        // The first version closes the session without an order, but its schema requires one.
        if (date === '2025-09-29') return
        const whole = { ...session, order: made }
        expect(await faultsBySchema(date, 'CheckoutSessionWithOrder', whole)).toEqual([])
      })
    }

    test('a refusal is a flat error with messages', async () => {
      const param = '$.buyer.email'
      const refusal = expectFaults([
        { code: 'missing', param, message: 'buyer.email must be present.' },
      ])
      const { messages, ...flat } = refusalBody(refusal, date) as Record<string, unknown>
      expect(await faultsBySchema(date, 'Error', flat)).toEqual([])
      const [message] = messages as object[]
      expect(await faultsBySchema(date, 'MessageError', message)).toEqual([])
      expect(message).toMatchObject({ type: 'error', code: 'missing', param })
    })

    test('every amount is 0, and no payment is requested', () => {
      const text = JSON.stringify(sessionBody(emptyCart(id), date, site))
      const amounts = [...text.matchAll(/"(?:amount|total|tax|unit_amount|base_amount)":(\d+)/g)]
      expect(amounts.length).toBeGreaterThan(2)
      expect(amounts.map(hit => hit[1])).toEqual(amounts.map(() => '0'))
      expect(text).not.toContain('payment_provider')
    })
  })
}

test('ACP: the discovery document matches the official schema', async () => {
  const document = acpDiscovery(site)
  expect(await faultsBySchema('2026-04-17', 'DiscoveryResponse', document)).toEqual([])
})

test('ACP: the official schema rejects an unknown field', async () => {
  const session = {
    ...sessionBody(emptyCart(id), '2026-04-17', site),
    booking_url: 'https://x.test',
  }
  expect(await faultsBySchema('2026-04-17', 'CheckoutSession', session)).not.toEqual([])
})
