// Each prescription is sent only once, no matter how the pharmacy responds.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { drip } from '#http/testing/drip.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { attemptsMax, leaseSeconds } from './claim.ts'
import { httpPharmacy } from './http-provider.ts'
import { openPharmacyClinic, outgoingTo, type PharmacyClinic } from './testing/clinic.ts'

const fixtures = useFixtures()
let clinic: PharmacyClinic
beforeAll(async () => {
  clinic = await openPharmacyClinic(fixtures)
})
afterAll(() => clinic.close())
beforeEach(async () => {
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.connections set ended_at = now() where ended_at is null`,
  )
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.transmissions set status = 'by_hand', lease = null`,
  )
  clinic.double.orders.clear()
  clinic.double.faults.length = 0
  clinic.double.answers.length = 0
})

const acts = async (order: string) => {
  const rows = await queryAsOwner<{ outcome: string; code: string | null }>(
    fixtures,
    sql`select outcome, code from audit.entries
         where action = 'transmitOrder' and target = ${order} order by at`,
  )
  return rows.map(({ outcome, code }) => [outcome, code])
}

describe('transmission', () => {
  test('without a connection, an order waits on the board and nothing is sent', async () => {
    const { order } = await clinic.approve()
    expect(await clinic.transmission(order)).toBeUndefined()
    expect(await clinic.transmit()).toEqual({})
    expect(await clinic.statusOf(order)).toBe('created')
  })

  test('a connection applies only to plans signed later: an earlier order stays on the board', async () => {
    const earlier = await clinic.approve()
    await clinic.connect()
    const later = await clinic.approve()
    expect(await clinic.transmit()).toEqual({ accepted: 1 })
    expect([...clinic.double.orders.keys()]).toEqual([later.prescription])
    expect(await clinic.transmission(earlier.order)).toBeUndefined()
    expect(await clinic.statusOf(earlier.order)).toBe('created')
  })

  test('a sent order has the same fields as one on the board, and none names a pharmacy', async () => {
    const board = await clinic.approve()
    await clinic.connect()
    const sent = await clinic.approve()
    expect(await clinic.transmit()).toEqual({ accepted: 1 })
    const as = fixtures.ada.live
    const [one, other] = await Promise.all(
      [board, sent].map(({ order: id }) => invokeOk(fixtures, 'getOrder', { as, id })),
    )
    expect(Object.keys(other)).toEqual(Object.keys(one))
    const { reference } = (await clinic.transmission(sent.order)) ?? {}
    expect(reference).toBeString()
    for (const text of ['Example Pharmacy', clinic.connection(), String(reference)]) {
      expect(JSON.stringify(other)).not.toContain(text)
    }
  })

  test('is due once the plan is signed, sent with the data to dispense it, and accepted once', async () => {
    await clinic.connect()
    const { order, prescription } = await clinic.approve()
    expect(await clinic.transmission(order)).toMatchObject({ status: 'due', attempts: 0 })
    expect(await clinic.transmit()).toEqual({ accepted: 1 })
    expect(await clinic.transmit()).toEqual({})
    expect([...clinic.double.orders.keys()]).toEqual([prescription])
    expect(clinic.double.faults).toEqual([])
    const sent = JSON.parse(clinic.double.orders.get(prescription)?.body ?? '{}')
    expect(sent).toMatchObject({
      type: 'prescription.transmitted',
      data: {
        order,
        clinic: { id: fixtures.clinic },
        prescription: { id: prescription, refills: expect.any(Number) },
        patient: { first_name: 'Ada', phone: '+14155550142' },
        ship_to: { state: 'CA' },
      },
    })
    expect(Object.keys(sent.data.patient)).toEqual([
      'id',
      'first_name',
      'last_name',
      'date_of_birth',
      'sex_at_birth',
      'phone',
    ])
    expect(await clinic.transmission(order)).toMatchObject({
      status: 'accepted',
      attempts: 1,
      reference: expect.stringMatching(/^RX-\d+$/),
      lease: null,
    })
    expect(await clinic.statusOf(order)).toBe('at_pharmacy')
    expect(await clinic.eventsOf(order)).toEqual(['order.created.v1', 'order.at_pharmacy.v1'])
    expect(await acts(order)).toEqual([['ok', null]])
  })

  test('after a lost response, the same key is sent again', async () => {
    await clinic.connect()
    const { order, prescription } = await clinic.approve()
    clinic.double.answers.push(made => {
      made()
      return new Promise(() => undefined)
    })
    expect(await clinic.transmit()).toEqual({ retry: 1 })
    expect(await clinic.transmission(order)).toMatchObject({ status: 'due', error: 'timeout' })
    await clinic.wait(30)
    expect(await clinic.transmit()).toEqual({ accepted: 1 })
    expect(clinic.double.orders.get(prescription)?.transmissions).toBe(2)
    expect(await clinic.eventsOf(order)).toEqual(['order.created.v1', 'order.at_pharmacy.v1'])
  })

  test.each([
    ['500', () => new Response('broken', { status: 500 }), 'unavailable', 500],
    ['429', () => new Response('', { status: 429 }), 'unavailable', 429],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), 'redirected', 302],
    ['an empty answer', () => new Response(null, { status: 204 }), 'unreadable_answer', 204],
    ['a page', () => new Response('<html>welcome'), 'unreadable_answer', 200],
    ['no reference', () => Response.json({ reference: 7 }), 'unreadable_answer', 200],
    ['a huge body', () => new Response(drip('x'.repeat(65_536))), 'unreadable_answer', 200],
    ['a body that drips', () => new Response(drip('x')), 'timeout', null],
  ])('%s is retried, and never accepted', async (_, answer, error, http_status) => {
    await clinic.connect()
    const { order } = await clinic.approve()
    clinic.double.answers.push(answer)
    expect(await clinic.transmit()).toEqual({ retry: 1 })
    expect(await clinic.transmission(order)).toMatchObject({
      status: 'due',
      attempts: 1,
      error,
      http_status,
      lease: null,
    })
    expect(await clinic.transmit()).toEqual({})
    expect(await clinic.statusOf(order)).toBe('created')
    expect(await acts(order)).toEqual([['refused', error]])
  })

  test.each([409, 401, 422])(
    '%d stops it, with the pharmacy’s explanation on one line',
    async status => {
      await clinic.connect()
      const { order } = await clinic.approve()
      clinic.double.answers.push(() =>
        Response.json({ detail: `Out of\nstock\u202e ${'x'.repeat(400)}` }, { status }),
      )
      expect(await clinic.transmit()).toEqual({ stopped: 1 })
      const row = await clinic.transmission(order)
      expect(row).toMatchObject({ status: 'stopped', error: 'rejected', http_status: status })
      expect(row?.detail).toStartWith('Out of stock x')
      expect(row?.detail).toHaveLength(300)
      await clinic.wait(100_000)
      expect(await clinic.transmit()).toEqual({})
    },
  )

  test('stops after its schedule’s last attempt', async () => {
    await clinic.connect()
    const { order } = await clinic.approve()
    for (let attempt = 1; attempt <= 8; attempt++) {
      clinic.double.answers.push(() => new Response('', { status: 503 }))
      expect(await clinic.transmit()).toEqual(attempt < 8 ? { retry: 1 } : { stopped: 1 })
      await clinic.wait(14_400)
    }
    expect(attemptsMax).toBe(8)
    expect(await clinic.transmit()).toEqual({})
    expect(await clinic.transmission(order)).toMatchObject({
      status: 'stopped',
      attempts: 8,
      error: 'unavailable',
      http_status: 503,
    })
  })

  test('stops if it crashes its worker each time', async () => {
    await clinic.connect()
    const { order } = await clinic.approve()
    const provider = { transmit: () => Promise.reject(new Error('the worker died')) }
    for (let attempt = 1; attempt <= 8; attempt++) {
      await expect(clinic.transmit({ provider })).rejects.toThrow('the worker died')
      await clinic.wait(leaseSeconds)
    }
    expect(await clinic.transmit({ provider })).toEqual({ stopped: 1 })
    expect(await clinic.transmission(order)).toMatchObject({
      status: 'stopped',
      error: 'interrupted',
    })
  })

  test('isn’t sent to a private address, or over a connection that has ended', async () => {
    await clinic.connect()
    const { order } = await clinic.approve()
    const outgoing = outgoingTo(2)
    const strict = { ...outgoing, addresses: { ...outgoing.addresses, allowed: [] } }
    const provider = httpPharmacy({ outgoing: strict, now: fixtures.context.now })
    expect(await clinic.transmit({ provider })).toEqual({ retry: 1 })
    expect(await clinic.transmission(order)).toMatchObject({ error: 'blocked_address' })
    await queryAsOwner(fixtures, sql`update pharmacy.connections set ended_at = now()`)
    await clinic.wait(30)
    expect(await clinic.transmit()).toEqual({ stopped: 1 })
    expect(await clinic.transmission(order)).toMatchObject({ error: 'disconnected' })
    expect(clinic.double.orders.size).toBe(0)
  })

  test('concurrent workers send each prescription once', async () => {
    await clinic.connect()
    const made = []
    for (let n = 0; n < 12; n++) made.push(await clinic.approve())
    const counts = await Promise.all([clinic.transmit(), clinic.transmit(), clinic.transmit()])
    expect(counts.reduce((sum, { accepted = 0 }) => sum + accepted, 0)).toBe(12)
    expect([...clinic.double.orders.values()].map(one => one.transmissions)).toEqual(
      made.map(() => 1),
    )
  })
})
