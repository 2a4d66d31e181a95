// The rest of the sentences that name their test: guides to deliveries, the sandbox and clinics,
// and articles. The form is that of proved-guides.ts.
import type { Proof } from './proved-guides.ts'

const delivery = 'clinical/webhooks/delivery'

export const provedServices: Readonly<Record<string, readonly Proof[]>> = {
  'docs/webhooks.md': [
    [
      'an HMAC-SHA256 of the time, a dot and **the raw body**, under the whole secret',
      `${delivery}/sign.test.ts`,
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'The secret is answered once',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'so a name cannot be pointed inside your network later',
      `${delivery}/post.test.ts`,
      'post: sends nothing to a name that resolves to a private address',
    ],
    [
      'Each delivery is a POST of the event with four headers',
      `${delivery}/deliver.test.ts`,
      'has the body of getEvent, four headers and a valid signature',
    ],
    [
      'such as `Set-Cookie`, only the name is kept',
      'clinical/webhooks/portal/reads.test.ts',
      'are all kept, each with where it went, what was sent, and what was answered',
    ],
    [
      'What you answered is kept encrypted',
      `${delivery}/deliver.test.ts`,
      'its first kilobyte is stored encrypted, whatever its bytes are',
    ],
    [
      'the new one first, so either secret verifies',
      `${delivery}/retry-schedule.test.ts`,
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      'It stops by itself when the endpoint is disabled or deleted, with the reason',
      'clinical/replays/ends.test.ts',
      'when its endpoint is disabled or deleted, or its sandbox is reset, with the reason',
    ],
  ],
  'docs/requests.md': [
    [
      'A reset of the sandbox keeps the log, also where it removes the events',
      'clinical/requests/retrieve.test.ts',
      'is kept by a reset of the sandbox, which removes the events themselves',
    ],
  ],
  'docs/sandbox.md': [
    [
      'A live key is refused with 403 `forbidden`, whatever its scopes',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      '| uploads | taken and measured; the bytes are not kept |',
      'clinical/files/upload.test.ts',
      'uploads: test mode stores no bytes',
    ],
    [
      'events, deliveries, records of idempotency keys | webhook endpoints with their secrets',
      'clinical/webhooks/endpoints.test.ts',
      'endpoints survive resetSandbox',
    ],
  ],
  'docs/pharmacies.md': [
    [
      'Each attempt carries the same idempotency key, the id of the prescription',
      'clinical/pharmacy/transmit.test.ts',
      'an answer that is lost is asked for again under the same key',
    ],
    [
      'A delivery before its shipment is refused until the shipment has come',
      'clinical/pharmacy/update.test.ts',
      'a delivery that overtakes its shipment is refused, and counts when it comes again',
    ],
  ],
  'docs/the-loop.md': [
    ['A case in a final state never moves again', 'clinical/cases/states.test.ts', '%s: %s'],
    ['| refused while a clinician reviews |', 'clinical/cases/states.test.ts', '%s: %s'],
  ],
  'docs/messages-and-questions.md': [
    [
      'A message never changes a status, in either direction',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
  ],
  'docs/visits.md': [
    [
      'The id is kept, the new start is claimed and the old one freed',
      'clinical/visits/reschedule.test.ts',
      'the visit keeps its id and status, and the old slot is free again',
    ],
  ],
  'docs/tool-server.md': [
    [
      'answers the same body, and leaves the same audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      'tool server: $name leaves the audit row of its operation',
    ],
  ],
  'docs/video-room.md': [
    [
      'The link is stored nowhere, and each call makes another one',
      'clinical/visits/join.test.ts',
      'each call makes a new link and writes nothing but its audit row',
    ],
  ],
  'docs/cases.md': [
    ['While a clinician reviews, a cancel is refused', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'A case is released once, and never returns to `received`',
      'clinical/cases/states.test.ts',
      'case states: the table holds every state and every operation once',
    ],
    [
      '`dispensable` is false, so it is recorded and never filled',
      'clinical/sandbox/decide.test.ts',
      'a requested medication that is not dispensable is in the plan without a prescription',
    ],
  ],
  'docs/billing.md': [
    [
      'A charge is one line of a ledger, and is never changed',
      'clinical/billing/ledger.test.ts',
      'no role can change or remove a live charge, or change a test charge',
    ],
    [
      'Where a visit costs you nothing, no charge is made and no event is sent',
      'clinical/billing/prices.test.ts',
      'that costs nothing has no charge, and no event of one',
    ],
  ],
  'docs/cli.md': [
    [
      "A project's file must not hold a secret, and is refused if it does",
      'clients/cli/output.suite.ts',
      'a project file with a secret is refused, and its value not shown',
    ],
    [
      'Each event is posted once, in order',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
  ],
  'docs/sdks.md': [
    [
      'refuses a live key before anything is sent',
      'clients/typescript/credentials.test.ts',
      'a live key from a function is refused before the first request',
    ],
  ],

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
  ],
  'articles/consent-versions.md': [
    [
      'A consent is never changed and never edited',
      'clinical/cases/create.test.ts',
      'a consent that is recorded later does not change existing cases',
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
  ],
  'articles/webhooks-you-can-trust.md': [
    [
      'It is shown in that answer and never again',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'Each attempt is signed afresh with its own time',
      `${delivery}/retry-schedule.test.ts`,
      'every attempt has a new timestamp and signature, and a success is the last',
    ],
    [
      'Nothing is sent to a disabled endpoint',
      `${delivery}/retry-schedule.test.ts`,
      'an endpoint disabled with 500 pending deliveries gets no more; three running ones are recorded',
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
  ],
}
