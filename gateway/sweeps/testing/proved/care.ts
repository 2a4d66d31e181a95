// Articles about the consult and its sandbox, each with its test.
import type { Proofs } from '../proof.ts'

export const care: Proofs = {
  'articles/sandbox-before-live.md': [
    [
      'Sandbox controls ignore the time of day',
      'clinical/visits/states.test.ts',
      'sandbox controls work at any time, before and after the start',
    ],
    [
      'Routes, validation, refusals, events and signatures are the same in both modes',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'The reset removes your sandbox rows',
      'clinical/sandbox/reset.test.ts',
      'removes the eight resources of the guide at once and resets the autopilot',
    ],
    [
      'A test key gets a sandbox organization at once, and you see only what you created',
      'clinical/organization/retrieve.test.ts',
      'each integration has its own sandbox organization',
    ],
    [
      "A file's id changes. The reservation has one id, and the filed document has another",
      'clinical/files/upload.test.ts',
      '200: the document has a new id, and the reservation is gone',
    ],
    [
      'confirming without them is 409 `upload_missing`',
      'clinical/files/upload.test.ts',
      '409: no bytes were uploaded',
    ],
    [
      'A live case is refused when it is filed with a non-empty `files`',
      'clinical/cases/create-refused.test.ts',
      'live refuses files in createCase, and the hint says what to do instead',
    ],
    [
      'A patient export answers `completed` at once',
      'clinical/exports/exports.test.ts',
      '201: an export is completed at once, with a link for each document',
    ],
    [
      'Everything under `/v1/test` answers 403 `forbidden`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'live mode needs a live key and a business associate agreement in force',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'Held, waiting and blocked rows are left alone',
      'clinical/sandbox/run-autopilot.test.ts',
      'skips held and waiting cases, blocked orders and other integrations',
    ],
    [
      'These act on every order of the case that can move',
      'clinical/sandbox/pharmacy.test.ts',
      'several orders change together in order of id, each event with its own millisecond',
    ],
    [
      '| `case.withdrawn`, then `patient.deleted`; the patient answers 404 |',
      'clinical/patients/delete.test.ts',
      'withdraws open cases in order of id, then writes patient.deleted',
    ],
    [
      '| two people want one slot | book the same `starts_at` twice | 201, then 409 `slot_unavailable` |',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable',
    ],
    [
      'a real signed delivery; the resource it names does not exist',
      'clinical/webhooks/redeliver.test.ts',
      'the example resource cannot be read',
    ],
    [
      '| gives up | `POST …/fail` | `order.failed`; an unfilled prescription is canceled |',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'every event, once, in order',
      'clinical/events/list.test.ts',
      'paging by since alone, and by starting_after with since, returns every event once',
    ],
  ],
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
  ],
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
  ],
  'articles/adverse-events-and-emergencies.md': [
    ['on its thread, which stays open after a decision', 'clinical/cases/states.test.ts', '%s: %s'],
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
  ],
  'articles/intake-questions-that-work.md': [
    [
      'The API keeps every answer as a string, and `type` says how to read it',
      'clinical/cases/create.test.ts',
      'answers keep their order, their types and repeated ids',
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
