// The 32 event types, the resource of each, and the read scope needed to embed that resource as
// `data`.

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

const changes = {
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

type Changes = typeof changes
export type EventType = {
  [R in keyof Changes & string]: `${R}.${Changes[R][number]}.v1`
}[keyof Changes & string]
export type EventResource = Resource

/** Every event type, in catalog order. */
export const eventTypes: readonly EventType[] = Object.entries(changes).flatMap(
  ([resource, verbs]) => verbs.map(verb => `${resource}.${verb}.v1` as EventType),
)

/** The read scope needed to embed a resource as an event's `data`. */
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

/** Resources that may be deleted before an event embeds them. The `data` of a deleted resource is
 *  `{ id, deleted: true }`. */
export const deletableResources: ReadonlySet<Resource> = new Set([
  'patient',
  'consent',
  'file',
  'webhook_endpoint',
])

/** The kind of resource in an event type: the part before its first dot. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as Resource

/** The headers of a webhook delivery, in lowercase. */
export const webhookHeaders = {
  signature: 'service-signature',
  event: 'service-event-id',
  type: 'service-event-type',
  delivery: 'service-delivery-id',
  replay: 'service-replay',
} as const
