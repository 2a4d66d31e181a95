// One occurrence of each refusal, in the words and with the members that the API answers.

import { invalid, type ProblemCode, readHint, type Refused } from '../problems.ts'
import { limits } from '../limits.ts'
import { fieldError, ids, organization } from './resources.ts'

export const refusals: Readonly<Record<ProblemCode, Refused & { detail: string }>> = {
  invalid_request: {
    detail: '2 values of the request are not valid.',
    ...invalid([
      fieldError,
      {
        pointer: '#/requested_medication',
        code: 'unknown_field',
        message: 'requested_medication is not a field of this request.',
      },
    ]).said,
  },
  idempotency_key_required: { detail: 'The header is absent.' },
  organization_required: {
    detail: '2 organizations granted this integration access.',
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
    detail: 'The operation needs cases:write.',
    members: { required_scope: 'cases:write', granted_scopes: ['cases:read', 'patients:read'] },
  },
  organization_not_granted: {
    detail: 'Service-Organization names an organization without an active grant.',
  },
  baa_required: { detail: 'No agreement of the integration is in force.' },
  not_found: {
    detail: 'There is no such resource for this integration, organization and mode.',
  },
  method_not_allowed: { detail: 'This path takes GET, HEAD, PATCH, DELETE.' },
  invalid_transition: {
    detail:
      'A case is cancelled before a clinician reviews it, or while it waits for an answer. ' +
      'This one is in review.',
    hint: 'While it is in review, it takes POST /v1/cases/{id}/withdraw.',
    members: {
      resource: { type: 'case', id: ids.case },
      current_status: 'in_review',
      allowed_from: ['queued', 'received', 'waiting_on_integration', 'waiting_on_patient'],
    },
  },
  idempotency_in_progress: { detail: 'A request with this key is being carried out.' },
  slot_unavailable: {
    detail: 'The slot is taken.',
    members: { starts_at: '2026-11-24T18:00:00.000Z' },
  },
  join_not_open: {
    detail: 'The visit is joined between opens_at and closes_at.',
    members: { opens_at: '2026-11-24T17:00:00.000Z', closes_at: '2026-11-24T19:00:00.000Z' },
  },
  export_not_ready: {
    detail: 'The export is not completed.',
    members: { current_status: 'pending' },
  },
  upload_missing: { detail: 'Storage holds no bytes for this reservation.' },
  endpoint_disabled: { detail: 'The endpoint is disabled.' },
  endpoint_limit_reached: {
    detail: 'There are 16 endpoints already.',
    members: { limit: 16 },
  },
  gone: {
    detail: 'The download was open for 24 hours.',
    members: { expires_at: '2026-11-21T15:20:01.000Z' },
  },
  payload_too_large: {
    detail: 'The body is over 1048576 bytes.',
    members: { limit_bytes: limits.bodyBytesMax },
  },
  unsupported_media_type: { detail: 'Content-Type is not application/json in UTF-8.' },
  consent_required: {
    detail: "The case does not name the patient's current privacy consent.",
    members: { missing: ['privacy'] },
  },
  idempotency_key_reused: {
    detail: 'The key was first used with another method, path, query or body.',
  },
  rate_limited: { detail: 'The default policy allows no more calls for 12 s.' },
  internal_error: { detail: 'The failure was logged under request_id.' },
  live_not_available: { detail: 'Removing a filed document is a decision of the clinic.' },
  service_unavailable: { detail: 'The database did not answer in time.' },
}

/** What is wrong with a read is wrong with its query. */
export const invalidQuery: Refused & { detail: string } = {
  detail: '1 value of the request is not valid.',
  ...invalid([{ pointer: '?limit', code: 'too_large', message: 'limit is at most 100.' }], readHint)
    .said,
}
