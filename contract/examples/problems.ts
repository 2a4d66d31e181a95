// An example of each refusal, with the text and fields that the API returns.

import { fieldMessage } from '../messages/field-messages.ts'
import { invalid, type ProblemCodeOf, type ProblemContent } from '../problems.ts'
import { limits } from '../limits.ts'
import { fieldError, ids, organization } from './resources.ts'

export const refusals: Readonly<Record<ProblemCodeOf<'v1'>, ProblemContent & { detail: string }>> =
  {
    invalid_request: {
      detail: '2 values in the request are not valid.',
      ...invalid([
        fieldError,
        {
          pointer: '#/requested_medication',
          code: 'unknown_field',
          message: fieldMessage.unknownField('requested_medication', ['requested_medications']),
        },
      ]).content,
    },
    idempotency_key_required: { detail: 'The Idempotency-Key header is missing.' },
    organization_required: {
      detail: '2 organizations have granted this integration access.',
      members: {
        organizations: [
          { id: ids.organization, name: organization.name },
          { id: 'org_01m3vb29m1kzq8w7r4n2c6t0xd', name: 'Bayview Virtual Care (sandbox)' },
        ],
      },
    },
    unauthorized: { detail: 'No bearer token was sent.' },
    forbidden: { detail: 'This operation exists in test mode only.' },
    insufficient_scope: {
      detail: 'This operation requires the scope cases:write.',
      members: { required_scope: 'cases:write', granted_scopes: ['cases:read', 'patients:read'] },
    },
    organization_not_granted: {
      detail: 'The organization in Service-Organization has not granted this integration access.',
    },
    baa_required: { detail: 'The integration has no business associate agreement in effect.' },
    not_found: {
      detail: 'No such resource exists for this integration, organization and mode.',
    },
    method_not_allowed: { detail: 'This path accepts GET, HEAD, PATCH, DELETE.' },
    invalid_transition: {
      detail:
        'A case can be canceled before a clinician reviews it, or while it waits for an answer. ' +
        'The status of this case is in_review.',
      hint: 'An in-review case accepts POST /v1/cases/{id}/withdraw.',
      members: {
        resource: { type: 'case', id: ids.case },
        current_status: 'in_review',
        allowed_from: ['queued', 'received', 'waiting_on_integration', 'waiting_on_patient'],
      },
    },
    idempotency_in_progress: { detail: 'A request with this Idempotency-Key is still running.' },
    slot_unavailable: {
      detail: 'The slot is already taken.',
      members: { starts_at: '2026-11-24T18:00:00.000Z' },
    },
    join_not_open: {
      detail: 'The visit can be joined only between opens_at and closes_at.',
      members: { opens_at: '2026-11-24T17:00:00.000Z', closes_at: '2026-11-24T19:00:00.000Z' },
    },
    export_not_ready: {
      detail: 'The export is not completed yet.',
      members: { current_status: 'pending' },
    },
    upload_missing: { detail: 'No bytes have been uploaded for this reservation.' },
    endpoint_disabled: { detail: 'The endpoint is disabled.' },
    endpoint_limit_reached: {
      detail: 'You already have 16 endpoints, which is the limit.',
      members: { limit: 16 },
    },
    gone: {
      detail: 'The download expired 24 hours after the export was completed.',
      members: { expires_at: '2026-11-21T15:20:01.000Z' },
    },
    payload_too_large: {
      detail: `The body must not be larger than ${limits.bodyBytesMax} bytes.`,
      members: { limit_bytes: limits.bodyBytesMax },
    },
    unsupported_media_type: { detail: 'Content-Type must be application/json in UTF-8.' },
    consent_required: {
      detail: "The case does not name the patient's current privacy consent.",
      members: { missing: ['privacy'] },
    },
    idempotency_key_reused: {
      detail: 'The key was first used with another method, path, query or body.',
    },
    rate_limited: {
      detail: 'The limit of 6000 requests per 60 seconds was reached. Try again in 12 seconds.',
    },
    internal_error: { detail: 'The failure was logged under request_id.' },
    live_not_available: { detail: 'In live mode only the clinic can remove a filed document.' },
    service_unavailable: { detail: 'The database did not respond in time.' },
  }

/** The invalid_request example for reads. A read has no body, so the error is about the query. */
export const invalidQuery: ProblemContent & { detail: string } = {
  detail: '1 value in the request is not valid.',
  ...invalid([
    {
      pointer: '?limit',
      code: 'too_large',
      message: fieldMessage.tooLarge('limit', limits.pageMax),
    },
  ]).content,
}
