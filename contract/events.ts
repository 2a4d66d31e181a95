// The 32 event types (contract/05, section 2): what each is about, and the read scope that its
// resource needs before it may be embedded as `data`.

import type { Scope } from './scopes.ts'
import { caseStatuses, orderStatuses } from './states.ts'

type Resource =
  | 'patient'
  | 'case'
  | 'prescription'
  | 'order'
  | 'visit'
  | 'consent'
  | 'file'
  | 'charge'
  | 'webhook_endpoint'

const about = {
  patient: ['created', 'updated', 'deleted'],
  case: [...caseStatuses, 'question_asked', 'message_created'],
  prescription: ['created', 'updated'],
  order: orderStatuses,
  visit: ['booked', 'rescheduled', 'cancelled', 'started', 'completed', 'no_show'],
  consent: ['recorded'],
  file: ['attached'],
  charge: ['created'],
  webhook_endpoint: ['disabled'],
} as const

type Words = typeof about
export type EventType = {
  [R in keyof Words & string]: `${R}.${Words[R][number]}.v1`
}[keyof Words & string]
export type EventResource = Resource

/** Every event type, in catalog order. */
export const eventTypes: readonly EventType[] = Object.entries(about).flatMap(([resource, words]) =>
  words.map(word => `${resource}.${word}.v1` as EventType),
)

/** The read scope without which a resource is left out of an event's `data` (contract/05, 4). */
export const scopeOfResource: Record<Resource, Scope> = {
  patient: 'patients:read',
  consent: 'patients:read',
  file: 'patients:read',
  case: 'cases:read',
  prescription: 'cases:read',
  order: 'cases:read',
  visit: 'visits:read',
  charge: 'billing:read',
  webhook_endpoint: 'webhooks:manage',
}

/** The kind of resource an event type is about: its first word. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as Resource
