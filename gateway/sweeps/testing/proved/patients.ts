// Guides to patients and their exports, each with its test.
import type { Proofs } from '../proof.ts'

export const patients: Proofs = {
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
    [
      'Neither `email` nor `external_id` is unique here',
      'clinical/patients/create.test.ts',
      'neither email nor external_id must be unique',
    ],
    [
      'Everything that is wrong is named at once',
      'clinical/patients/create.test.ts',
      'reports every fault at once, in document order',
    ],
    [
      'The filter is exact, and answers a list because your id need not be unique',
      'clinical/patients/list.test.ts',
      'external_id matches exactly',
    ],
    [
      '`null` clears `middle_name` or `external_id`',
      'clinical/patients/update.test.ts',
      'null clears middle_name and external_id',
    ],
    [
      'An address is replaced whole, so send all of it',
      'clinical/patients/update.test.ts',
      'an address is replaced as a whole: omitted members are removed',
    ],
    [
      'Left out, it is now',
      'clinical/consents/record.test.ts',
      'accepted_at defaults to created_at',
    ],
    [
      'Any offset is read, and the answer is in UTC',
      'clinical/consents/record.test.ts',
      'accepted_at %s is published as %s',
    ],
    [
      'The newest consent of a kind is current, whatever its `version` says and whenever it was accepted',
      'clinical/consents/record.test.ts',
      'the consent that was recorded last is current, whatever its accepted_at',
    ],
    [
      'Consents are judged once, when the case is filed',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
    [
      'The patient and the list of its consents answer 404',
      'clinical/patients/delete.test.ts',
      'the patient and its consents are gone from every read',
    ],
    [
      '| files that were reserved and not confirmed | removed | removed |',
      'clinical/files/cleanup.test.ts',
      'cleanup: deleting a live patient removes what is no record: bundles and reserved uploads',
    ],
    [
      '| open cases, scheduled visits | withdrawn, canceled | withdrawn, canceled |',
      'clinical/visits/delete-patient.test.ts',
      'deletePatient: withdraws cases, then cancels scheduled visits in order of id, then deletes the patient',
    ],
    [
      '| orders, with the address that the parcel went to | stay readable | stay readable |',
      'clinical/patients/delete.test.ts',
      'the cases, messages, prescriptions and orders stay readable',
    ],
    [
      '| [exports](/docs/exports) | removed, the stored bundle too | removed, the stored bundle too |',
      'clinical/exports/exports.test.ts',
      'an export whose patient was deleted, also when it was still pending',
    ],
    [
      'Then what stayed readable answers 404 too: cases, messages, prescriptions, orders and visits',
      'clinical/records/destruction.test.ts',
      'retention: a destroyed record leaves no row but the audit and rows that hold its ids alone',
    ],
    [
      'When none did, nothing is written, and no event follows',
      'clinical/patients/update.test.ts',
      '%s changes nothing and writes no event',
    ],
    [
      'Send only what changes',
      'clinical/patients/update.test.ts',
      'changes the members that are sent, keeps the others and writes one event',
    ],
    [
      'When a value changed there is a `patient.updated.v1`',
      'clinical/patients/update.test.ts',
      'changes the members that are sent, keeps the others and writes one event',
    ],
    [
      'No operation withdraws a consent',
      'gateway/sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
    [
      'A case must name the current consent of each kind',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    ['Territories and military addresses are refused', 'clinical/patients/create.test.ts', '%s %s'],
    [
      '- `phone` is E.164: a plus sign, the country, the number, no spaces',
      'clinical/patients/create.test.ts',
      '%s %s',
    ],
    [
      '`middle_name`, `external_id`, `address.line2` and `address.country` may be left out',
      'clinical/patients/create.test.ts',
      'optional members may be omitted or null',
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
    [
      'It answers a job, and the job alone',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'In live mode the bundle is made before the answer, and the job is `completed` at once',
      'clinical/exports/exports.test.ts',
      '201: an export is completed at once, with a link for each document',
    ],
    [
      "The same job is found below its patient, where no other patient's id finds it",
      'clinical/exports/exports.test.ts',
      'an export of another patient, of another integration and of the other mode',
    ],
    [
      '`HEAD` says what is to come, before you fetch it',
      'gateway/sweeps/exports.test.ts',
      'export: HEAD of a download has the length without reading the file',
    ],
    [
      'Two downloads of one export are the same bytes, whatever has changed since, and have the same `ETag`',
      'gateway/sweeps/exports.test.ts',
      'export: a download has stable bytes, a known length and working document links',
    ],
    [
      'ends sooner when the clinic takes its grant back or removes the document',
      'clinical/files/documents.test.ts',
      'document link 404: %s has ended',
    ],
    [
      'The key of another integration always gets `not_found`',
      'clinical/exports/exports.test.ts',
      'an export of another patient, of another integration and of the other mode',
    ],
    [
      'Each download is in the audit',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row and only its own events',
    ],
    [
      '| `failed` | 200 | 409 `export_not_ready`, without it |',
      'clinical/exports/exports.test.ts',
      'an export whose worker died is retried when its claim expires, and fails after three claims',
    ],
    [
      '| `cases`, `consents`, `files`, `prescriptions`, `orders` | every one, oldest first |',
      'clinical/exports/exports.test.ts',
      'a bundle of several database pages has each record once, in order of id',
    ],
    [
      '| after that | 200 `completed`, `expires_at` in the past | 410 `gone` |',
      'clinical/exports/exports.test.ts',
      'downloadExport 410 after 24 hours; the export still reads completed',
    ],
    [
      'There is no event for it',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      '`url` needs your key, with `patients:read`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'so that your program meets a job that is not ready',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
  ],
}
