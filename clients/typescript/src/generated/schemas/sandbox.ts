// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { EventType } from './events.ts'
import type { QuestionTarget } from './messages.ts'
import type { TrackingCarrier } from './orders.ts'

export type Decision = 'approve' | 'decline' | 'needs_info'

export interface TestCaseDecideParams {
  decision: Decision
  /**
   * Only with approve. Defaults to what was requested. Omitted values, including dispensable, come
   * from the catalog.
   */
  plan?: PlanLineParams[]
  /** Required with decline; not allowed otherwise. */
  reason?: string
  /** Required with needs_info; not allowed otherwise. */
  target?: QuestionTarget
  /** Required with needs_info; not allowed otherwise. */
  question?: string
}

export interface PlanLineParams {
  /** From GET /v1/medications. */
  medication_id: string
  /** 1 to the entry's max_quantity. */
  quantity?: number
  /** Default: `0`. */
  refills?: number
  days_supply?: number
  directions?: string
  dispensable?: boolean
}

export interface TestCaseClinicianMessageParams {
  body: string
}

export interface TestCaseShipParams {
  /** The package, set on each order. */
  tracking?: TrackingParams | null
}

export interface TrackingParams {
  carrier: TrackingCarrier
  number: string
  url?: string | null
}

export interface TestCaseBlockParams {
  reason: string
}

export interface TestWebhookTriggerParams {
  type: EventType
  webhook_endpoint?: string
}

/** The sandbox's timers, which run once a minute. */
export interface Autopilot {
  /** Seconds from a case entering queued or in_review until it is approved. null turns it off. */
  approve_after_s: number | null
  /**
   * Seconds from an order's last change until it ships, then until it is delivered. null turns it
   * off.
   */
  ship_after_s: number | null
}

export interface TestAutopilotUpdateParams {
  /** Seconds from a case entering queued or in_review until it is approved. null turns it off. */
  approve_after_s?: number | null
  /**
   * Seconds from an order's last change until it ships, then until it is delivered. null turns it
   * off.
   */
  ship_after_s?: number | null
}

/** The result of a sandbox reset. */
export interface SandboxReset {
  reset: true
  /**
   * How many patients, consents, cases, messages, prescriptions, orders, visits, files, exports
   * and charges were deleted.
   */
  resources_deleted: number
}
