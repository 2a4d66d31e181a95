// The guide to cases, each with its test.
import type { Proofs } from '../../proof.ts'

export const cases: Proofs = {
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
    [
      'What it leaves out comes from the catalog',
      'clinical/cases/create.test.ts',
      'omitted members of a medication line come from the catalog',
    ],
    [
      'In live you see what the clinic dispenses: all of it or a part, under the same ids',
      'clinical/medications/formulary.test.ts',
      'live: the catalog is the formulary from the next call on; a sandbox has the whole catalog',
    ],
    [
      'A held case is `received`',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      '`hold` says how the case was filed; `status` says where it is now',
      'clinical/cases/move.test.ts',
      'releaseCase does not change hold',
    ],
    [
      'Both end the case, keep your `reason`, and clear an open question',
      'clinical/cases/move.test.ts',
      '%s removes the open question; its message stays',
    ],
    [
      'It may hold less than was asked for, or something else',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      'so is the same move twice with a new key',
      'clinical/cases/states.test.ts',
      'cancelCase: repeating it is refused with a new key and replayed with the same key',
    ],
    [
      'The filters are `status`, `patient` and `created_after`',
      'clinical/cases/list.test.ts',
      'filters by status, by patient, and by both across pages',
    ],
    ['No clinician sees it, and a decision is refused', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      '`answer` is always a string, and `type` says how to read it',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
    [
      '`refills` left out is 0',
      'clinical/cases/create.test.ts',
      'omitted members of a medication line come from the catalog',
    ],
    [
      '| `waiting_on_patient` | answer, cancel, withdraw, a decision |',
      'sweeps/care-claims.test.ts',
      'cases: the guide lists the moves of each open status',
    ],
    [
      '| `consent_required` | `consent_ids` lacks a current consent | record what `missing` names |',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    ['- A line names a medication once', 'clinical/cases/create-refused.test.ts', '%s %s'],
    [
      "| `invalid_request` with `too_large` at `…/quantity` | more than the entry's `max_quantity` |",
      'clinical/cases/create-refused.test.ts',
      '%s %s',
    ],
    [
      '| `invalid_request` with `unknown_reference` | the patient or medication is not one you can see |',
      'clinical/cases/create-refused.test.ts',
      "another integration's patient, and a patient of the other mode",
    ],
    [
      'Use it when something comes later: a payment, or [the photos](/docs/files)',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    ['A patient may always stop', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '| `received` | release, cancel, withdraw |',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      '| `queued` | cancel, withdraw, a decision |',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      '| `in_review` | withdraw, a decision |',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      '| `waiting_on_integration` | answer, cancel, withdraw, a decision |',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      '| the four final ones | none |',
      'clinical/cases/states.test.ts',
      'case states: the table holds every state and every operation once',
    ],
    [
      '| `invalid_request` with `not_unique` | one medication on two lines |',
      'clinical/cases/create-refused.test.ts',
      '%s %s',
    ],
    [
      '| `invalid_transition` | the status does not allow the move |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      'Two were approved where four were asked for',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'In test you see all of it.',
      'clinical/medications/formulary.test.ts',
      'live: the catalog is the formulary from the next call on; a sandbox has the whole',
    ],
    [
      '`question` is the text as the patient read it, so that the clinician sees what was asked',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
    [
      '`id` in an answer is your own name for the question',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
  ],
}
