// The pharmacy of a clinic moves orders by hand.

import { Type } from 'typebox'
import { Patient } from '../api/patients.ts'
import { Order, Prescription, TrackingInput } from '../api/thread.ts'
import { limits } from '../limits.ts'
import { closed, idOf, listOf, nullable, oneOf, text, whole } from '../shapes.ts'
import { orderStatuses } from '../states.ts'
import { defineConsole, readRow, version, writeRow } from './row.ts'

const move = {
  ...writeRow,
  roles: ['pharmacy'],
  body: closed({ version }),
  returns: Order,
  refuses: ['invalid_transition', 'version_changed'],
} as const

export const orderRows = defineConsole({
  listPharmacyOrders: {
    ...readRow,
    path: '/console/orders',
    roles: ['clinician', 'nurse', 'pharmacy', 'records'],
    summary: 'List orders, the oldest first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      starting_after: Type.Optional(idOf('order', { 'x-cursor': true })),
      status: Type.Optional(oneOf(orderStatuses)),
    }),
    returns: listOf(Order),
  },
  readOrder: {
    ...readRow,
    path: '/console/orders/{id}',
    roles: ['clinician', 'nurse', 'pharmacy', 'records'],
    summary: 'Read an order with its prescription and to whom it is dispensed.',
    returns: Type.Object({
      ...Order.properties,
      prescribed: Prescription,
      recipient: Type.Pick(Patient, ['id', 'first_name', 'last_name', 'date_of_birth', 'phone']),
      moved_by: nullable(Type.String({ description: 'Who moved it last, by name.' })),
    }),
  },
  shipOrder: {
    ...move,
    path: '/console/orders/{id}/ship',
    summary: 'Ship an order; one that was created or blocked passes through at_pharmacy.',
    body: closed({ version, tracking: Type.Optional(nullable(TrackingInput, { default: null })) }),
    emits: ['order.at_pharmacy.v1', 'order.shipped.v1', 'prescription.updated.v1'],
  },
  deliverOrder: {
    ...move,
    path: '/console/orders/{id}/deliver',
    summary: 'Record that an order arrived.',
    emits: ['order.delivered.v1'],
  },
  blockOrder: {
    ...move,
    path: '/console/orders/{id}/block',
    summary: 'Stop an order until it is shipped or fails.',
    body: closed({ version, reason: text(1, 2000) }),
    emits: ['order.blocked.v1'],
  },
  unblockOrder: {
    ...move,
    path: '/console/orders/{id}/unblock',
    summary: 'Take a blocked order up again.',
    emits: ['order.at_pharmacy.v1'],
  },
  failOrder: {
    ...move,
    path: '/console/orders/{id}/fail',
    summary: 'Give an order up.',
    body: closed({ version, reason: Type.Optional(text(1, 2000)) }),
    emits: ['order.failed.v1', 'prescription.updated.v1'],
  },
})
