// The checkout's rows. The protocol's own schemas for each version validate bodies. The schemas
// here describe the newest version and leave everything else open.
import { Type } from 'typebox'
import { acpDates, acpItem, acpSessions } from './acp.ts'
import type { Answer } from '../operation.ts'
import { named, oneOf } from '../shapes.ts'
import { AcpError } from './errors.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })
const uri = (description: string) => Type.String({ format: 'uri', description })
const optional = Type.Optional

const Buyer = named('CheckoutBuyer', 'The person the call is for.', {
  first_name: optional(words('The first name, as the person gave it. Required to complete.')),
  last_name: optional(words('The last name, as the person gave it.')),
  full_name: optional(words('Used if first_name is absent.')),
  email: optional(
    words('The person’s own email address, which the invitation is sent to. Required to complete.'),
  ),
  phone_number: optional(words('E.164, such as +12025550123.')),
})

const Line = Type.Object({
  id: optional(words(`\`${acpItem.id}\`.`)),
  quantity: optional(Type.Unknown({ description: '1, or omitted.' })),
})
const lines = Type.Array(Line, { description: 'One line.' })

const CartRequest = named('CheckoutCart', 'A cart. Other protocol fields are ignored.', {
  line_items: optional(lines),
  items: optional(
    Type.Array(Line, { description: 'What line_items was called before version 2026-01-30.' }),
  ),
  currency: optional(words(`\`${acpItem.currency}\`.`)),
  capabilities: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The agent’s capabilities. Not used.',
    }),
  ),
  buyer: optional(Buyer),
})

const CompleteRequest = named(
  'CheckoutCompletion',
  'The data for completing a session. Payment data is ignored and never stored.',
  {
    buyer: optional(Buyer),
    order_notes: optional(words('No health information.')),
    user_consent: optional(
      Type.Unknown({
        description:
          '`true` or omitted, because completing confirms the person’s consent. Anything else is refused.',
      }),
    ),
  },
)

const CancelRequest = named('CheckoutCancellation', 'A cancellation. The body is optional.', {
  intent_trace: optional(Type.Unknown({ description: 'The reason, in the protocol’s format.' })),
})

const Total = Type.Object({
  type: words('What the total covers.'),
  display_text: words('A human-readable text.'),
  amount: Type.Literal(0),
})
const Message = Type.Object({
  type: oneOf(['info', 'error']),
  code: optional(words('The code of an error.')),
  param: optional(words('The location, as JSONPath.')),
  content_type: words('`plain`.'),
  content: words('What to ask the person, what is missing, or what was booked.'),
})
const Order = Type.Object({
  id: words('The ID of the booking.'),
  checkout_session_id: words('The ID of the session.'),
  permalink_url: uri('The booking page.'),
})

const Session = named(
  'CheckoutSession',
  'An Agentic Commerce Protocol session, in the requested version’s format.',
  {
    id: words('A self-contained ID. The session is not stored.'),
    status: oneOf(['ready_for_payment', 'not_ready_for_payment', 'completed', 'canceled']),
    currency: Type.Literal(acpItem.currency),
    buyer: optional(Buyer),
    line_items: Type.Array(Type.Unknown({ description: 'One line, free of charge.' })),
    totals: Type.Array(Total),
    fulfillment_options: Type.Array(Type.Unknown({ description: 'The booking page.' })),
    messages: Type.Array(Message),
    links: Type.Array(
      Type.Object({ type: words('What the link points to.'), url: uri('The URL.') }),
    ),
    order: optional(Order),
  },
)

const dates = `API-Version accepts the protocol versions here, ${acpDates.join(', ')}, as well as the versions of this API. Default: the newest.`
const id = words('The ID from createCheckoutSession.')
/** Sessions that only the server in tests accepts. */
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
/** Errors of every request that can have an Idempotency-Key. */
const keyed = [
  error(
    409,
    '`idempotency_in_flight`: the first call with this key, or another that completes the session, is still running.',
  ),
  error(422, '`idempotency_conflict`: the key was used with another body.'),
]
const completed = error(405, '`session_completed`: create a new session to book another call.')
const common = { tag: 'Checkout', form: 'acp' } as const
const line_items = [{ id: acpItem.id }]
const ada = { first_name: 'Ada', email: 'ada@example.com' }

export const checkoutOperations = defineSite({
  createCheckoutSession: {
    method: 'POST',
    path: acpSessions,
    ...common,
    summary: 'Create a checkout session for the discovery call.',
    description: `The call is free, and no payment data is needed. ${dates}`,
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
        summary: 'The discovery call, in the first version',
        headers: { 'API-Version': '2025-09-29' },
        body: { items: [{ id: acpItem.id, quantity: 1 }] },
        status: 201,
      },
      two: {
        summary: 'Two calls at once',
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
    description: `Every session has the same cart, because updates are not stored. ${dates}`,
    params: { id },
    answers: [sessionAnswer(200, 'The cart.')],
    refuses: ['invalid_request', 'not_found'],
    examples: {
      session: { summary: 'A session', params: { id: session }, status: 200 },
      date: {
        summary: 'An unknown version',
        params: { id: session },
        headers: { 'API-Version': '2024-01-01' },
        status: 400,
      },
      unknown: { summary: 'A made-up ID', params: { id: 'cs_none' }, status: 404 },
    },
  },
  updateCheckoutSession: {
    method: 'POST',
    path: `${acpSessions}/{id}`,
    ...common,
    summary: 'Update a checkout session.',
    description: `Returns the cart with this request’s values, without storing them. ${dates}`,
    params: { id },
    body: CartRequest,
    answers: [sessionAnswer(200, 'The cart, and what is still missing.'), ...keyed],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      buyer: { summary: 'A buyer', params: { id: session }, body: { buyer: ada }, status: 200 },
      wrong: {
        summary: 'An invalid buyer',
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
    summary: 'Complete a checkout session and book the call.',
    description: `Ask the person first, in the words of the session’s messages. Completing confirms that they were asked this way and agreed. An email address at a reserved domain (RFC 2606) makes it a dry run: nothing is sent or stored, and the response has \`Service-Dry-Run: true\`. ${dates}`,
    params: { id },
    body: CompleteRequest,
    answers: [
      sessionAnswer(
        200,
        'The session with its order. Repeating the request returns the same response.',
      ),
      completed,
      ...keyed,
    ],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      dry_run: {
        summary: 'A dry run',
        params: { id: session },
        body: { buyer: ada },
        status: 200,
      },
      no_buyer: { summary: 'No buyer', params: { id: session }, body: {}, status: 400 },
      another: {
        summary: 'Another person in a completed session',
        params: { id: session },
        body: { buyer: { ...ada, email: 'eve@example.com' } },
        status: 405,
      },
      refused: {
        summary: 'A person who did not agree',
        params: { id: session },
        body: { buyer: ada, user_consent: false },
        status: 400,
      },
      unknown: { summary: 'An unknown session', params: { id: 'cs_none' }, body: {}, status: 404 },
    },
  },
  cancelCheckoutSession: {
    method: 'POST',
    path: `${acpSessions}/{id}/cancel`,
    ...common,
    summary: 'Cancel a checkout session.',
    description: `Cancellations are not stored, so you can still complete a canceled session. To cancel a booked call, the person uses the booking page. ${dates}`,
    params: { id },
    body: CancelRequest,
    answers: [
      sessionAnswer(200, 'Canceled. Nothing was stored, so there is nothing to undo.'),
      completed,
      ...keyed,
    ],
    refuses: ['invalid_request', 'not_found', 'unsupported_media_type'],
    examples: {
      session: { summary: 'A session', params: { id: cancelled }, body: {}, status: 200 },
      no_body: { summary: 'Without a body', params: { id: cancelled }, status: 200 },
      list: {
        summary: 'A body that is not an object',
        params: { id: cancelled },
        body: [],
        status: 400,
      },
      unknown: { summary: 'An unknown session', params: { id: 'cs_none' }, body: {}, status: 404 },
    },
  },
})
