// The article of thirty scenarios, each with its test.
import type { Proofs } from '../../proof.ts'

export const scenariosArticle: Proofs = {
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
    [
      'every move writes the same events, with the same signatures, as live mode does',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      '| 1 | approves what was asked | `{"decision": "approve"}` |',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      '| 2 | approves less than was asked |',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      '| 3 | approves something that is never filled |',
      'clinical/sandbox/decide.test.ts',
      'a requested medication that is not dispensable is in the plan without a prescription',
    ],
    [
      '| 4 | declines | `{"decision": "decline", "reason": "…"}` |',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    [
      '| 5 | asks the patient |',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '| 6 | asks you | the same with `"target": "integration"` |',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '| 9 | photos come first | file with `"hold": true` |',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    ['| 10 | the order was a duplicate |', 'clinical/cases/states.test.ts', 'a case in $state'],
    [
      '| 12 | the patient stops | `POST /v1/cases/{id}/withdraw` while `in_review` |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| 14 | a consent is missing | file without the privacy consent | 422 `consent_required`, with `missing` |',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      '| 16 | ships without tracking | the same without a body | `tracking` is null; your page must not show an empty link |',
      'clinical/sandbox/run-autopilot.test.ts',
      'approves, ships and delivers what is due, one step a run, each with its events',
    ],
    [
      '| 17 | arrives | `POST …/deliver` | `order.delivered` |',
      'sweeps/table-claims.test.ts',
      'orders: the guide lists the events of each control',
    ],
    [
      '| 19 | is out of stock | `POST …/block` with a `reason` | `order.blocked`; the reason is on the order |',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      '| 24 | the visit takes place |',
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds the charge',
    ],
    [
      'The event is real and its resource is made up, so a handler that fetches the resource gets a 404',
      'clinical/webhooks/redeliver.test.ts',
      'the example resource cannot be read',
    ],
    [
      'A tick runs each minute and moves what is due by then',
      'clinical/sandbox/run-autopilot.test.ts',
      'runs once a minute, whatever the number of workers',
    ],
    [
      'nothing moves on a timer, and a completed visit counts in your usage',
      'clinical/sandbox/live-untouched.test.ts',
      'the worker of live mode may not change a case or an order',
    ],
    [
      'Use the id from the latest answer; in the sandbox the two are the same',
      'clinical/files/files.test.ts',
      '200: the file keeps its id, is attached to its case and has one event',
    ],
    [
      'A file cannot be deleted by you',
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      'In the sandbox it is `pending` first',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'Each row is a `POST` to `/v1/test/cases/{id}/decision`, unless it names another path.',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      '| 8 | only chats | `POST …/clinician_message` with `body` | a message event; the',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      'Live resources can disappear between an event and your request, too.',
      'clinical/events/data.test.ts',
      'every event of a deleted patient embeds that it is deleted',
    ],
    [
      '`current_status` and `allowed_from`.',
      'clinical/cases/states.test.ts',
      'a case in %s: the refusal of %s lists the allowed calls',
    ],
    [
      "`DELETE` answers 501 `live_not_available`, because removal is the clinic's decision.",
      'clinical/files/files.test.ts',
      '501 in live for every id, before any other check',
    ],
    [
      'There is no chart and no pharmacy behind it',
      'clinical/sandbox/advance.test.ts',
      'touches no other sandbox and nothing of live',
    ],
    [
      'An approval is not an order',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case',
    ],
    ['A message is not an answer', 'clinical/cases/states.test.ts', 'a case in $state'],
  ],
}
