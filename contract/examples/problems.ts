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
  idempotency_key_required: { detail: 'The request has no Idempotency-Key.' },
  organization_required: {
    detail: 'This integration may act for 2 organizations.',
    members: {
      organizations: [
        { id: ids.organization, name: organization.name },
        { id: 'org_01m3vb29m1kzq8w7r4n2c6t0xd', name: 'Bayview Virtual Care (sandbox)' },
      ],
    },
  },
  unauthorized: { detail: 'The token is unknown, revoked or expired.' },
  forbidden: { detail: 'A live credential cannot use the sandbox controls.' },
  insufficient_scope: {
    detail: 'The operation needs cases:write.',
    members: { required_scope: 'cases:write', granted_scopes: ['cases:read', 'patients:read'] },
  },
  organization_not_granted: { detail: 'The organization has not granted access.' },
  baa_required: { detail: 'No business associate agreement is in force.' },
  not_found: { detail: 'No such resource, or no such path.' },
  method_not_allowed: { detail: 'The path exists under another method.' },
  invalid_transition: {
    detail: 'A case in review cannot be cancelled.',
    hint: 'While it is in review, it takes POST /v1/cases/{id}/withdraw.',
    members: {
      resource: { type: 'case', id: ids.case },
      current_status: 'in_review',
      allowed_from: ['queued', 'received', 'waiting_on_integration', 'waiting_on_patient'],
    },
  },
  idempotency_in_progress: { detail: 'The request that first used this key is still running.' },
  slot_unavailable: {
    detail: 'The start is taken, past, too far ahead, or not a slot.',
    members: { starts_at: '2026-11-24T18:00:00.000Z' },
  },
  join_not_open: {
    detail: 'The visit can be joined from one hour before its start.',
    members: { opens_at: '2026-11-24T17:00:00.000Z', closes_at: '2026-11-24T19:00:00.000Z' },
  },
  export_not_ready: {
    detail: 'The export is not completed.',
    members: { current_status: 'pending' },
  },
  upload_missing: { detail: 'The storage holds no bytes for this reservation.' },
  endpoint_disabled: { detail: 'The endpoint is disabled, so nothing is sent to it.' },
  endpoint_limit_reached: {
    detail: 'The integration has as many endpoints as it may have.',
    members: { limit: 16 },
  },
  gone: {
    detail: 'The download was open for 24 hours.',
    members: { expires_at: '2026-11-21T15:20:01.000Z' },
  },
  payload_too_large: {
    detail: 'The body is larger than 1 MiB.',
    members: { limit_bytes: limits.bodyBytesMax },
  },
  unsupported_media_type: { detail: 'The body is not sent as application/json.' },
  consent_required: {
    detail: "The case does not name the patient's current privacy consent.",
    hint: 'Record it with POST /v1/patients/{id}/consents and send its id in consent_ids.',
    members: { missing: ['privacy'] },
  },
  idempotency_key_reused: { detail: 'The key was first used with another request.' },
  rate_limited: { detail: 'More than 6000 requests came in 60 seconds.' },
  internal_error: { detail: 'The request failed, and nothing was written.' },
  live_not_available: { detail: 'A filed document cannot be deleted in live mode.' },
  service_unavailable: { detail: 'The service does not answer at the moment.' },
}

/** What is wrong with a read is wrong with its query. */
export const invalidQuery: Refused & { detail: string } = {
  detail: '1 value of the request is not valid.',
  ...invalid([{ pointer: '?limit', code: 'too_large', message: 'limit is at most 100.' }], readHint)
    .said,
}
