// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Event } from './schemas/events.ts'
import type { Charge } from './schemas/billing.ts'
import type { Case } from './schemas/cases.ts'
import type { File } from './schemas/files.ts'
import type { Order } from './schemas/orders.ts'
import type { Consent, Patient } from './schemas/patients.ts'
import type { Prescription } from './schemas/prescriptions.ts'
import type { Visit } from './schemas/visits.ts'
import type { WebhookEndpoint } from './schemas/webhooks.ts'

/** By type: the kind of resource, and the resource that `data` holds. */
export interface EventResources {
  'patient.created.v1': { kind: 'patient'; data: Patient }
  'patient.updated.v1': { kind: 'patient'; data: Patient }
  'patient.deleted.v1': { kind: 'patient'; data: Patient }
  'case.received.v1': { kind: 'case'; data: Case }
  'case.queued.v1': { kind: 'case'; data: Case }
  'case.in_review.v1': { kind: 'case'; data: Case }
  'case.waiting_on_patient.v1': { kind: 'case'; data: Case }
  'case.waiting_on_integration.v1': { kind: 'case'; data: Case }
  'case.approved.v1': { kind: 'case'; data: Case }
  'case.declined.v1': { kind: 'case'; data: Case }
  'case.cancelled.v1': { kind: 'case'; data: Case }
  'case.withdrawn.v1': { kind: 'case'; data: Case }
  'case.question_asked.v1': { kind: 'case'; data: Case }
  'case.message_created.v1': { kind: 'case'; data: Case }
  'prescription.created.v1': { kind: 'prescription'; data: Prescription }
  'prescription.updated.v1': { kind: 'prescription'; data: Prescription }
  'order.created.v1': { kind: 'order'; data: Order }
  'order.at_pharmacy.v1': { kind: 'order'; data: Order }
  'order.shipped.v1': { kind: 'order'; data: Order }
  'order.delivered.v1': { kind: 'order'; data: Order }
  'order.blocked.v1': { kind: 'order'; data: Order }
  'order.failed.v1': { kind: 'order'; data: Order }
  'visit.booked.v1': { kind: 'visit'; data: Visit }
  'visit.rescheduled.v1': { kind: 'visit'; data: Visit }
  'visit.cancelled.v1': { kind: 'visit'; data: Visit }
  'visit.started.v1': { kind: 'visit'; data: Visit }
  'visit.completed.v1': { kind: 'visit'; data: Visit }
  'visit.no_show.v1': { kind: 'visit'; data: Visit }
  'consent.recorded.v1': { kind: 'consent'; data: Consent }
  'file.attached.v1': { kind: 'file'; data: File }
  'charge.created.v1': { kind: 'charge'; data: Charge }
  'webhook_endpoint.disabled.v1': { kind: 'webhook_endpoint'; data: WebhookEndpoint }
}

/** The types that this version of the package knows. */
export type KnownEventType = keyof EventResources

/** An event of one type. */
export type EventOf<T extends KnownEventType> = T extends KnownEventType
  ? Omit<Event, 'type' | 'resource' | 'data'> & {
      type: T
      resource: { type: EventResources[T]['kind']; id: string }
      /** The resource as it is now. Only with include_resource. */
      data?: EventResources[T]['data']
    }
  : never
