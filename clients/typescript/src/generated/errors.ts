// Generated from the contract by clients/generate/generate.ts; do not edit.

import { APIError, refusedAs, type Refusal } from '../errors.ts'
import type { Scope } from './schemas/organization.ts'
import type { ProblemOrder, ProblemOrganization, ProblemResource } from './schemas/problems.ts'

/**
 * The request is not valid (`invalid_request`, 400).
 *
 * Fix each entry in errors and send the request again.
 */
export class InvalidRequestError extends refusedAs('invalid_request') {}

/**
 * An Idempotency-Key header is required (`idempotency_key_required`, 400).
 *
 * Send an Idempotency-Key of 1 to 255 printable ASCII characters without spaces, such as a UUID.
 * Send the same one when you retry.
 */
export class IdempotencyKeyRequiredError extends refusedAs('idempotency_key_required') {}

/**
 * An organization must be named (`organization_required`, 400).
 *
 * Send one of the IDs in organizations in the Service-Organization header.
 */
export class OrganizationRequiredError extends refusedAs('organization_required') {
  /** The organizations that granted access. */
  get organizations(): ProblemOrganization[] | undefined {
    return this.raw.organizations
  }
}

/**
 * The credential is missing or not valid (`unauthorized`, 401).
 *
 * Send Authorization: Bearer followed by an API key or an access token. Credentials in the URL or
 * body are ignored. WWW-Authenticate points to the authorization server.
 */
export class UnauthorizedError extends refusedAs('unauthorized') {}

/**
 * This credential cannot call this operation (`forbidden`, 403).
 *
 * Use a test credential for sandbox operations and a live credential for live data.
 */
export class ForbiddenError extends refusedAs('forbidden') {}

/**
 * A scope is missing (`insufficient_scope`, 403).
 *
 * Use a key or an access token with required_scope. If yours has it, then the clinic's grant or
 * the token's member role doesn't include it. GET /v1/organization lists the scopes you have.
 */
export class InsufficientScopeError extends refusedAs('insufficient_scope') {
  /** The missing scope. */
  get requiredScope(): Scope | undefined {
    return this.raw.required_scope
  }
  /** The scopes you have. */
  get grantedScopes(): Scope[] | undefined {
    return this.raw.granted_scopes
  }
}

/**
 * The organization is not granted (`organization_not_granted`, 403).
 *
 * Send an organization that has granted this integration access, or omit Service-Organization if
 * only one has.
 */
export class OrganizationNotGrantedError extends refusedAs('organization_not_granted') {}

/**
 * A business associate agreement is required (`baa_required`, 403).
 *
 * Live requests work once an owner of the integration accepts the agreement in the portal, on the
 * Go live page. Test mode needs no agreement.
 */
export class BaaRequiredError extends refusedAs('baa_required') {}

/**
 * Not found (`not_found`, 404).
 *
 * Check the ID and the path. The API document is at /openapi/v1.json. Test credentials cannot see
 * live data, and live credentials cannot see test data.
 */
export class NotFoundError extends refusedAs('not_found') {}

/**
 * The method is not allowed here (`method_not_allowed`, 405).
 *
 * Use one of the methods in the Allow header.
 */
export class MethodNotAllowedError extends refusedAs('method_not_allowed') {}

/**
 * The current status does not allow this operation (`invalid_transition`, 409).
 *
 * Read the resource again and act on its current status.
 */
export class InvalidTransitionError extends refusedAs('invalid_transition') {
  /** The resource. */
  get resource(): ProblemResource | undefined {
    return this.raw.resource
  }
  /** Its current status. */
  get currentStatus(): string | undefined {
    return this.raw.current_status
  }
  /** The statuses that allow the operation. */
  get allowedFrom(): string[] | undefined {
    return this.raw.allowed_from
  }
  /** With `invalid_transition` from a sandbox operation: the case's orders. */
  get orders(): ProblemOrder[] | undefined {
    return this.raw.orders
  }
}

/**
 * The first request is still running (`idempotency_in_progress`, 409).
 *
 * Wait for Retry-After seconds, then send the same request with the same key.
 */
export class IdempotencyInProgressError extends refusedAs('idempotency_in_progress') {}

/**
 * The slot is not available (`slot_unavailable`, 409).
 *
 * Choose another start from GET /v1/visits/slots.
 */
export class SlotUnavailableError extends refusedAs('slot_unavailable') {
  /** The requested start. */
  get startsAt(): string | undefined {
    return this.raw.starts_at
  }
}

/**
 * The visit cannot be joined now (`join_not_open`, 409).
 *
 * Call GET /v1/visits/{id}/join again between opens_at and closes_at.
 */
export class JoinNotOpenError extends refusedAs('join_not_open') {
  /** When joining opens. */
  get opensAt(): string | undefined {
    return this.raw.opens_at
  }
  /** When joining closes. */
  get closesAt(): string | undefined {
    return this.raw.closes_at
  }
}

/**
 * The export is not ready (`export_not_ready`, 409).
 *
 * Poll GET /v1/exports/{id} until its status is completed.
 */
export class ExportNotReadyError extends refusedAs('export_not_ready') {
  /** Its current status. */
  get currentStatus(): string | undefined {
    return this.raw.current_status
  }
}

/**
 * Nothing was uploaded (`upload_missing`, 409).
 *
 * PUT the bytes to upload_url with every entry in upload_headers, then confirm the file again.
 */
export class UploadMissingError extends refusedAs('upload_missing') {}

/**
 * The endpoint is disabled (`endpoint_disabled`, 409).
 *
 * Enable the endpoint first: PATCH /v1/webhook_endpoints/{id} with status enabled.
 */
export class EndpointDisabledError extends refusedAs('endpoint_disabled') {}

/**
 * Too many webhook endpoints (`endpoint_limit_reached`, 409).
 *
 * Delete an endpoint you no longer use: DELETE /v1/webhook_endpoints/{id}.
 */
export class EndpointLimitReachedError extends refusedAs('endpoint_limit_reached') {
  /** The maximum number of endpoints. */
  get limit(): number | undefined {
    return this.raw.limit
  }
}

/**
 * The download has expired (`gone`, 410).
 *
 * Create a new export: POST /v1/patients/{id}/exports.
 */
export class GoneError extends refusedAs('gone') {
  /** When the download expired. */
  get expiresAt(): string | undefined {
    return this.raw.expires_at
  }
}

/**
 * The body is too large (`payload_too_large`, 413).
 *
 * Send at most limit_bytes.
 */
export class PayloadTooLargeError extends refusedAs('payload_too_large') {
  /** The maximum size in bytes. */
  get limitBytes(): number | undefined {
    return this.raw.limit_bytes
  }
}

/**
 * The body must be JSON (`unsupported_media_type`, 415).
 *
 * Send Content-Type: application/json and no Content-Encoding.
 */
export class UnsupportedMediaTypeError extends refusedAs('unsupported_media_type') {}

/**
 * Both consents are required (`consent_required`, 422).
 *
 * Record each missing consent with POST /v1/patients/{id}/consents and send its ID in consent_ids.
 */
export class ConsentRequiredError extends refusedAs('consent_required') {
  /** The kinds of consent to record. */
  get missing(): string[] | undefined {
    return this.raw.missing
  }
}

/**
 * The Idempotency-Key was used for another request (`idempotency_key_reused`, 422).
 *
 * Use a new key for each new request. A key belongs to one method, path, query and body.
 */
export class IdempotencyKeyReusedError extends refusedAs('idempotency_key_reused') {}

/**
 * Too many requests (`rate_limited`, 429).
 *
 * Wait for Retry-After seconds, then send the request again.
 */
export class RateLimitedError extends refusedAs('rate_limited') {}

/**
 * Something went wrong on our side (`internal_error`, 500).
 *
 * Send the request again. If it keeps failing, report request_id to the operator.
 */
export class InternalError extends refusedAs('internal_error') {}

/**
 * Not available in live mode (`live_not_available`, 501).
 *
 * Ask the clinic. Only the clinic can do this.
 */
export class LiveNotAvailableError extends refusedAs('live_not_available') {}

/**
 * Temporarily unavailable (`service_unavailable`, 503).
 *
 * Send the same request again after Retry-After seconds.
 */
export class ServiceUnavailableError extends refusedAs('service_unavailable') {}

const classes = [
  InvalidRequestError,
  IdempotencyKeyRequiredError,
  OrganizationRequiredError,
  UnauthorizedError,
  ForbiddenError,
  InsufficientScopeError,
  OrganizationNotGrantedError,
  BaaRequiredError,
  NotFoundError,
  MethodNotAllowedError,
  InvalidTransitionError,
  IdempotencyInProgressError,
  SlotUnavailableError,
  JoinNotOpenError,
  ExportNotReadyError,
  UploadMissingError,
  EndpointDisabledError,
  EndpointLimitReachedError,
  GoneError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ConsentRequiredError,
  IdempotencyKeyReusedError,
  RateLimitedError,
  InternalError,
  LiveNotAvailableError,
  ServiceUnavailableError,
]

/** A code that a later version of the API has is a plain APIError. */
export function errorOf(refusal: Refusal): APIError {
  const Known = classes.find(({ code }) => code === refusal.problem.code)
  return new (Known ?? APIError)(refusal)
}
