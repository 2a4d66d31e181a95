// Guides to live mode and to what is charged, each with its test.
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
    [
      'A charge is on one invoice at most, which the database refuses to break',
      'clinical/billing/ledger.test.ts',
      'the database refuses a charge on two invoices',
    ],
    [
      'a charge keeps the amount of the moment in which the visit was completed',
      'clinical/billing/prices.test.ts',
      'is charged what the integration pays at that moment',
    ],
    [
      'given up 90 days after it was due',
      'clinical/billing/operator.test.ts',
      'gives an invoice up 90 days after it was due; it can still be paid',
    ],
    [
      'once for each visit',
      'clinical/billing/ledger.test.ts',
      'a resource is charged once, and a charge is reversed once',
    ],
    [
      'the same amount with a minus, and `reverses` names the line it takes back',
      'clinical/billing/operator.test.ts',
      'reverses a charge once, with an event; its reversal is on the next invoice',
    ],
    [
      'over a window whose first moment is in and whose last is not',
      'clinical/billing/ledger.test.ts',
      'sums the charges of the window, from inclusive and to exclusive',
    ],
    [
      'nothing of the sandbox is owed',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
    [
      'it is the current month of UTC until now',
      'clinical/billing/ledger.test.ts',
      'the window defaults to the current month until now',
    ],
    [
      'The sandbox has none, so the list is empty and every id is `not_found`',
      'clinical/billing/ledger.test.ts',
      '404 in test mode for every id, live ids included',
    ],
    [
      'one for you in each currency, whichever clinics the charges come from',
      'clinical/billing/invoicing.test.ts',
      'makes one invoice for each month and currency, of the charges of all clinics',
    ],
    [
      'The billing email of your settings gets a message; without one, every owner does',
      'clinical/billing/invoicing.test.ts',
      'emails the billing address of the integration, or else each owner',
    ],
    [
      'In the portal it is a page, a PDF, and its charges are a CSV',
      'portal/pages/organization/usage.test.ts',
      'an invoice is kept as CSV and as PDF, by members of the integration only',
    ],
    [
      'An invoice that is `void` has no charges: they are on the one that replaced it',
      'clinical/billing/operator.test.ts',
      'voids an invoice: the next run makes another of the same month',
    ],
    [
      'it may be below zero',
      'clinical/billing/invoicing.test.ts',
      'a total of zero or less is paid at once, and the rest pays later invoices',
    ],
    [
      '| `charges[].reverses` | the line that this one takes back, or null |',
      'clinical/billing/ledger.test.ts',
      '200: charges are in order, and a reversal names the charge that it reverses',
    ],
    [
      'what came in or was left by an earlier invoice below zero, and what is owed; never negative',
      'clinical/billing/ledger.test.ts',
      '200: amount_due is zero when the invoice is paid or void',
    ],
    [
      'from 00:05 UTC',
      'clinical/billing/invoicing.test.ts',
      'waits until five minutes after the end of the month, and writes who made it',
    ],
    [
      'no case, no decision, no message, no order, no event',
      'gateway/sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing that raises a charge',
    ],
    [
      '| `count` | charges minus reversals |',
      'clinical/billing/ledger.test.ts',
      'sums the charges of the window, from inclusive and to exclusive',
    ],
    [
      'The list shows an invoice without its lines, and `GET /v1/invoices/{id}` adds `charges`',
      'clinical/billing/ledger.test.ts',
      '200: charges are in order, and a reversal names the charge that it reverses',
    ],
    [
      'It is empty, because this is a test key',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty, even when visits were completed',
    ],
  ],
}
