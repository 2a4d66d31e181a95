// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Scope } from './organization.ts'

export type ProblemCode =
  | 'invalid_request'
  | 'idempotency_key_required'
  | 'organization_required'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_scope'
  | 'organization_not_granted'
  | 'baa_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_transition'
  | 'idempotency_in_progress'
  | 'slot_unavailable'
  | 'join_not_open'
  | 'export_not_ready'
  | 'upload_missing'
  | 'endpoint_disabled'
  | 'endpoint_limit_reached'
  | 'gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'consent_required'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'live_not_available'
  | 'service_unavailable'
  | (string & {})

export type FieldErrorCode =
  | 'required'
  | 'unknown_field'
  | 'wrong_type'
  | 'invalid_format'
  | 'invalid_json'
  | 'not_in_enum'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_few'
  | 'too_many'
  | 'not_unique'
  | 'unknown_reference'
  | 'mismatch'
  | 'not_allowed'
  | 'not_allowed_in_live'
  | 'invalid_cursor'
  | 'unsafe_url'
  | (string & {})

/** An error, `application/problem+json` (RFC 9457). */
export interface Problem {
  type: string
  /** Fixed per code. */
  title: string
  /** The HTTP status. */
  status: number
  /** What is wrong with this request. Never patient data. */
  detail: string
  /** Stable. Branch on it. */
  code: ProblemCode
  /** Equals the Request-Id header. */
  request_id: string
  /** What to do next. */
  hint?: string
  errors?: FieldError[]
  /** Of `organization_required`: those that granted access. */
  organizations?: ProblemOrganization[]
  /** Of `insufficient_scope`. */
  required_scope?: Scope
  /** Of `insufficient_scope`: the scopes you have. */
  granted_scopes?: Scope[]
  /** Of `consent_required`: the kinds to record. */
  missing?: string[]
  /** Of `invalid_transition`: what cannot move. */
  resource?: ProblemResource
  /** Of `invalid_transition` and `export_not_ready`. */
  current_status?: string
  /** Of `invalid_transition`: the statuses that allow the operation. */
  allowed_from?: string[]
  /** Of `invalid_transition` of a sandbox control: the orders of the case. */
  orders?: ProblemOrder[]
  /** Of `slot_unavailable`. */
  starts_at?: string
  /** Of `join_not_open`. */
  opens_at?: string
  /** Of `join_not_open`. */
  closes_at?: string
  /** Of `gone`: when the download ended. */
  expires_at?: string
  /** Of `endpoint_limit_reached`. */
  limit?: number
  /** Of `payload_too_large`. */
  limit_bytes?: number
}

/** One error in one request value. */
export interface FieldError {
  /** `#/a/0/b` into the body, `?name` for a query parameter, `API-Version:` for that header. */
  pointer: string
  /** What is wrong. Stable. */
  code: FieldErrorCode
  /** What the value must be, in one sentence. It never repeats the value. */
  message: string
}

export interface ProblemOrganization {
  id: string
  name: string
}

export interface ProblemResource {
  type: string
  id: string
}

export interface ProblemOrder {
  id: string
  status: string
}
