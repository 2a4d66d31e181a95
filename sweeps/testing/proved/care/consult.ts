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
      'sweeps/record-claims.test.ts',
      'events: every page names events that exist',
    ],
    [
      'An event whose two statuses are equal says that something changed and nothing moved.',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'It is back with the clinician who asked, and not at the end of the queue',
      'clinical/cases/answer.test.ts',
      'id and question default to those of the open',
    ],
  ],
}
