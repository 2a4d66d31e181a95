// A case's messages, prescriptions and orders.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import {
  closed,
  idOf,
  listOf,
  moment,
  named,
  nullable,
  oneOf,
  openWord,
  text,
  whole,
  httpsPattern,
} from '../shapes.ts'
import { orderStatuses } from '../states.ts'
import { Address } from './address.ts'
import { page } from './answers.ts'

export const Message = named('Message', "A message on a case's thread.", {
  id: idOf('message'),
  status: openWord(['sent'], { description: 'Live mode may add `read`.' }),
  case: idOf('case'),
  kind: oneOf(['message', 'question', 'answer']),
  author: oneOf(['patient', 'integration', 'clinician']),
  target: nullable(
    oneOf(['patient', 'integration'], {
      description: 'Who the question is for. null on other messages.',
    }),
  ),
  body: text(1, 5000, { description: 'Plain text.' }),
  created_at: moment(),
})

export const Prescription = named(
  'Prescription',
  "A dispensable line of an approved case's plan.",
  {
    id: idOf('prescription'),
    case: idOf('case'),
    patient: idOf('patient'),
    order: idOf('order', { description: 'The order for this prescription.' }),
    status: oneOf(['active', 'filled', 'cancelled', 'expired']),
    medication_id: idOf('medication'),
    name: text(1, 200, { description: 'The catalog name at the time of prescribing.' }),
    form: text(1, 60),
    strength: text(1, 60),
    quantity: whole(1, 1000),
    refills: whole(0, limits.refillsMax),
    days_supply: whole(1, limits.daysSupplyMax),
    directions: text(1, 500),
    prescriber_name: text(1, 200),
    expires_at: moment({
      description: `${limits.prescriptionYears * 12} months after created_at.`,
    }),
    created_at: moment(),
    updated_at: moment(),
  },
)

export const carriers = ['usps', 'ups', 'fedex', 'dhl', 'other'] as const

export const Tracking = named('Tracking', 'The carrier and tracking number of a package.', {
  carrier: oneOf(carriers),
  number: text(1, 64),
  url: nullable(Type.String({ format: 'uri', pattern: httpsPattern, maxLength: 2048 })),
})

/** A package in a request. The link is optional. */
export const TrackingInput = closed({
  carrier: Tracking.properties.carrier,
  number: Tracking.properties.number,
  url: Type.Optional(
    nullable(Type.String({ format: 'uri', pattern: httpsPattern, maxLength: 2048, default: null })),
  ),
})

export const Order = named('Order', "The pharmacy's work on one prescription.", {
  id: idOf('order'),
  case: idOf('case'),
  patient: idOf('patient'),
  prescription: idOf('prescription'),
  status: oneOf(orderStatuses),
  medication_id: idOf('medication'),
  quantity: whole(1, 1000, { description: 'Units dispensed.' }),
  ship_to: Address,
  tracking: nullable(Tracking),
  reason: nullable(
    text(1, 2000, { description: 'Why the order is blocked, or in live mode why it failed.' }),
  ),
  shipped_at: nullable(moment()),
  delivered_at: nullable(moment()),
  created_at: moment(),
  updated_at: moment(),
})

const MessageCreate = closed({
  body: text(1, 5000),
  author: Type.Optional(oneOf(['integration', 'patient'], { default: 'integration' })),
})

export const thread = define({
  listMessages: {
    method: 'GET',
    path: '/v1/cases/{id}/messages',
    tag: 'Messages',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: "List a case's thread.",
    query: closed(page('message')),
    status: 200,
    returns: listOf(Message),
  },
  createMessage: {
    method: 'POST',
    path: '/v1/cases/{id}/messages',
    tag: 'Messages',
    scope: 'cases:write',
    mode: 'both',
    tool: true,
    summary: "Post a message to a case's thread.",
    description:
      'Messages never change the case status. To answer a question, call POST /v1/cases/{id}/answers.',
    body: MessageCreate,
    status: 201,
    returns: Message,
    emits: ['case.message_created.v1'],
    refuses: ['invalid_transition'],
  },
  listPrescriptions: {
    method: 'GET',
    path: '/v1/cases/{id}/prescriptions',
    tag: 'Prescriptions',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: "List a case's prescriptions.",
    query: closed(page('prescription')),
    status: 200,
    returns: listOf(Prescription),
  },
  getPrescription: {
    method: 'GET',
    path: '/v1/prescriptions/{id}',
    tag: 'Prescriptions',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: 'Read a prescription.',
    status: 200,
    returns: Prescription,
  },
  listOrders: {
    method: 'GET',
    path: '/v1/cases/{id}/orders',
    tag: 'Orders',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: "List a case's orders.",
    query: closed(page('order')),
    status: 200,
    returns: listOf(Order),
  },
  getOrder: {
    method: 'GET',
    path: '/v1/orders/{id}',
    tag: 'Orders',
    scope: 'cases:read',
    mode: 'both',
    tool: true,
    summary: 'Read an order.',
    status: 200,
    returns: Order,
  },
})
