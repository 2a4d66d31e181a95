// The rows of the checkout. The protocol's own schemas validate its bodies, version by version;
// these describe the newest version and leave the rest open.
import { Type } from 'typebox'
import { acpDates, acpItem, acpSessions } from './acp.ts'
import type { Answer } from '../operation.ts'
import { named, oneOf } from '../shapes.ts'
import { AcpError } from './errors.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })
const uri = (description: string) => Type.String({ format: 'uri', description })
const optional = Type.Optional

const Buyer = named('CheckoutBuyer', 'Who the call is for.', {
  first_name: optional(words('As the person gave it. Wanted to complete.')),
  last_name: optional(words('As the person gave it.')),
  full_name: optional(words('Read where first_name is absent.')),
  email: optional(words('The person’s own; the invitation goes there. Wanted to complete.')),
  phone_number: optional(words('E.164, such as +12025550123.')),
})

const Line = Type.Object({
  id: optional(words(`\`${acpItem.id}\`.`)),
  quantity: optional(Type.Unknown({ description: '1, where it is said.' })),
})
const lines = Type.Array(Line, { description: 'One line.' })

const CartRequest = named('CheckoutCart', 'Other members of the protocol are passed over.', {
  line_items: optional(lines),
  items: optional(
    Type.Array(Line, { description: 'The same, as dates before 2026-01-30 name it.' }),
  ),
  currency: optional(words(`\`${acpItem.currency}\`.`)),
  buyer: optional(Buyer),
})

const CompleteRequest = named(
  'CheckoutCompletion',
  'All that completing needs. Payment data is passed over, and none is kept.',
  { buyer: optional(Buyer), order_notes: optional(words('No health information.')) },
)

const CancelRequest = named('CheckoutCancellation', 'May be left out.', {
  intent_trace: optional(Type.Unknown({ description: 'Why, as the protocol has it.' })),
})

const Total = Type.Object({
  type: words('What is summed up.'),
  display_text: words('For people.'),
  amount: Type.Literal(0),
})
const Message = Type.Object({
  type: oneOf(['info', 'error']),
  code: optional(words('Of an error.')),
  param: optional(words('Where, as JSONPath.')),
  content_type: words('`plain`.'),
  content: words('What to ask the person, what is missing, or what was booked.'),
})
const Order = Type.Object({
  id: words('Of the booking.'),
  checkout_session_id: words('Of the session.'),
  permalink_url: uri('The booking page.'),
})

const Session = named(
  'CheckoutSession',
  'A session of the Agentic Commerce Protocol, in the shape of the date that was asked for.',
  {
    id: words('Proves itself; nothing of it is stored.'),
    status: oneOf(['ready_for_payment', 'not_ready_for_payment', 'completed', 'canceled']),
    currency: Type.Literal(acpItem.currency),
    buyer: optional(Buyer),
    line_items: Type.Array(Type.Unknown({ description: 'One line, for nothing.' })),
    totals: Type.Array(Total),
    fulfillment_options: Type.Array(Type.Unknown({ description: 'The booking page.' })),
    messages: Type.Array(Message),
    links: Type.Array(Type.Object({ type: words('What it is.'), url: uri('Where it is.') })),
    order: optional(Order),
  },
)

const dates = `API-Version takes the protocol’s dates ${acpDates.join(', ')} here, and this API’s own. Without one the newest answers.`
const id = words('From the answer to create.')
/** Sessions that only the tests' server accepts. */
const [session, cancelled] = [
  'cs_rapzdr5vpd3j5sk75tr31wnerx6eyggr',
  'cs_3bvhd1j5sn2k32jnka17f4n9p6wyy9qb',
]

const sessionAnswer = (status: 200 | 201, description: string): Answer => ({
  status,
  description,
  content: { 'application/json': { schema: Session } },
})
const error = (status: 405 | 409 | 422, description: string): Answer => ({
  status,
  description,
  content: { 'application/json': { schema: AcpError } },
})
/** The errors of every call that may carry a key. */
const keyed = [
  error(409, '`idempotency_in_flight`: the first call with this key is under way.'),
  error(422, '`idempotency_conflict`: the key was used with another body.'),
]
const completed = error(405, '`session_completed`: create another session for another call.')
const common = { tag: 'Checkout', form: 'acp' } as const
const line_items = [{ id: acpItem.id }]
const ada = { first_name: 'Ada', email: 'ada@example.com' }

export const checkoutOperations = defineSite({
  createCheckoutSession: {
    method: 'POST',
    path: acpSessions,
    ...common,
    summary: 'Create a checkout session for the discovery call.',
    description: `The call is free and no payment data is asked for. ${dates}`,
    body: CartRequest,
    answers: [sessionAnswer(201, 'A session, and what to ask the person.'), ...keyed],
    refuses: ['invalid_request', 'unsupported_media_type'],
    examples: {
      call: {
        summary: 'The discovery call',
        body: { line_items, currency: acpItem.currency, capabilities: {} },
        status: 201,
      },
      older: {
        summary: 'As the first date has it',
        headers: { 'API-Version': '2025-09-29' },
        body: { items: [{ id: acpItem.id, quantity: 1 }] },
        status: 201,
      },
      two: {
        summary: 'Two of them',
        body: { items: [{ id: acpItem.id, quantity: 2 }] },
        status: 400,
      },
    },
  },
  retrieveCheckoutSession: {
    method: 'GET',
    path: `${acpSessions}/{id}`,
    ...common,
    summary: 'Retrieve a checkout session.',
    description: `The same cart for every session: what an update said is not kept. ${dates}`,
    params: { id },
    answers: [sessionAnswer(200, 'The cart.')],
    refuses: ['invalid_request', 'not_found'],
    examples: {
      session: { summary: 'A session', params: { id: session }, status: 200 },
      date: {
        summary: 'A date that is none',
        params: { id: session },
        headers: { 'API-Version': '2024-01-01' },
        status: 400,
      },
      unknown: { summary: 'An id that is made up', params: { id: 'cs_none' }, status: 404 },
    },
  },
  updateCheckoutSession: {
    method: 'POST',
    path: `${acpSessions}/{id}`,
    ...common,
    summary: 'Update a checkout session.',
    description: `Echoes the cart with what this call says, and keeps nothing of it. ${dates}`,
    params: { id },
    body: CartRequest,
    answers: [sessionAnswer(200, 'The cart, with what is still missing.'), ...keyed],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      buyer: { summary: 'A buyer', params: { id: session }, body: { buyer: ada }, status: 200 },
      wrong: {
        summary: 'A buyer that is none',
        params: { id: session },
        body: { buyer: { email: 1 } },
        status: 400,
      },
      unknown: { summary: 'An unknown session', params: { id: 'cs_none' }, body: {}, status: 404 },
    },
  },
  completeCheckoutSession: {
    method: 'POST',
    path: `${acpSessions}/{id}/complete`,
    ...common,
    summary: 'Complete a checkout session: books the call.',
    description: `Ask the person first, in the words of the session’s messages. An address at a reserved domain (RFC 2606) rehearses: the answer is that of production, and nothing is recorded or sent. ${dates}`,
    params: { id },
    body: CompleteRequest,
    answers: [
      sessionAnswer(200, 'The session with its order. Sent again it is the same.'),
      completed,
      ...keyed,
    ],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      dryRun: {
        summary: 'A rehearsal',
        params: { id: session },
        body: { buyer: ada },
        status: 200,
      },
      nobody: { summary: 'Nobody', params: { id: session }, body: {}, status: 400 },
      another: {
        summary: 'Another person’s call in a completed session',
        params: { id: session },
        body: { buyer: { ...ada, email: 'eve@example.com' } },
        status: 405,
      },
      unknown: { summary: 'An unknown session', params: { id: 'cs_none' }, body: {}, status: 404 },
    },
  },
  cancelCheckoutSession: {
    method: 'POST',
    path: `${acpSessions}/{id}/cancel`,
    ...common,
    summary: 'Cancel a checkout session.',
    description: `What is booked is cancelled on the booking page, by the person. ${dates}`,
    params: { id },
    body: CancelRequest,
    answers: [
      sessionAnswer(200, 'Cancelled. Nothing was kept, so nothing is undone.'),
      completed,
      ...keyed,
    ],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      session: { summary: 'A session', params: { id: cancelled }, body: {}, status: 200 },
      list: {
        summary: 'A body that is no object',
        params: { id: cancelled },
        body: [],
        status: 400,
      },
      unknown: { summary: 'An unknown session', params: { id: 'cs_none' }, body: {}, status: 404 },
    },
  },
})
