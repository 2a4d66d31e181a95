// Generated from the contract by clients/generate/generate.ts; do not edit.

export type Mode = 'test' | 'live' | (string & {})

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
  | (string & {})

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | (string & {})

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
  | (string & {})

/** A change to a resource. */
export interface Event {
  id: string
  type: EventType
  /** Unique and strictly increasing within an integration, organization and mode. */
  created_at: string
  organization: string
  mode: Mode
  resource: EventResource
  /** The resource's status after the change. */
  status: string
  /** The status before the change. null for a new resource. */
  previous_status: string | null
  /** The resource as it is now. Present only with include_resource. */
  data?: Record<string, unknown>
}

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
  event_type: EventType
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
  /** Why there was no HTTP response. */
  error: DeliveryFailure | null
  /** null once the delivery has succeeded or failed. */
  next_attempt_at: string | null
  /** When the last attempt ended. */
  last_attempt_at: string | null
  created_at: string
}

export interface EventRedeliverParams {
  webhook_endpoint?: string
}
