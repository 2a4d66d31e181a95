// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Charge } from './billing.ts'
import type { Case } from './cases.ts'
import type { File } from './files.ts'
import type { Order } from './orders.ts'
import type { Consent, Deleted, Patient } from './patients.ts'
import type { Prescription } from './prescriptions.ts'
import type { Visit } from './visits.ts'
import type { WebhookEndpoint } from './webhooks.ts'

export type Mode = 'test' | 'live'

export type EventType =
  | 'patient.created.v1'
  | 'patient.updated.v1'
  | 'patient.deleted.v1'
  | 'case.received.v1'
  | 'case.queued.v1'
  | 'case.in_review.v1'
  | 'case.waiting_on_patient.v1'
  | 'case.waiting_on_integration.v1'
  | 'case.approved.v1'
  | 'case.declined.v1'
  | 'case.cancelled.v1'
  | 'case.withdrawn.v1'
  | 'case.question_asked.v1'
  | 'case.message_created.v1'
  | 'prescription.created.v1'
  | 'prescription.updated.v1'
  | 'order.created.v1'
  | 'order.at_pharmacy.v1'
  | 'order.shipped.v1'
  | 'order.delivered.v1'
  | 'order.blocked.v1'
  | 'order.failed.v1'
  | 'visit.booked.v1'
  | 'visit.rescheduled.v1'
  | 'visit.cancelled.v1'
  | 'visit.started.v1'
  | 'visit.completed.v1'
  | 'visit.no_show.v1'
  | 'consent.recorded.v1'
  | 'file.attached.v1'
  | 'charge.created.v1'
  | 'webhook_endpoint.disabled.v1'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export type DeliveryFailure =
  | 'timeout'
  | 'dns_failure'
  | 'connection_failed'
  | 'tls_failure'
  | 'protocol_failure'
  | 'blocked_address'
  | 'endpoint_disabled'
  | 'endpoint_deleted'
  | 'not_granted'
  | 'rejected'

/** The fields that every event has. */
export interface BaseEvent {
  id: string
  /** Unique and strictly increasing within an integration, organization and mode. */
  created_at: string
  organization: string
  mode: Mode
  /** The resource's status after the change. */
  status: string
  /** The status before the change. null for a new resource. */
  previous_status: string | null
}

/** An event about one of your patients. */
export interface PatientEvent extends BaseEvent {
  type: 'patient.created.v1' | 'patient.updated.v1' | 'patient.deleted.v1'
  resource: { type: 'patient'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Patient | Deleted
}

/** An event about one of your cases. */
export interface CaseEvent extends BaseEvent {
  type:
    | 'case.received.v1'
    | 'case.queued.v1'
    | 'case.in_review.v1'
    | 'case.waiting_on_patient.v1'
    | 'case.waiting_on_integration.v1'
    | 'case.approved.v1'
    | 'case.declined.v1'
    | 'case.cancelled.v1'
    | 'case.withdrawn.v1'
    | 'case.question_asked.v1'
    | 'case.message_created.v1'
  resource: { type: 'case'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Case
}

/** An event about one of your prescriptions. */
export interface PrescriptionEvent extends BaseEvent {
  type: 'prescription.created.v1' | 'prescription.updated.v1'
  resource: { type: 'prescription'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Prescription
}

/** An event about one of your orders. */
export interface OrderEvent extends BaseEvent {
  type:
    | 'order.created.v1'
    | 'order.at_pharmacy.v1'
    | 'order.shipped.v1'
    | 'order.delivered.v1'
    | 'order.blocked.v1'
    | 'order.failed.v1'
  resource: { type: 'order'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Order
}

/** An event about one of your visits. */
export interface VisitEvent extends BaseEvent {
  type:
    | 'visit.booked.v1'
    | 'visit.rescheduled.v1'
    | 'visit.cancelled.v1'
    | 'visit.started.v1'
    | 'visit.completed.v1'
    | 'visit.no_show.v1'
  resource: { type: 'visit'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Visit
}

/** An event about one of your consents. */
export interface ConsentEvent extends BaseEvent {
  type: 'consent.recorded.v1'
  resource: { type: 'consent'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Consent | Deleted
}

/** An event about one of your files. */
export interface FileEvent extends BaseEvent {
  type: 'file.attached.v1'
  resource: { type: 'file'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: File | Deleted
}

/** An event about one of your charges. */
export interface ChargeEvent extends BaseEvent {
  type: 'charge.created.v1'
  resource: { type: 'charge'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: Charge
}

/** An event about one of your webhook endpoints. */
export interface WebhookEndpointEvent extends BaseEvent {
  type: 'webhook_endpoint.disabled.v1'
  resource: { type: 'webhook_endpoint'; id: string }
  /** The resource as it is now. Present only with include_resource. */
  data?: WebhookEndpoint | Deleted
}

/** A string: the type of an event that this version of the package does not know. */
export declare enum UnknownEventType {
  later = '',
}

/** An event whose type this version of the package does not know. */
export interface UnknownEvent extends BaseEvent {
  type: UnknownEventType
  resource: EventResource
  /** The resource as it is now. Present only with include_resource. */
  data?: Record<string, unknown>
}

/** A change to a resource. `switch (event.type)` narrows `data` and `resource`. */
export type Event =
  | PatientEvent
  | CaseEvent
  | PrescriptionEvent
  | OrderEvent
  | VisitEvent
  | ConsentEvent
  | FileEvent
  | ChargeEvent
  | WebhookEndpointEvent
  | UnknownEvent

/** An event of one type. */
export type EventOf<T extends EventType> = T extends `${infer Kind}.${string}`
  ? Extract<Event, { resource: { type: Kind } }> & { type: T }
  : never

export interface EventResource {
  /** The first part of the event type, such as `case`. */
  type: string
  id: string
}

export interface EventListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
  /** Only events created after this time. */
  since?: string
  type?: EventType
  /** Default: `false`. */
  include_resource?: boolean
}

/** The delivery of an event to an endpoint, across all attempts. */
export interface Delivery {
  /** Sent in the Service-Delivery-Id header. */
  id: string
  event: string
  event_type: EventType | (string & {})
  webhook_endpoint: string
  status: DeliveryStatus
  /** Attempts made so far. */
  attempt: number
  /** HTTP status of the last attempt. null if there was no response. */
  http_status: number | null
  /** Duration of the last attempt. */
  latency_ms: number | null
  /** The first 1024 bytes of your endpoint's last response. */
  response_body: string | null
  /**
   * Why there was no HTTP response. `rejected`: a destination responded, and did not take the
   * event.
   */
  error: DeliveryFailure | (string & {}) | null
  /** null once the delivery has succeeded or failed. */
  next_attempt_at: string | null
  /** When the last attempt ended. */
  last_attempt_at: string | null
  created_at: string
}

export interface EventRedeliverParams {
  webhook_endpoint?: string
}
