import { describe, expect, test } from 'bun:test'
import { table } from '#contract/api.ts'
import { invoke, queuedCase, minoxidil, invokeOk, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

type Control = 'shipCase' | 'deliverCase' | 'blockCase' | 'failCase'
const bodies: Record<Control, object | undefined> = {
  shipCase: {},
  deliverCase: undefined,
  blockCase: { reason: 'Out of stock.' },
  failCase: undefined,
}

/** Creates an approved case with its orders in a state. */
async function approved(through: readonly Control[] = [], medications = [semaglutide]) {
  const { id } = await queuedCase(fixtures)
  const plan = medications.map(medication_id => ({ medication_id }))
  await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve', plan } })
  for (const control of through) await invokeOk(fixtures, control, { id, body: bodies[control] })
  return id
}

const ordersOf = async (id: string) => (await invokeOk(fixtures, 'listOrders', { id })).data
const prescriptionsOf = async (id: string) =>
  (await invokeOk(fixtures, 'listPrescriptions', { id })).data
const lastEvents = async (since: string) =>
  (await invokeOk(fixtures, 'listEvents', { query: { since, limit: '100' } })).data.map(
    (event: { type: string; previous_status: string | null; status: string }) =>
      `${event.type} ${event.previous_status} ${event.status}`,
  )
const moment = async () => {
  const { data } = await invokeOk(fixtures, 'listEvents', { query: { limit: '100' } })
  let last = data.at(-1)?.created_at ?? '2000-01-01'
  for (let page = data; page.length === 100;) {
    page = (await invokeOk(fixtures, 'listEvents', { query: { since: last, limit: '100' } })).data
    last = page.at(-1)?.created_at ?? last
  }
  return last
}

/** The controls that lead to each state, and each control's result there. */
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

describe('an order', () => {
  test.concurrent.each(matrix)('in %s after %s is in %s', async (state, control, to) => {
    const id = await approved(reach[state])
    const replied = await invoke(fixtures, control, { id, body: bodies[control] })
    const [order] = await ordersOf(id)
    expect(order.status).toBe(to ?? state)
    if (to !== null) return expect(replied.status).toBe(200)
    const accepting = matrix.filter(row => row[0] === state && row[2] !== null)
    const calls = accepting.map(([, one]) => `POST ${table[one].path}`)
    const next =
      calls.length > 0 ? `accepts ${calls.join(', ')}.` : 'is final; no API call can change it.'
    expect(replied.body.hint).toBe(`A ${state} order ${next}`)
    expect(replied.code).toBe('invalid_transition')
    expect(replied.body.members).toEqual({
      resource: { type: 'case', id },
      current_status: 'approved',
      allowed_from: sources[control],
      orders: [{ id: order.id, status: state }],
    })
  })
})

describe('pharmacy controls 200', () => {
  test('shipCase passes through at_pharmacy, sets tracking and fills the prescription', async () => {
    const id = await approved()
    const since = await moment()
    const tracking = { carrier: 'ups', number: '1Z999AA10123456784' }
    const found = await invokeOk(fixtures, 'shipCase', { id, body: { tracking } })
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

  test('a blocked order has a reason, which shipping removes', async () => {
    const id = await approved(['blockCase'])
    expect((await ordersOf(id))[0].reason).toBe('Out of stock.')
    await invokeOk(fixtures, 'shipCase', { id, body: {} })
    expect((await ordersOf(id))[0].reason).toBeNull()
  })

  test('a delivered order keeps tracking and shipped_at', async () => {
    const tracking = { carrier: 'usps', number: '9400', url: 'https://example.com/9400' }
    const id = await approved()
    await invokeOk(fixtures, 'shipCase', { id, body: { tracking } })
    const [shipped] = await ordersOf(id)
    await invokeOk(fixtures, 'deliverCase', { id })
    const [order] = await ordersOf(id)
    expect(order).toMatchObject({ tracking, shipped_at: shipped.shipped_at })
    expect(order.delivered_at).toBe(order.updated_at)
  })

  test('failCase cancels an active prescription and doesn’t change a filled one', async () => {
    const early = await approved(['failCase'])
    expect((await prescriptionsOf(early))[0].status).toBe('cancelled')
    expect(await ordersOf(early)).toMatchObject([{ status: 'failed', reason: null }])
    const late = await approved(['shipCase', 'failCase'])
    expect((await prescriptionsOf(late))[0].status).toBe('filled')
  })

  test('several orders change together in ID order, each event with its own millisecond', async () => {
    const other = 'med_01ke5q86z8a2m9sxxch1q9x5rf'
    const id = await approved([], [semaglutide, minoxidil, other])
    const since = await moment()
    const tracking = { carrier: 'ups', number: '1Z999AA10123456784' }
    await invokeOk(fixtures, 'shipCase', { id, body: { tracking } })
    const { data } = await invokeOk(fixtures, 'listEvents', { query: { since } })
    const orders = await ordersOf(id)
    const shipped = { status: 'shipped', tracking: { ...tracking, url: null } }
    expect(orders).toMatchObject([shipped, shipped])
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

describe('pharmacy controls 409', () => {
  test('a case that isn’t approved has no orders, and nothing is written', async () => {
    const { id } = await queuedCase(fixtures)
    const since = await moment()
    const replied = await invoke(fixtures, 'shipCase', { id, body: {}, key: 'ship-too-early' })
    expect(replied.code).toBe('invalid_transition')
    expect(replied.body.members).toMatchObject({ current_status: 'queued', orders: [] })
    expect(replied.body).toMatchObject({
      detail: 'This case has no orders. The status of this case is queued.',
      hint: 'Approve the case first: POST /v1/test/cases/{id}/decision.',
    })
    expect(await lastEvents(since)).toEqual([])
    await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
    expect(
      (await invoke(fixtures, 'shipCase', { id, body: {}, key: 'ship-too-early' })).status,
    ).toBe(200)
  })

  test('a held case has no orders, and the hint says to release it', async () => {
    const { id } = await queuedCase(fixtures, undefined, { hold: true })
    const { body } = await invoke(fixtures, 'shipCase', { id, body: {} })
    expect(body.hint).toBe('Release the case first: POST /v1/cases/{id}/release. Then approve it.')
  })

  test('an approved case without orders: the hint says nothing on its plan is dispensable', async () => {
    const id = await approved([], [minoxidil])
    const { body } = await invoke(fixtures, 'shipCase', { id, body: {} })
    expect(body.hint).toStartWith("Nothing on this case's plan is dispensable.")
  })

  test('ten concurrent shipCase calls ship the order once', async () => {
    const id = await approved()
    const since = await moment()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => invoke(fixtures, 'shipCase', { id, body: {} })),
    )
    expect(replies.filter(one => one.status === 200).length).toBe(1)
    expect(replies.filter(one => one.code === 'invalid_transition').length).toBe(9)
    expect((await lastEvents(since)).length).toBe(3)
  })
})

describe('shipCase 400', () => {
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
    const replied = await invoke(fixtures, 'shipCase', { id, body })
    expect(replied.body.errors).toMatchObject([{ pointer, code }])
    expect((await ordersOf(id))[0].status).toBe('created')
  })
})
