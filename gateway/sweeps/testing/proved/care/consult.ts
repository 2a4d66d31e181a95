// Guides to the consult and to cases, each with its test.
import type { Proofs } from '../../proof.ts'

export const consult: Proofs = {
  'docs/the-loop.md': [
    ['A case in a final state never moves again', 'clinical/cases/states.test.ts', '%s: %s'],
    ['| refused while a clinician reviews |', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'A case in a final state never moves again',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
    [
      'they run the same transitions',
      'clinical/console/states.test.ts',
      'every decision and message: as the table says, and the same by both drivers',
    ],
    [
      'No call of yours sets a status directly',
      'clinical/sweeps/hostile.test.ts',
      'no request body sets a field that the server owns, nor pollutes a prototype',
    ],
    [
      'nothing advances a live case on a timer',
      'database/console-role.test.ts',
      'nothing advances a live case on a timer: the worker may change none of what a clinic decides',
    ],
    [
      'With `"hold": true` it would be `received`',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      'Each dispensable line of `plan` became one prescription, and each prescription one order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      '| the clinician approves | `case.approved`, `prescription.created`, `order.created` |',
      'clinical/sandbox/run-autopilot.test.ts',
      'approves, ships and delivers what is due, one step a run, each with its events',
    ],
    [
      '| create the patient | `patient.created` |',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'The whole consult is sixteen',
      'clinical/sandbox/reset.test.ts',
      'removes the eight resources of the guide at once and resets the autopilot',
    ],
    [
      '| `declined` | the clinician, with a reason safe to show | `case.declined.v1` |',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    ['A move that the status does not allow is a 409', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'the patient, through you, or because the patient was deleted',
      'clinical/patients/delete.test.ts',
      'withdraws open cases in order of id, then writes patient.deleted',
    ],
    [
      'So do [its timers](/docs/sandbox#let-it-run-by-itself), which are off until you set them',
      'clinical/sandbox/run-autopilot.test.ts',
      'timers are off until they are set, and are kept for each integration',
    ],
    [
      'The case passed through `in_review` on its way',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'A patient who wants another consult gets another case',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
    [
      'All of it was written at once: there is no moment at which the case is approved and its order is missing',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      'It names the present status, and the statuses from which the move is allowed',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      'in the order in which they were committed',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'A case needs a patient and both current consents',
      'clinical/cases/create-refused.test.ts',
      'a superseded consent counts as missing',
    ],
    [
      'You file, release, answer, cancel and withdraw',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      '| `consent_required` | the case does not name both current consents |',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      '| `invalid_transition` | the case has moved since you read it |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| `not_found` | the id is of another mode, or its patient was deleted |',
      'clinical/sweeps/every-request.test.ts',
      '${id} does not find an id of test mode with a live key, as an unknown one',
    ],
    [
      'Four are final: `approved`, `declined`, `cancelled` and `withdrawn`',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
    [
      '`received`, `queued`, `in_review`, `waiting_on_patient` and `waiting_on_integration`.',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its',
    ],
    [
      '`queued` means that a clinician can see it.',
      'clinical/cases/create.test.ts',
      'returns the case with its members in the order of the schema',
    ],
    [
      'The case is still `approved`.',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'These are the events whose resource is the case.',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
    [
      'Every type ends in `.v1`.',
      'gateway/sweeps/record-claims.test.ts',
      'events: every page names events that exist',
    ],
    [
      'An event whose two statuses are equal says that something changed and nothing moved.',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
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
      'gateway/sweeps/care-claims.test.ts',
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
  ],
}
