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

/** An error, as `application/problem+json` (RFC 9457). */
export interface Problem {
  type: string
  /** The same for every occurrence of the code. */
  title: string
  /** The HTTP status. */
  status: number
  /** What is wrong with this request. Never contains patient data. */
  detail: string
  /** A stable code to branch on. */
  code: ProblemCode | (string & {})
  /** The same as the Request-Id header. */
  request_id: string
  /** What to do next. */
  hint?: string
  errors?: FieldError[]
  /** With `organization_required`: the organizations that granted access. */
  organizations?: ProblemOrganization[]
  /** With `insufficient_scope`: the missing scope. */
  required_scope?: Scope
  /** With `insufficient_scope`: the scopes you have. */
  granted_scopes?: Scope[]
  /** With `consent_required`: the kinds of consent to record. */
  missing?: string[]
  /** With `invalid_transition`: the resource. */
  resource?: ProblemResource
  /** With `invalid_transition` and `export_not_ready`: its current status. */
  current_status?: string
  /** With `invalid_transition`: the statuses that allow the operation. */
  allowed_from?: string[]
  /** With `invalid_transition` from a sandbox operation: the case's orders. */
  orders?: ProblemOrder[]
  /** With `slot_unavailable`: the requested start. */
  starts_at?: string
  /** With `join_not_open`: when joining opens. */
  opens_at?: string
  /** With `join_not_open`: when joining closes. */
  closes_at?: string
  /** With `gone`: when the download expired. */
  expires_at?: string
  /** With `endpoint_limit_reached`: the maximum number of endpoints. */
  limit?: number
  /** With `payload_too_large`: the maximum size in bytes. */
  limit_bytes?: number
}

/** An error in one value of a request. */
export interface FieldError {
  /**
   * Where the value is: `#/a/0/b` in the body, `?name` in the query, `API-Version:` in that
   * header.
   */
  pointer: string
  /** What is wrong. Codes are stable. */
  code: FieldErrorCode | (string & {})
  /** What the value must be, in one sentence. Never repeats the value. */
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
