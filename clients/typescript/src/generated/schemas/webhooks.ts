// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { DeliveryStatus } from './events.ts'

export type WebhookEndpointEventType =
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
  | '*'

export type WebhookEndpointStatus = 'enabled' | 'disabled'

/** A URL that receives events, for one integration in one mode. */
export interface WebhookEndpoint {
  id: string
  /**
   * An https URL without credentials or a fragment. The host must resolve to public addresses, now
   * and before every attempt.
   */
  url: string
  event_types: (WebhookEndpointEventType | (string & {}))[]
  /** Whether each delivery includes the resource, as it is at that time, in `data`. */
  include_resource: boolean
  description: string | null
  /** Disabled by you, or after 20 failed events in a row. */
  status: WebhookEndpointStatus
  /** The signing key, including its prefix. Returned only once, so store it. */
  secret?: string
  /** Until this time, deliveries are also signed with the previous secret. */
  previous_secret_expires_at: string | null
  disabled_at: string | null
  created_at: string
  updated_at: string
}

export interface WebhookEndpointCreateParams {
  /**
   * An https URL without credentials or a fragment. The host must resolve to public addresses, now
   * and before every attempt.
   */
  url: string
  /** Exact event types, or only `*` for all types, including future ones. */
  event_types: WebhookEndpointEventType[]
  /** Default: `false`. */
  include_resource?: boolean
  description?: string | null
}

export interface WebhookEndpointListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}

export interface WebhookEndpointUpdateParams {
  /**
   * An https URL without credentials or a fragment. The host must resolve to public addresses, now
   * and before every attempt.
   */
  url?: string
  /** Exact event types, or only `*` for all types, including future ones. */
  event_types?: WebhookEndpointEventType[]
  include_resource?: boolean
  description?: string | null
  status?: WebhookEndpointStatus
}

export interface WebhookEndpointDeliveriesParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
  status?: DeliveryStatus
}
