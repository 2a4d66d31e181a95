// The guide to patients and consents, each with its test.
import type { Proofs } from '../../proof.ts'

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
      '| events, the audit | stay: ids, types, statuses | stay: ids, types, statuses |',
      'clinical/patients/delete.test.ts',
      'the events of before stay, with their ids, types, resources and statuses',
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
      'sweeps/table-claims.test.ts',
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
    ['By our id, or by yours', 'clinical/patients/list.test.ts', 'external_id matches exactly'],
    [
      'A consent is evidence, so it is never changed or deleted',
      'sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
    [
      'It stays `current` here, so nothing in this API refuses the next case: your own software has to',
      'sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
    [
      'Whether two customers are one person is yours to decide',
      'clinical/patients/create.test.ts',
      'neither email nor external_id must be unique',
    ],
    [
      '| an empty list | no patient has that `external_id` | compare letter by letter; the match is exact |',
      'clinical/patients/list.test.ts',
      'external_id matches exactly',
    ],
    [
      '- `sex_at_birth` is `female`, `male`, `intersex` or `unknown`',
      'clinical/patients/create.test.ts',
      '%s %s',
    ],
    ['- `state` is one of the 50 states or `DC`', 'clinical/patients/create.test.ts', '%s %s'],
    [
      'There is no search by name or email',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown query parameter',
    ],
    [
      '| `consent_required` | a kind in `missing` has no current consent in `consent_ids` |',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      '| `not_found` | the patient was deleted, or belongs to the other mode |',
      'clinical/patients/delete.test.ts',
      'the patient and its consents are gone from every read',
    ],
    ['An approved case is final', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '`telehealth`, the agreement to be treated at a distance, and `privacy`, which says',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
    [
      '`version` is your name for the document that the patient saw.',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
    [
      '`accepted_at` is when the patient agreed, and it may lie in the past.',
      'clinical/consents/record.test.ts',
      'accepted_at %s is published as %s',
    ],
    [
      '| attempts of webhooks | stay, with what your receiver answered | stay, with what',
      'clinical/webhooks/portal/reads.test.ts',
      'outlive the patient whom they are about',
    ],
    [
      "In live the record is the clinic's.",
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      '| `invalid_request` | a value is wrong, missing or unknown | fix each entry of',
      'clinical/patients/create.test.ts',
      'reports every fault at once, in document order',
    ],
    [
      'The record does not say which of the two it was',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
  ],
}
