import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, queuedCase, minoxidil, must, semaglutide } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

type Control = 'shipCase' | 'deliverCase' | 'blockCase' | 'failCase'
const bodies: Record<Control, object | undefined> = {
  shipCase: {},
  deliverCase: undefined,
  blockCase: { reason: 'Out of stock.' },
  failCase: undefined,
}

/** An approved case with its orders brought to a state. */
async function approved(through: readonly Control[] = [], medications = [semaglutide]) {
  const { id } = await queuedCase(fixtures)
  const plan = medications.map(medication_id => ({ medication_id }))
  await must(fixtures, 'decideCase', { id, body: { decision: 'approve', plan } })
  for (const control of through) await must(fixtures, control, { id, body: bodies[control] })
  return id
}

const ordersOf = async (id: string) => (await must(fixtures, 'listOrders', { id })).data
const prescriptionsOf = async (id: string) =>
  (await must(fixtures, 'listPrescriptions', { id })).data
const lastEvents = async (since: string) =>
  (await must(fixtures, 'listEvents', { query: { since, limit: '100' } })).data.map(
    (event: { type: string; previous_status: string | null; status: string }) =>
      `${event.type} ${event.previous_status} ${event.status}`,
  )
const moment = async () => {
  const { data } = await must(fixtures, 'listEvents', { query: { limit: '100' } })
  let last = data.at(-1)?.created_at ?? '2000-01-01'
  for (let page = data; page.length === 100;) {
    page = (await must(fixtures, 'listEvents', { query: { since: last, limit: '100' } })).data
    last = page.at(-1)?.created_at ?? last
  }
  return last
}

/** Paths to each state, and where each control leads from it (contract/03, section 3). */
const reach = {
  created: [],
  shipped: ['shipCase'],
  delivered: ['shipCase', 'deliverCase'],
  blocked: ['blockCase'],
  failed: ['failCase'],
} as const satisfies Record<string, readonly Control[]>
const matrix: [keyof typeof reach, Control, string | null][] = [
  ['created', 'shipCase', 'shipped'],
  ['created', 'deliverCase', null],
  ['created', 'blockCase', 'blocked'],
  ['created', 'failCase', 'failed'],
  ['shipped', 'shipCase', null],
  ['shipped', 'deliverCase', 'delivered'],
  ['shipped', 'blockCase', null],
  ['shipped', 'failCase', 'failed'],
  ['delivered', 'shipCase', null],
  ['delivered', 'deliverCase', null],
  ['delivered', 'blockCase', null],
  ['delivered', 'failCase', null],
  ['blocked', 'shipCase', 'shipped'],
  ['blocked', 'deliverCase', null],
  ['blocked', 'blockCase', null],
  ['blocked', 'failCase', 'failed'],
  ['failed', 'shipCase', null],
  ['failed', 'deliverCase', null],
  ['failed', 'blockCase', null],
  ['failed', 'failCase', null],
]
const sources: Record<Control, string[]> = {
  shipCase: ['at_pharmacy', 'blocked', 'created'],
  deliverCase: ['shipped'],
  blockCase: ['at_pharmacy', 'created'],
  failCase: ['at_pharmacy', 'blocked', 'created', 'shipped'],
}

describe('every cell of the matrix', () => {
  test.concurrent.each(matrix)('%s by %s: %s', async (state, control, to) => {
    const id = await approved(reach[state])
    const replied = await ask(fixtures, control, { id, body: bodies[control] })
    const [order] = await ordersOf(id)
    expect(order.status).toBe(to ?? state)
    if (to !== null) return expect(replied.status).toBe(200)
    expect(replied.code).toBe('invalid_transition')
    expect(replied.body.members).toEqual({
      resource: { type: 'case', id },
      current_status: 'approved',
      allowed_from: sources[control],
      orders: [{ id: order.id, status: state }],
    })
  })
})

describe('200', () => {
  test('ship passes through the pharmacy, sets the parcel, and fills the prescription', async () => {
    const id = await approved()
    const since = await moment()
    const tracking = { carrier: 'ups', number: '1Z999AA10123456784' }
    const found = await must(fixtures, 'shipCase', { id, body: { tracking } })
    expect(found.status).toBe('approved')
    expect(await lastEvents(since)).toEqual([
      'order.at_pharmacy.v1 created at_pharmacy',
      'order.shipped.v1 at_pharmacy shipped',
      'prescription.updated.v1 active filled',
    ])
    const [order] = await ordersOf(id)
    expect(order.tracking).toEqual({ ...tracking, url: null })
    expect(order.shipped_at).toBe(order.updated_at)
    expect((await prescriptionsOf(id))[0].status).toBe('filled')
  })

  test('a blocked order says why, and forgets it when it leaves', async () => {
    const id = await approved(['blockCase'])
    expect((await ordersOf(id))[0].reason).toBe('Out of stock.')
    await must(fixtures, 'shipCase', { id, body: {} })
    expect((await ordersOf(id))[0].reason).toBeNull()
  })

  test('delivered keeps the parcel and when it left', async () => {
    const tracking = { carrier: 'usps', number: '9400', url: 'https://example.com/9400' }
    const id = await approved()
    await must(fixtures, 'shipCase', { id, body: { tracking } })
    const [shipped] = await ordersOf(id)
    await must(fixtures, 'deliverCase', { id })
    const [order] = await ordersOf(id)
    expect(order).toMatchObject({ tracking, shipped_at: shipped.shipped_at })
    expect(order.delivered_at).toBe(order.updated_at)
  })

  test('failing cancels a prescription that is active, and leaves a filled one', async () => {
    const early = await approved(['failCase'])
    expect((await prescriptionsOf(early))[0].status).toBe('cancelled')
    const late = await approved(['shipCase', 'failCase'])
    expect((await prescriptionsOf(late))[0].status).toBe('filled')
  })

  test('several orders move together, ascending, each event with its own millisecond', async () => {
    const other = 'med_01ke5q86z8a2m9sxxch1q9x5rf'
    const id = await approved([], [semaglutide, minoxidil, other])
    const since = await moment()
    await must(fixtures, 'shipCase', { id, body: {} })
    const { data } = await must(fixtures, 'listEvents', { query: { since } })
    const orders = await ordersOf(id)
    expect(orders.map((one: { status: string }) => one.status)).toEqual(['shipped', 'shipped'])
    expect(data.map((one: { resource: { id: string } }) => one.resource.id)).toEqual(
      orders.flatMap((one: { id: string; prescription: string }) => [
        one.id,
        one.id,
        one.prescription,
      ]),
    )
    const moments = data.map((one: { created_at: string }) => one.created_at)
    expect(new Set(moments).size).toBe(6)
    expect(moments).toEqual(moments.toSorted())
  })
})

describe('409', () => {
  test('a case that is not approved has no orders to move, and nothing is written', async () => {
    const { id } = await queuedCase(fixtures)
    const since = await moment()
    const replied = await ask(fixtures, 'shipCase', { id, body: {}, key: 'ship-too-early' })
    expect(replied.code).toBe('invalid_transition')
    expect(replied.body.members).toMatchObject({ current_status: 'queued', orders: [] })
    expect(replied.body).toMatchObject({
      detail: 'This case has no orders. It is queued.',
      hint: 'Only an approval makes orders: POST /v1/test/cases/{id}/decision.',
    })
    expect(await lastEvents(since)).toEqual([])
    await must(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
    expect((await ask(fixtures, 'shipCase', { id, body: {}, key: 'ship-too-early' })).status).toBe(
      200,
    )
  })

  test('what was not shipped is not delivered, and the hint says what comes first', async () => {
    const id = await approved()
    const early = await ask(fixtures, 'deliverCase', { id, body: {} })
    expect(early.body).toMatchObject({ hint: 'Ship first: POST /v1/test/cases/{id}/ship.' })
    await must(fixtures, 'shipCase', { id, body: {} })
    await must(fixtures, 'deliverCase', { id, body: {} })
    expect((await ask(fixtures, 'deliverCase', { id, body: {} })).body.hint).toBeUndefined()
  })

  test('ten ships at once: the order is shipped once', async () => {
    const id = await approved()
    const since = await moment()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(fixtures, 'shipCase', { id, body: {} })),
    )
    expect(replies.filter(one => one.status === 200).length).toBe(1)
    expect(replies.filter(one => one.code === 'invalid_transition').length).toBe(9)
    expect((await lastEvents(since)).length).toBe(3)
  })
})

describe('400', () => {
  test.each([
    [{ tracking: { carrier: 'mule', number: '1' } }, '#/tracking/carrier', 'not_in_enum'],
    [{ tracking: { carrier: 'ups' } }, '#/tracking/number', 'required'],
    [
      { tracking: { carrier: 'ups', number: '1', url: 'http://example.com' } },
      '#/tracking/url',
      'invalid_format',
    ],
  ])('%j', async (body, pointer, code) => {
    const id = await approved()
    const replied = await ask(fixtures, 'shipCase', { id, body })
    expect(replied.body.errors).toMatchObject([{ pointer, code }])
    expect((await ordersOf(id))[0].status).toBe('created')
  })
})
