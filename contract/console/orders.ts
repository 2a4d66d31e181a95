// Order operations for a clinic's own pharmacy staff.

import { Type } from 'typebox'
import { Patient } from '../api/patients.ts'
import { Order, Prescription, TrackingInput } from '../api/thread.ts'
import { Answer } from '../api/cases.ts'
import { limits } from '../limits.ts'
import { closed, idOf, listOf, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { orderStatuses } from '../states.ts'
import { defineConsole, readRow, version, writeRow } from './row.ts'

/** Orders the pharmacy hasn't shipped or given up on. */
export const openOrderStatuses = ['created', 'at_pharmacy', 'blocked'] as const

/** Orders with nothing left to fill. */
export const pastOrderStatuses = ['shipped', 'delivered', 'failed'] as const

const transmissionStatuses = ['due', 'accepted', 'stopped', 'by_hand'] as const

/** The status of an order at a clinic that's connected to a pharmacy. */
export const Transmission = Type.Object({
  pharmacy: Type.String({ description: 'The pharmacy’s name.' }),
  status: oneOf(transmissionStatuses),
  attempts: Type.Integer(),
  due_at: moment({ description: 'The next attempt, while one is due.' }),
  error: nullable(Type.String({ description: 'Why the last attempt was not accepted.' })),
  http_status: nullable(Type.Integer()),
  detail: nullable(Type.String({ description: 'What the pharmacy said about it.' })),
  reference: nullable(Type.String({ description: "The pharmacy's own reference for the order." })),
})

/** Null if the clinic dispenses the order itself. */
const transmission = nullable(Transmission)

const recipient = Type.Pick(Patient, ['id', 'first_name', 'last_name', 'date_of_birth', 'phone'])

const ListedOrder = Type.Object({ ...Order.properties, recipient, transmission })

const write = {
  ...writeRow,
  roles: ['pharmacy'],
  body: closed({ version }),
  returns: Order,
} as const

const move = {
  ...write,
  refuses: ['invalid_transition', 'transmission_open', 'version_changed'],
} as const

export const orderRows = defineConsole({
  listPharmacyOrders: {
    ...readRow,
    path: '/console/orders',
    roles: ['clinician', 'nurse', 'pharmacy', 'records'],
    summary: 'List orders, oldest first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      starting_after: Type.Optional(idOf('order', { 'x-cursor': true })),
      status: Type.Optional(oneOf(orderStatuses)),
      view: Type.Optional(
        oneOf(['open', 'not_sent'], {
          description:
            'Only orders not yet shipped, or those that couldn’t be sent to the pharmacy.',
        }),
      ),
    }),
    returns: listOf(ListedOrder),
  },
  listPastOrders: {
    ...readRow,
    path: '/console/past-orders',
    roles: ['clinician', 'nurse', 'pharmacy', 'records'],
    summary: 'List shipped, delivered or failed orders, newest first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      before: Type.Optional(idOf('order', { description: 'The last order on the previous page.' })),
      status: oneOf(pastOrderStatuses),
    }),
    returns: Type.Object({ data: Type.Array(ListedOrder), has_more: Type.Boolean() }),
  },
  readOrder: {
    ...readRow,
    path: '/console/orders/{id}',
    roles: ['clinician', 'nurse', 'pharmacy', 'records'],
    summary: 'Read an order with its prescription and recipient.',
    returns: Type.Object({
      ...Order.properties,
      prescribed: Prescription,
      recipient,
      answers: Type.Array(Answer, {
        description: "The case's intake answers, for the allergies they state.",
      }),
      moved_by: nullable(
        Type.String({ description: 'The name of the last person to change the order.' }),
      ),
      transmission,
    }),
  },
  shipOrder: {
    ...move,
    path: '/console/orders/{id}/ship',
    summary: 'Ship an order. A created or blocked order moves to at_pharmacy first.',
    body: closed({ version, tracking: Type.Optional(nullable(TrackingInput, { default: null })) }),
    emits: ['order.at_pharmacy.v1', 'order.shipped.v1', 'prescription.updated.v1'],
  },
  deliverOrder: {
    ...move,
    path: '/console/orders/{id}/deliver',
    summary: 'Mark an order as delivered.',
    emits: ['order.delivered.v1'],
  },
  blockOrder: {
    ...move,
    path: '/console/orders/{id}/block',
    summary: 'Block an order until it ships or fails.',
    body: closed({ version, reason: text(1, 2000) }),
    emits: ['order.blocked.v1'],
  },
  unblockOrder: {
    ...move,
    path: '/console/orders/{id}/unblock',
    summary: 'Unblock an order.',
    emits: ['order.at_pharmacy.v1'],
  },
  failOrder: {
    ...move,
    path: '/console/orders/{id}/fail',
    summary: 'Mark an order as failed.',
    body: closed({ version, reason: Type.Optional(text(1, 2000)) }),
    emits: ['order.failed.v1', 'prescription.updated.v1'],
  },
  resendOrder: {
    ...write,
    path: '/console/orders/{id}/resend',
    summary: 'Send an order to the pharmacy again after sending stopped.',
    refuses: ['invalid_transition', 'version_changed'],
  },
  takeOverOrder: {
    ...write,
    path: '/console/orders/{id}/take-over',
    summary: 'Take over an order the pharmacy has not accepted.',
    refuses: ['invalid_transition', 'version_changed'],
  },
})
