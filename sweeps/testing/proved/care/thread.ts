// The guide to the thread of a case, each with its test.
import type { Proofs } from '../../proof.ts'

export const thread: Proofs = {
  'docs/messages-and-questions.md': [
    [
      'A message never changes a status, in either direction',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    [
      'You write as `integration`, which is the default, or pass on what the patient wrote as `patient`',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      'Each leaves a `case.message_created.v1` whose two statuses are equal',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    [
      '`target` says whose turn it is',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'What an answer leaves out is taken from the question: its id becomes the `msg_` id',
      'clinical/cases/answer.test.ts',
      'id and question default to those of the open question',
    ],
    [
      'Intake answers and these are one list, in order, and none is ever overwritten',
      'clinical/cases/answer.test.ts',
      'answers are appended and never replace earlier ones',
    ],
    [
      'There is one open question, the newest. The earlier one stays on the thread',
      'clinical/cases/answer.test.ts',
      'a second question replaces the open one; both stay in the messages',
    ],
    [
      'Its `author` is the one who was asked',
      'clinical/cases/answer.test.ts',
      'the message has the %s as its author',
    ],
    [
      'only `patient` and `integration` write through you',
      'clinical/messages/create.test.ts',
      'createMessage refuses the author clinician, and sendClinicianMessage any author',
    ],
    [
      'send it as `starting_after`',
      'clinical/messages/create.test.ts',
      'listMessages returns every message once, in order, across pages',
    ],
    ['After a decision the thread stays open', 'clinical/cases/states.test.ts', '%s: %s'],
    ['It closes when a case is canceled or withdrawn', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'A set of answers is one entry of kind `answer`, with one line for each answer',
      'clinical/cases/answer.test.ts',
      'the message has the %s as its author',
    ],
    [
      'The clinician may see the message, but nothing marks it as the answer',
      'clinical/messages/create.test.ts',
      'a message while a question is open does not answer it',
    ],
    ['Neither moved the case', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      'It moves the case, and the case waits until it is answered',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'The case is back with the clinician who asked',
      'clinical/cases/answer.test.ts',
      'id and question default to those of the open question',
    ],
    [
      'The earlier one stays on the thread',
      'clinical/cases/answer.test.ts',
      'a second question replaces the open one; both stay in the messages',
    ],
    [
      'The event names the case and not the message',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
    [
      '| `invalid_transition` from `…/messages` | the case is canceled or withdrawn |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    ['It still waits', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '| `invalid_transition` from `…/answers` | nothing is asked: it came twice, or the clinician went on |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      'A case has one thread.',
      'clinical/console/review.test.ts',
      'a case is claimed, asked about, answered, approved, shipped and delivered',
    ],
    [
      'In the sandbox you play that too.',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      '`waiting_on_patient` is for the patient: show the question where they will see it,',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '`waiting_on_integration` is for your team: put it into the queue of your support',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '`asked_at` is the moment from which to count.',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'A `case.message_created.v1` or `case.question_asked.v1` is the sign to look.',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
  ],
}
