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
      'gateway/sweeps/table-claims.test.ts',
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
      'gateway/sweeps/table-claims.test.ts',
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
  ],
}
