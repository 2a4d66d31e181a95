// The guide to live mode, each with its test.
import type { Proofs } from '../proof.ts'

export const live: Proofs = {
  'docs/live.md': [
    [
      'keeps a record whatever the policy says, as an open case',
      'clinical/records/retention.test.ts',
      'retention: a legal hold, an open case and a policy that does not count yet keep a record',
    ],
    [
      'an administrator reads records for 24 hours, with a reason; the other administrators are emailed',
      'auth/clinics/emergency.test.ts',
      'emergency access: adds the role records for 24 hours, and emails the other administrators',
    ],
    [
      'and can end it',
      'auth/clinics/emergency.test.ts',
      'emergency access: another administrator ends it, once',
    ],
    [
      'the clinic revoked its grant | 403 `organization_not_granted`',
      'clinical/console/administration.test.ts',
      'an integration whose grant is revoked is refused by the next call, and the clinic keeps its patients',
    ],
    [
      'No one decides the request of an integration that they belong to',
      'auth/grants/clinic-grants.test.ts',
      'an administrator who belongs to the integration, or asked and left, does not decide',
    ],
    [
      'The clinic may give a part of what you asked for',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to owners',
    ],
    [
      '`scopes` in the answer to `GET /v1/organization` is what your key and the grant both have',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant, in published order',
    ],
    [
      'It does so only where no other machine reaches the platform, and no setting switches it on anywhere else',
      'gateway/local/marks.test.ts',
      'with %s %s it is not, and no page says so',
    ],
    [
      'Routes, checks, refusals, events and signatures are the same',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'Nothing moves on a timer',
      'database/console-role.test.ts',
      'nothing advances a live case on a timer: the worker may change none of what a clinic decides',
    ],
    [
      'A file has a new id once it is confirmed, and the id of its reservation is not found any more',
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      'A case with a non-empty `files` is refused with `not_allowed_in_live`',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      'An export is `completed` in the first answer',
      'clinical/exports/exports.test.ts',
      '201: an export is completed at once, with a link for each document',
    ],
    [
      'Everything under `/v1/test` answers 403 `forbidden`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'A completed visit is charged at your price',
      'clinical/billing/prices.test.ts',
      'is charged what the integration pays at that moment',
    ],
    [
      "the record of a patient is the clinic's, also after [you delete the patient]",
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      'an export of the record is entered by itself',
      'console/pages/files/files.test.ts',
      'the records role exports a record as one file, which is entered as a disclosure',
    ],
    [
      'each look at the record and each change in the console: who, when, from which address',
      'clinical/console/activity.test.ts',
      'who saw a patient: each read and write of them, of their case and of their order, newest first',
    ],
    [
      'stay `pending`, are no failures, and go out in order when an owner accepts',
      'clinical/webhooks/delivery/hold.test.ts',
      'a lapsed agreement holds deliveries as pending, and a new one sends each once',
    ],
    [
      '| the agreement lapsed | 403 `baa_required` |',
      'clinical/sweeps/every-credential.test.ts',
      'a new version of the agreement must be accepted within 30 days; then live is refused',
    ],
    [
      'an embedded resource is left out where its scope is gone',
      'clinical/webhooks/delivery/deliver.test.ts',
      'omits the resource when the clinic no longer grants its scope',
    ],
    [
      'All of it counts from the next call, on every server',
      'clinical/pipeline/live-in-traffic.test.ts',
      '%s refuses the next call on both gateways',
    ],
    [
      'the server lacks what live mode needs',
      'gateway/live/gate.test.ts',
      'without %s it is closed, and the log names it',
    ],
    [
      'by [a connected pharmacy](/docs/pharmacies)',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      'is let in when the clinician starts the visit',
      'gateway/websocket/rooms.test.ts',
      'opens when the visit is started, and carries messages in their order between two gateways',
    ],
    [
      'in the states of their licenses',
      'clinical/visits/working-hours.test.ts',
      'are of clinicians who are licensed in the state until that day, and of no one else',
    ],
    [
      '| your key was revoked | 401 `unauthorized` |',
      'auth/principal.test.ts',
      'that is unknown, revoked, expired or suspended is not found, and opens no tenant',
    ],
    [
      '| a live key or client | an owner, once the first two are there |',
      'auth/administration.test.ts',
      'refused: live without an agreement, without a grant, and then allowed',
    ],
    [
      'A live key reaches the clinic, whose staff decide',
      'clinical/console/review.test.ts',
      'a case is claimed, asked about, answered, approved, shipped and delivered',
    ],
    [
      '| the business associate agreement is accepted | an owner of your integration, with a second factor | the portal, *Go live* |',
      'portal/pages/organization/go-live.test.ts',
      'needs a second factor that is not older than five minutes',
    ],
    [
      '`npm start` makes an invented clinic with staff, an integration with an agreement and a grant',
      'gateway/local/clinic.test.ts',
      'its integration has what live mode needs, and a clinic that granted every scope',
    ],
    [
      'Take a case from the queue, ask its patient a question, and answer it with the key',
      'console/review.test.ts',
      'a case is claimed, asked about, signed with another plan, and its order moved to the end',
    ],
    [
      'and the clinic sees it once it was scanned',
      'console/pages/files/files.test.ts',
      'a nurse reads a document page by page, as images alone, once it was scanned',
    ],
    [
      'Staff start, complete, move and cancel visits on the page *Visits*',
      'console/pages/visits/visits.test.ts',
      'a clinician starts and completes a visit from the list of its day',
    ],
    [
      'Its removal is a decision of the clinic, whose records role removes it in the console; then it is not found',
      'console/pages/files/files.test.ts',
      'the records role asks for a removal, keeps, asks again and removes',
    ],
    [
      '| `baa_required` | no agreement is in force |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key without an agreement in force, after checking the grant',
    ],
    [
      '| `organization_not_granted` | no clinic has granted access, or it ended |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses an organization without a grant: 403 organization_not_granted',
    ],
    [
      '| `forbidden` | a live key was sent to an operation of the sandbox |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      '| a clinic has granted scopes | you ask, and an administrator of the clinic decides |',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved, which is audited with the clinic and emailed to',
    ],
    [
      '| a first call | your software | `GET /v1/organization` |',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'Your endpoint sees the events that the sandbox sent.',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    ['We record nothing.', 'sweeps/absence-claims.test.ts', 'video: nothing records a visit'],
    [
      '`DELETE` of a file answers 501 `live_not_available`.',
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      '`npm run scenarios -- integrator-goes-live --url=… --KEY=… --LIVE_KEY=…` checks them',
      'e2e/scenarios.spec.ts',
      '${scenario.id}: ${scenario.title}',
    ],
    [
      'So a request to erase, or for a copy of everything, goes to the clinic as well as',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      "A clinician approves or declines only with a license in the patient's state",
      'clinical/console/access.test.ts',
      'a clinician without one in the state of the patient decides nothing, and may ask',
    ],
  ],
}
