// Guides to patients, cases and what belongs to them: sentences that name their test.
import type { Proof } from './proof.ts'

export const provedRecords: Readonly<Record<string, readonly Proof[]>> = {
  'docs/patients-and-consents.md': [
    [
      'and `patient.deleted.v1` comes last',
      'clinical/visits/delete-patient.test.ts',
      'deletePatient: withdraws cases, then cancels scheduled visits in order of id, then deletes',
    ],
    [
      '| erased | 404 for you; the clinic keeps them |',
      'clinical/patients/delete.test.ts',
      'the tombstone holds no personal data',
    ],
    [
      '404 for you; the clinic keeps them',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      '| removed | 404 for you; the clinic keeps them |',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: cases are withdrawn and stay readable, documents stay with the clinic',
    ],
    [
      '| answers stored for idempotency keys | hold the id alone | hold the id alone |',
      'clinical/patients/delete.test.ts',
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      '| cases with their answers and reasons, messages, prescriptions, visits | stay readable |',
      'clinical/patients/delete.test.ts',
      'the cases, messages, prescriptions and orders stay readable',
    ],
    [
      'Naming the old one is refused, and `missing` says which kind',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'A request to erase goes to the clinic',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      'A version that is recorded later leaves open cases alone',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
    [
      'No value is repeated in an error, so it is safe to log',
      'clinical/patients/create.test.ts',
      'a refusal repeats no value of the request',
    ],
    [
      'An order keeps the address it was written with',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'There is one event, `consent.recorded.v1` of the new one, and none for the one it supersedes',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one without an event',
    ],
    [
      'A delete ends your access to the patient',
      'clinical/patients/delete.test.ts',
      'the patient and its consents are gone from every read',
    ],
    [
      'a clinic without a policy destroys nothing',
      'console/pages/records/records.test.ts',
      'retention: no policy destroys nothing',
    ],
  ],
  'docs/exports.md': [
    [
      'A deleted patient cannot be exported by you',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'in live mode it keeps the record of a patient whom you deleted, and its console makes a copy of it',
      'clinical/records/export.test.ts',
      'record export: the clinic exports a patient whom the integration deleted',
    ],
    [
      'a file that you already have is a 304 without a body',
      'gateway/sweeps/exports.test.ts',
      'export: If-None-Match with the ETag of the download gets 304',
    ],
  ],
  'docs/files.md': [
    [
      'A `size_bytes` that you give is signed, and no other size is accepted',
      'clinical/storage/s3.test.ts',
      'is refused by the bucket when anything signed is changed',
    ],
    [
      'A live case with a non-empty `files` is refused',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      '| the bytes | measured, and kept nowhere |',
      'clinical/files/upload.test.ts',
      'uploads: test mode stores no bytes',
    ],
    [
      'kept, and looked at when you confirm |',
      'clinical/files/upload.test.ts',
      '400: the bytes are of another type than declared; a corrected upload is accepted',
    ],
    [
      'The clinic is shown pictures of its pages, never the file',
      'clinical/viewer/viewer.test.ts',
      'each page of a PDF is an image of its own',
    ],
    [
      'its case does not list it, its links end, and its bytes are deleted',
      'clinical/files/files.test.ts',
      '200: the file is deleted and removed from its case',
    ],
    [
      'Without them, storage refuses it',
      'clinical/files/upload.test.ts',
      'is refused when a header of the reservation is missing or different',
    ],
    [
      'then the reservation ends, and the bytes with it',
      'clinical/files/races.test.ts',
      'uploads: a reservation that %s during its upload keeps no bytes',
    ],
    [
      'The clinic keeps the fact that it was there',
      'clinical/console/files.test.ts',
      'asked for and confirmed: link, case and bytes lose it; who, when and why stay',
    ],
    [
      'A clinic removes a document with a reason',
      'clinical/console/files.test.ts',
      'a reason is needed',
    ],
    [
      'So a retry after a lost connection is always safe',
      'clinical/files/upload.test.ts',
      'sets size_bytes and can be repeated until the file is confirmed',
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
    [
      'A refusal ends the attempts at once',
      'clinical/pharmacy/transmit.test.ts',
      '%d stops it, with what the pharmacy says on one line',
    ],
    [
      'So it is never sent and also filled by hand',
      'clinical/pharmacy/interleaving.test.ts',
      'any course: one order at the pharmacy at most, and only legal states',
    ],
    [
      'So an order never goes back from `shipped` to `at_pharmacy`',
      'clinical/pharmacy/update.test.ts',
      'an older update, and one that cannot move the order any more, are ignored and audited',
    ],
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
    [
      'The link is stored nowhere',
      'gateway/sweeps/waiting-room.test.ts',
      'writes an audit row, and the link is in no log or table',
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
    [
      'A case that names another entry is refused',
      'clinical/medications/formulary.test.ts',
      'live: a case that names another medication is refused with what to call, and not filed',
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
  ],
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
  ],
}
