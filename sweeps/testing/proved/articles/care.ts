// Articles about the consult, each with its test.
import type { Proofs } from '../../proof.ts'

export const care: Proofs = {
  'articles/needs-info-without-churn.md': [
    [
      'When nothing is waited for, `question` is null',
      'clinical/cases/answer.test.ts',
      'a decision while waiting removes the question from the case',
    ],
    [
      'Then `question` holds the newer one, and the thread holds both',
      'clinical/cases/answer.test.ts',
      'a second question replaces the open one; both stay in the messages',
    ],
    [
      'A thread message never changes the status',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    [
      'What you leave out is taken from the question: its id and its words',
      'clinical/cases/answer.test.ts',
      'id and question default to those of the open question',
    ],
    [
      'The answer is appended to the case, beside the intake answers',
      'clinical/cases/answer.test.ts',
      'answers are appended and never replace earlier ones',
    ],
    [
      'The author of the thread entry is then you, and not the patient',
      'clinical/cases/answer.test.ts',
      'the message has the %s as its author',
    ],
    [
      'Nothing in live mode moves on a timer',
      'database/console-role.test.ts',
      'nothing advances a live case on a timer: the worker may change none of what a clinic decides',
    ],
    [
      'With a new key it is a refusal, because the case has moved',
      'clinical/cases/states.test.ts',
      '%s: %s',
    ],
    [
      'Two events tell you: `case.in_review.v1` and `case.message_created.v1`',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'One entry appears on the thread',
      'clinical/cases/answer.test.ts',
      'the message has the %s as its author',
    ],
    [
      'the second tap is a replay',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      'The open question is on the case itself, so one read is enough to draw the page',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'everyone sees it, and the case does not move',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      'A case that waits for a patient keeps waiting until someone answers, withdraws or cancels it',
      'clinical/sandbox/run-autopilot.test.ts',
      'skips held and waiting cases, blocked orders and other integrations',
    ],
    [
      '| questions asked twice in one case | two question events |',
      'clinical/cases/answer.test.ts',
      'a second question replaces the open one; both stay in the messages',
    ],
    [
      '| `waiting_on_patient` | the patient | "Have you ever had pancreatitis?" | to the',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '| `waiting_on_integration` | you | "The photo is of the wrong arm. Can you get',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '"I do not understand the question" is a thread message that you post for the patient,',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      'Each wait leaves two events on the case: it enters `waiting_on_patient`, and later it',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'The clock in your reports starts at `asked_at`, and not when the ticket was read.',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
  ],
  'articles/adverse-events-and-emergencies.md': [
    ['on its thread, which stays open after a decision', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'It stores it with the case, like any answer',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
    [
      'call the pharmacy: no operation of yours moves an order',
      'sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
    ],
    [
      '| hear what the clinician writes | `case.message_created.v1` by webhook |',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      '| find every patient of one medicine | your own database, by prescription; the API',
      'sweeps/absence-claims.test.ts',
      'prescriptions: no operation finds those of one medication',
    ],
    [
      'It reads no answer, raises no alarm and calls no one',
      'clinical/cases/create.test.ts',
      'an answer that tells of an emergency is kept like any other, and moves nothing',
    ],
    [
      "[withdraw it](/docs/cases#cancel-or-withdraw), at the patient's wish",
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
  ],
  'articles/month-two.md': [
    [
      'A plan may have fewer refills than were asked for, or none',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      'Each prescription has one order, the first',
      'clinical/prescriptions/read.test.ts',
      'prescriptions: a prescription and its order refer to each other',
    ],
    [
      'since neither it nor its prescription comes back',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      '| supply | days until the patient runs out | `days_supply` of the prescription |',
      'clinical/prescriptions/read.test.ts',
      'prescriptions: a prescription and its order refer to each other',
    ],
    [
      'There is no call that asks for the next parcel, and none arrives by itself.',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served while the contract has',
    ],
    [
      'In the API, canceling money cancels nothing.',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served while the contract has',
    ],
    [
      'It takes no payment from patients and knows no subscription',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served',
    ],
    [
      'not shown: the pharmacy tells you',
      'sweeps/buyer-claims.test.ts',
      'missing parts: pages say what is not checked or served',
    ],
  ],
  'articles/when-a-clinician-declines.md': [
    [
      'A clinician who declines must give one',
      'clinical/sandbox/decide-refused.test.ts',
      'an invalid body is reported before an unknown id and before a wrong status',
    ],
    ['It cannot be reopened, released or decided again', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'A patient can still write a message on a declined case, and the clinic can answer',
      'clinical/cases/states.test.ts',
      '%s: %s',
    ],
    ['A declined case has no way back', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '`reason` is also used when a case is canceled or withdrawn',
      'clinical/cases/move.test.ts',
      '%s stores its reason, or null',
    ],
    ['**The thread stays open.**', 'clinical/cases/states.test.ts', 'a case in $state'],
    ['A "no" opens the thread.', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '[An export](/docs/exports) holds both.',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'A decision ends the case',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on',
    ],
  ],
  'articles/intake-questions-that-work.md': [
    [
      'The API keeps every answer as a string, and `type` says how to read it',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
    ],
    [
      'it is every `case.question_asked.v1`',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
  ],
  'articles/who-may-treat-where.md': [
    [
      '[Slots for visits](/docs/visits) are asked for by state',
      'clinical/visits/list-slots.test.ts',
      'a missing state and an unknown state',
    ],
    [
      "approve or decline a case only with a license in the patient's state",
      'clinical/console/access.test.ts',
      'a clinician without one in the state of the patient decides nothing, and may ask',
    ],
    [
      'that is valid on that day',
      'clinical/console/access.test.ts',
      'it is valid on its last day, and not on the day after',
    ],
    [
      'an administrator of the clinic records the licenses of its clinicians',
      'console/pages/administration/administration.test.ts',
      'roles and a license are changed',
    ],
    [
      'No operation tells you which states those are, a case is filed whatever its state',
      'sweeps/absence-claims.test.ts',
      'licenses: no operation names the states of a clinic',
    ],
    [
      'So a case in a state without a license is neither approved nor declined',
      'clinical/console/access.test.ts',
      'a clinician without one in the state of the patient decides nothing, and may ask',
    ],
  ],
}
