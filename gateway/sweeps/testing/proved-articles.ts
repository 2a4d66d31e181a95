// Articles and comparisons: sentences that name the test that shows them.
import type { Proof } from './proof.ts'

export const provedArticles: Readonly<Record<string, readonly Proof[]>> = {
  'articles/photos-and-files.md': [
    [
      'A PNG that was announced as a PDF is refused, with 400',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      'They are part of the signature, and storage refuses an upload without them',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'its record is removed; its bytes were never kept | you get 404; the clinic keeps the photo',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: cases are withdrawn and stay readable, documents stay with the clinic',
    ],
    [
      '| an export that held a link to it | removed | removed, and the link ends |',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'The clinic keeps that it was there, who removed it, when and why',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
  ],
  'articles/consent-versions.md': [
    [
      'A consent is never changed and never edited',
      'clinical/cases/create.test.ts',
      'a consent that is recorded later does not change existing cases',
    ],
    [
      'A consent recorded afterwards leaves filed cases alone',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
  ],
  'articles/idempotency-in-a-clinic.md': [
    [
      'A replay is the stored answer itself, byte for byte, and not the resource as it looks now',
      'clinical/pipeline/idempotency.test.ts',
      'returns the first answer, not the current state',
    ],
    [
      'of a patient who was deleted since, only the id comes back',
      'clinical/patients/delete.test.ts',
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      'a refused write never uses up its key',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'same key, the first one was refused or failed | it runs as new',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'It writes no event, sends no webhook and makes no charge',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'the unique index on the key undoes the second, and it is answered by the replay',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate that committed during the write is replayed, not deleted',
    ],
    [
      'It does not belong to the API key that sent it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
  ],
  'articles/webhooks-you-can-trust.md': [
    [
      'It is shown in that answer and never again',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'Each attempt is signed afresh with its own time',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'every attempt has a new timestamp and signature, and a success is the last',
    ],
    [
      'Nothing is sent to a disabled endpoint',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'an endpoint disabled with 500 pending deliveries gets no more; three running ones are recorded',
    ],
    [
      'the newest two stay valid and the oldest stops at once',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
  ],
  'articles/how-an-async-consult-works.md': [
    [
      'Without both, the case is refused with `consent_required`',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
  ],
  'articles/vendor-security-packet.md': [
    [
      'shows your calls with the names and types of fields, never a value',
      'clinical/requests/retrieve.test.ts',
      'of a patient is nowhere a value, in the audit or in the log',
    ],
    [
      'one row for each call, signed, never deleted',
      'database/isolation.test.ts',
      'audit: not even the owner changes or removes a row',
    ],
    [
      'Webhook secrets are encrypted besides',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'refuses live calls with 503',
      'clinical/pipeline/live-closed.test.ts',
      '503: a live call where live mode is not open writes nothing but its audit row',
    ],
  ],
  'articles/leaving-records-and-offboarding.md': [
    [
      'Deleting a patient in live mode hides that patient from you, and the clinic keeps the record',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      'A record that is past both is destroyed, unless a legal hold is on it',
      'clinical/records/retention.test.ts',
      'retention: a legal hold, an open case and a policy that does not count yet keep a record',
    ],
    [
      '| audit rows of calls to this API | ours | stay, and are never changed |',
      'database/isolation.test.ts',
      'audit: not even the owner changes or removes a row',
    ],
  ],
  'articles/who-may-fill-this.md': [
    [
      'in live mode `GET /v1/medications` lists it, and a case with another medication is refused',
      'clinical/medications/formulary.test.ts',
      'live: a case that names another medication is refused with what to call, and not filed',
    ],
  ],
  'comparisons/one-clinic-vs-network.md': [
    [
      'the second clinic does not see the first one’s cases',
      'clinical/sweeps/two-tenants.test.ts',
      'rows under the grant of one clinic are not visible under the grant of another',
    ],
    [
      'A call that leaves it out is refused with [`organization_required`]',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
  ],
  'articles/agents-and-patient-data.md': [
    [
      'a live credential never sees it',
      'gateway/mcp/clinical/admission.test.ts',
      'a live key sees 34 tools, none of the sandbox, and is refused those',
    ],
    [
      'an order keeps its address, so a later change moves no parcel',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
  ],
  'articles/measuring-time-to-decision.md': [
    [
      'Two events of one case never share a moment',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
  ],
  'articles/poll-without-losing-events.md': [
    [
      'so a case filed while you page comes at the end and is neither skipped nor doubled',
      'clients/typescript/lists.test.ts',
      'lists: every row once and in order, while others are written',
    ],
  ],
  'articles/sandbox-before-live.md': [
    [
      'Sandbox controls ignore the time of day',
      'clinical/visits/states.test.ts',
      'sandbox controls work at any time, before and after the start',
    ],
    [
      'Routes, validation, refusals, events and signatures are the same in both modes',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'The reset removes your sandbox rows',
      'clinical/sandbox/reset.test.ts',
      'removes the eight resources of the guide at once and resets the autopilot',
    ],
  ],
  'comparisons/mcp-vs-rest-for-agents.md': [
    [
      'each tool is one operation of the REST API, with its scopes, its refusals and its audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      'tool server: $name leaves the audit row of its operation',
    ],
  ],
}
