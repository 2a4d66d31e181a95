// Articles about the consult, each with its test.
import type { Proofs } from '../proof.ts'

export const care: Proofs = {
  'articles/how-an-async-consult-works.md': [
    [
      'Without both, the case is refused with `consent_required`',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'While it is, you cannot cancel it for a reason of your own',
      'clinical/cases/states.test.ts',
      '%s: %s',
    ],
    [
      'What the clinician writes is a `plan`, and it may differ',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      'It then stays at `received`, where no clinician sees it, until you release it',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      'Beside it stands what the clinic has of this patient here: earlier cases, photos, visits and prescriptions',
      'console/review.test.ts',
      'a patient: what the clinic has, and 404 for one that it has not',
    ],
    [
      'It is recorded, and there is no order for it',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case without prescriptions or orders',
    ],
    [
      'A note on the thread never changes the status',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    [
      'Our catalog holds none',
      'gateway/sweeps/article-claims.test.ts',
      'catalog: every page that says so may: no entry is a controlled substance',
    ],
    [
      '| 3 | answers questions, asks for a medication | files the case | `queued`, or `received` while you hold it |',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      '| 6 | may get a question | shows it, and sends back the answer | `waiting_on_patient`, then `in_review` |',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'Each of the other lines gets one prescription and one order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      'Only an answer to the open question returns the case to the clinician',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
  ],
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
      'gateway/sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
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
  ],
}
