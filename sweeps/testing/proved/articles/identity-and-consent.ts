// Articles on consents and on identity, each with its test.
import type { Proofs } from '../../proof.ts'

export const identityAndConsent: Proofs = {
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
    [
      'The one before it becomes `superseded`',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one without an event',
    ],
    [
      'the same request may be sent again with [the same key]',
      'clinical/pipeline/idempotency.test.ts',
      'consent_required, then the request with the new consent',
    ],
    [
      'If one is missing, or the one named has been superseded, the answer is 422 `consent_required`',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'The ids stay on the case, so the case itself says which two texts it was filed under',
      'clinical/cases/create.test.ts',
      'consent_ids are stored as sent, superseded ones included',
    ],
    [
      'An approved case is final here',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
    [
      'No operation of the API withdraws a consent',
      'sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
    [
      'Its status stays `current` until a newer one of its kind is recorded',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one without an event',
    ],
    [
      'the case filed under it should be unchanged',
      'clinical/consents/record.test.ts',
      'a consent that is recorded later leaves a filed case as it is',
    ],
    [
      '`created_at` is when the record reached us',
      'clinical/consents/record.test.ts',
      'the consent that was recorded last is current, whatever its accepted_at',
    ],
    [
      'A new agreement is a new record',
      'sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
    [
      'It cannot tell that version `2026-09-01` was replaced this morning',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one without an event',
    ],
    [
      "A case must name the patient's current consent of both kinds",
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'Consents are judged once, when the case is filed',
      'clinical/cases/create.test.ts',
      'a consent that is recorded later does not change existing cases',
    ],
    [
      'file a case with a superseded consent, and read the refusal',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'A case here needs both kinds',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      '`privacy` says that the patient accepted your privacy document, or acknowledged that',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
    [
      'We store the string and not your document.',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
    [
      'Per patient and kind, the newest record is `current`.',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one',
    ],
    [
      'The API does not know your documents.',
      'clinical/consents/record.test.ts',
      'the consent that was recorded last is current, whatever its accepted_at',
    ],
    [
      'If your newest consent from a patient is three versions old, it is still `current`',
      'clinical/consents/record.test.ts',
      'the newest consent of a kind is current; recording it supersedes the previous one',
    ],
    [
      'The `privacy` consent of the API records that the patient ticked a box under a',
      'clinical/consents/record.test.ts',
      'returns the consent with its members in the order of the schema',
    ],
    [
      'So a patient who declines to acknowledge the notice cannot be filed by this API,',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'So the API would accept the next case, and the stop has to be yours.',
      'sweeps/table-claims.test.ts',
      'consents: no operation changes or withdraws one',
    ],
  ],
  'articles/verifying-identity-age-location.md': [
    [
      '| the state of a visit | the visit, from the booking | that it is a state |',
      'clinical/visits/list-slots.test.ts',
      'a missing state and an unknown state',
    ],
    [
      '| where the patient is today | an answer of the case | no |',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
    [
      '| a photo of a document | a [file](/docs/files) with a `kind` such as `photo_id` |',
      'clinical/files/files.test.ts',
      '400: every member with a wrong value or an unknown reference',
    ],
    [
      'It checks the form of a value, and nothing about its truth',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served',
    ],
    [
      'A minimum age is not enforced here',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served',
    ],
  ],
}
