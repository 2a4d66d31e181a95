// The article of thirty scenarios, each with its test.
import type { Proofs } from '../proof.ts'

export const scenarios: Proofs = {
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
    [
      '| asks again before the answer | a second `needs_info` | `question` is the new one; the thread holds both |',
      'clinical/cases/answer.test.ts',
      'a second question replaces the open one; both stay in the messages',
    ],
    ['| you cancel too late |', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      '| ships with tracking |',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      '| arrives before it left |',
      'clinical/sandbox/pharmacy.test.ts',
      'deliverCase before shipCase is refused with a hint',
    ],
    [
      '| finds the stock | `ship` on the blocked order | it moves on, and the reason is cleared |',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      '409 `join_not_open`, with `opens_at`',
      'clinical/visits/join.test.ts',
      'is allowed from one hour before the start to half an hour after the end, to the millisecond',
    ],
    [
      '| `visit.no_show`, and no charge |',
      'clinical/console/visits.test.ts',
      'a no-show and a canceled visit are not charged',
    ],
    [
      '| your answer got lost |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      '| a key is used twice by mistake | the same key with another body | 422 `idempotency_key_reused` |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} refuses a key that was used for another request',
    ],
  ],
}
