// The first half of what the guide to the sandbox says, each with its test.
import type { Proof } from '../proof.ts'

export const sandboxMoves: readonly Proof[] = [
  [
    'A live key is refused with 403 `forbidden`, whatever its scopes',
    'clinical/sweeps/every-credential.test.ts',
    '${id} refuses a live key, whatever its scopes, organization or agreement',
  ],
  [
    '| uploads | taken and measured; the bytes are not kept |',
    'clinical/files/upload.test.ts',
    'uploads: test mode stores no bytes',
  ],
  [
    'events, deliveries, records of idempotency keys | webhook endpoints with their secrets',
    'clinical/webhooks/endpoints.test.ts',
    'endpoints survive resetSandbox',
  ],
  [
    'goes signed to every enabled endpoint that subscribes to the type',
    'clinical/webhooks/delivery/deliver.test.ts',
    'every event type can be triggered, is signed, and embeds the resource that polling returns',
  ],
  [
    'A second advance extends a running one',
    'clinical/sandbox/set-clock.test.ts',
    'a second advance extends a running one',
  ],
  [
    'no other integration sees it',
    'clinical/sandbox/advance.test.ts',
    'touches no other sandbox and nothing of live',
  ],
  [
    'What does not belong is refused',
    'clinical/sandbox/decide-refused.test.ts',
    'an invalid body is reported before an unknown id and before a wrong status',
  ],
  [
    'a decision passes `in_review`, and a shipment `at_pharmacy`',
    'clinical/sandbox/pharmacy.test.ts',
    'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
  ],
  [
    'They act on every order of the case that can move, all together or none',
    'clinical/sandbox/pharmacy.test.ts',
    'several orders change together in order of id, each event with its own millisecond',
  ],
  [
    'With no order to move they are refused with the orders as they stand',
    'clinical/sandbox/pharmacy.test.ts',
    'a case that is not approved has no orders, and nothing is written',
  ],
  [
    'They ignore the time of day',
    'clinical/visits/states.test.ts',
    'sandbox controls work at any time, before and after the start',
  ],
  [
    'Completion raises `charge.created.v1`, and a no-show does not',
    'clinical/billing/ledger.test.ts',
    'a completed visit is charged, and the event embeds the charge',
  ],
  [
    'Nothing of the sandbox is ever owed',
    'clinical/billing/ledger.test.ts',
    'in test mode usage is empty, even when visits were completed',
  ],
  [
    'The trigger writes one event of any type, about a resource that never was',
    'clinical/webhooks/redeliver.test.ts',
    'the example resource cannot be read',
  ],
  [
    'it goes to the endpoint that you name, whatever that subscribes to, and to no other',
    'clinical/webhooks/redeliver.test.ts',
    'writes one event for the named endpoint',
  ],
  [
    'A worker looks once a minute',
    'clinical/sandbox/run-autopilot.test.ts',
    'runs once a minute, whatever the number of workers',
  ],
  [
    'It makes the moves that the controls make, with the same events',
    'clinical/sandbox/run-autopilot.test.ts',
    'approves, ships and delivers what is due, one step a run, each with its events',
  ],
  [
    'What is held, waits for an answer or is blocked stays as it is',
    'clinical/sandbox/run-autopilot.test.ts',
    'skips held and waiting cases, blocked orders and other integrations',
  ],
  [
    'A member that you leave out keeps its value',
    'clinical/sandbox/run-autopilot.test.ts',
    'timers are off until they are set, and are kept for each integration',
  ],
  [
    'by seconds with `advance_by_s`, or to a time with `set_to`',
    'clinical/sandbox/set-clock.test.ts',
    'has a target by seconds or by a time; the other sandbox has none',
  ],
  [
    'It moves from one thing that is due to the next, and waits at each until that is done',
    'clinical/sandbox/advance.test.ts',
    'plays the autopilot step by step, and delivers each event before the next step',
  ],
  [
    'The signature has real time because your receiver compares it with its own clock',
    'clinical/sandbox/advance.test.ts',
    'walks the nine attempts of a dead receiver in order, each at its time, with %d workers',
  ],
  [
    'The clock never goes back, except by a reset',
    'clinical/sandbox/reset-clock.test.ts',
    'a reset returns the clock to real time, and what follows has real timestamps',
  ],
  [
    'It is one clock for all organizations of your integration',
    'clinical/sandbox/clock.test.ts',
    'is the same for every clinic of the integration, also for one that grants access later',
  ],
  [
    'the records of idempotency keys',
    'clinical/sandbox/clock.test.ts',
    'an Idempotency-Key is remembered',
  ],
  [
    '| timestamps, ids and `since` | keys and access tokens, rate limits |',
    'clinical/sandbox/clock.test.ts',
    'a credential expires and a token of realtime ends',
  ],
  [
    '| slots, join windows and links to join | tokens of realtime |',
    'clinical/sandbox/clock.test.ts',
    '%s',
  ],
  [
    '| patients, consents, cases, messages, prescriptions, orders, visits, files, exports, charges |',
    'clinical/sandbox/reset.test.ts',
    'removes the eight resources of the guide at once and resets the autopilot',
  ],
  [
    '`resources_deleted` counts the first row',
    'clinical/sandbox/reset.test.ts',
    'removes the eight resources of the guide at once and resets the autopilot',
  ],
  [
    'The clock of your ids runs on, so a cursor or a `since` from before finds what comes after',
    'clinical/sandbox/reset.test.ts',
    'timestamps and ids keep ascending, so that earlier cursors stay valid',
  ],
  [
    'It stays where it is while an endpoint has timestamps of it',
    'clinical/sandbox/reset-clock.test.ts',
    'a reset leaves the clock ahead while an endpoint has timestamps of it',
  ],
  [
    'A case that is younger than its patient outlives them, and its `patient` then answers 404',
    'clinical/sandbox/reset.test.ts',
    'a case that is younger than its patient stays; the patient’s personal data is erased',
  ],
  [
    '| the timers, which are off again |',
    'clinical/sandbox/reset.test.ts',
    'removes the eight resources of the guide at once and resets the autopilot',
  ],
  [
    '`svc sandbox loop` of [the command line](/docs/cli#play-a-consult) plays thirteen such scenarios',
    'clients/cli/sandbox.suite.ts',
    'every scenario goes as it says, the last one through the clock and the worker',
  ],
  [
    'with a button for every control that their state allows',
    'portal/pages/sandbox/moves.test.ts',
    'every move is offered or refused',
  ],
  [
    'It files a case of an invented patient for you',
    'portal/pages/sandbox/sandbox.test.ts',
    'one button files the case of an invented patient, once',
  ],
  [
    '| approved as asked | `D \'{"decision":"approve"}\'` | one prescription, one order |',
    'clinical/sandbox/decide.test.ts',
    'the plan defaults to the requested medications; each line has a prescription and an order',
  ],
  [
    '| asked twice | `needs_info` twice | the newer question is open |',
    'clinical/cases/answer.test.ts',
    'a second question replaces the open one; both stay in the messages',
  ],
  [
    '| lost on the way | approve, `ship`, `fail` | order `failed`, prescription still `filled` |',
    'clinical/sandbox/pharmacy.test.ts',
    'failCase cancels an active prescription and does not change a filled one',
  ],
  [
    '| `endpoint_disabled` from the trigger | the endpoint that you named is off |',
    'clinical/webhooks/redeliver.test.ts',
    '400 for an unknown type and an endpoint of another integration, 409 for a disabled endpoint, 403 in live',
  ],
  [
    'All of it goes in one moment',
    'clinical/sandbox/reset.test.ts',
    'removes the eight resources of the guide at once and resets the autopilot',
  ],
]
