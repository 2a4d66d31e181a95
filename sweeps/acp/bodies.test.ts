// How the checkout reads a body, and how it reports errors.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { acpSessions } from '#contract/site/acp.ts'
import { type AgentsFixture, openAgents } from '#gateway/testing/agents.ts'
import {
  type Body,
  create as createAt,
  items,
  newBuyer,
  post as postTo,
  type AcpRequest,
} from '../testing/acp-agent.ts'

let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const post = (path: string, sent?: AcpRequest) => postTo(context, path, sent)
const create = () => createAt(context)
const complete = async (body: object) => post(`/${await create()}/complete`, { body })
/** The code and location of each error in a response. */
const faultsIn = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
  status,
  body['messages'].map((each: Body) => `${each['code']} ${each['param']}`),
]

describe('ACP: lines', () => {
  test.each([
    [[{ item: { id: 'x' } }], 'invalid_item_id', '$.line_items[0].item.id'],
    [[{ item: {} }], 'missing', '$.line_items[0].item.id'],
    [[{ item: { id: 'discovery-call', quantity: 2 } }], 'invalid', '$.line_items[0].quantity'],
    [[{ id: 'x' }], 'invalid_item_id', '$.line_items[0].id'],
  ])('%j is refused as %s', async (line_items, code, param) => {
    const { status, body } = await post('', { body: { line_items } })
    expect([status, body['code'], body['param']]).toEqual([400, code, param])
  })

  test('if both list names are present, the newer one is used', async () => {
    const wrong = [{ id: 'x' }]
    expect((await post('', { body: { items: wrong, line_items: items } })).status).toBe(201)
    const refused = await post('', { body: { items, line_items: wrong } })
    expect([refused.status, refused.body['param']]).toEqual([400, '$.line_items[0].id'])
  })
})

describe('ACP: a buyer', () => {
  test('with null fields is the same as one without them', async () => {
    const buyer = { ...newBuyer(), last_name: null, full_name: null, phone_number: null }
    const { status } = await complete({ buyer, user_consent: null })
    expect(status).toBe(200)
    const [row] = await context.owner`
      select last_name, phone, consent from site.bookings where person = ${buyer.email}`
    expect(row).toEqual({ last_name: null, phone: null, consent: null })
  })

  test('has its phone number stored', async () => {
    const buyer = { ...newBuyer(), phone_number: '+12025550123' }
    expect((await complete({ buyer })).status).toBe(200)
    const [row] = await context.owner`
      select phone from site.bookings where person = ${buyer.email}`
    expect(row.phone).toBe('+12025550123')
  })

  test('has each error listed once', async () => {
    const { email } = newBuyer()
    expect(faultsIn(await complete({ buyer: { first_name: 7, email } }))).toEqual([
      400,
      ['invalid $.buyer.first_name'],
    ])
    expect(faultsIn(await complete({ buyer: { first_name: 7 } }))).toEqual([
      400,
      ['invalid $.buyer.first_name', 'missing $.buyer.email'],
    ])
  })

  test('with a note or a company that is too long is refused, and nothing is stored', async () => {
    const buyer = newBuyer()
    const company = { name: 'x'.repeat(121) }
    const refused = await complete({ buyer: { ...buyer, company }, order_notes: 'x'.repeat(1001) })
    expect(faultsIn(refused)).toEqual([
      400,
      ['invalid $.buyer.company.name', 'invalid $.order_notes'],
    ])
    expect(await context.rowsOf(buyer.email)).toEqual({ bookings: 0, mail: 0 })
  })
})

test('ACP: a non-JSON body is refused with a hint on what to send', async () => {
  const send = async (type: string, body: string) => {
    const headers = { 'content-type': type }
    const answer = await context.ask(acpSessions, { method: 'POST', body, headers })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const csv = await send('text/csv', '{}')
  expect([csv.status, csv.body['code'], csv.body['message']]).toEqual([
    415,
    'unsupported_media_type',
    'The body must be JSON: send Content-Type: application/json.',
  ])
  expect(csv.body['messages'][0]).toMatchObject({ code: 'unsupported', param: '$' })
  const list = await send('application/json', '[]')
  expect([list.status, list.body['code'], list.body['message']]).toEqual([
    400,
    'invalid',
    'The body must be a JSON object in UTF-8.',
  ])
  expect(list.body['messages'][0]).toMatchObject({ code: 'invalid', param: '$' })
})

test('ACP: an empty session’s text is ASCII', async () => {
  const created = await post('', { body: { items } })
  expect(created.text).toMatch(/^[\x20-\x7e]+$/)
  expect(created.body['messages'][1]['content']).toContain('“')
})

test('ACP: a session that a person completed is not completed by a dry run', async () => {
  const id = await create()
  const completeAs = (buyer: object) => post(`/${id}/complete`, { body: { buyer } })
  expect((await completeAs(newBuyer())).status).toBe(200)
  const dry = await completeAs({ first_name: 'Ada', email: 'ada@example.com' })
  expect([dry.status, dry.body['code']]).toEqual([405, 'session_completed'])
})

test('ACP: an order is processing if the call has a time, and otherwise pending', async () => {
  const { email, first_name } = newBuyer()
  const statusIn = ({ body }: Awaited<ReturnType<typeof post>>) =>
    body['order']['fulfillments'][0]['status']
  expect(statusIn(await complete({ buyer: newBuyer() }))).toBe('pending')
  const { bookingService } = context.bookingService
  const [slot] = await bookingService.availability({ days: 31 })
  const via = { protocol: 'web', agent: null, address: null, wording: '2026-11-21' } as const
  const buyer = { firstName: first_name, email }
  const booked = await bookingService.book({ buyer, via, start: slot?.start ?? '' })
  expect(booked.kind).toBe('booked')
  expect(statusIn(await complete({ buyer: { email, first_name } }))).toBe('processing')
})
