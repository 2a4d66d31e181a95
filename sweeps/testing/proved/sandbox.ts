// The guide to the sandbox, each with its test.
import type { Proofs } from '../proof.ts'
import { sandboxMoves } from './sandbox-moves.ts'

export const sandbox: Proofs = {
  'docs/sandbox.md': [
    ...sandboxMoves,
    [
      'decide without waiting for the answer',
      'clinical/cases/answer.test.ts',
      'a decision while waiting removes the question from the case',
    ],
    [
      'They need the scope `test:manage` and a test key',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'A control never skips a status that has a control of its own',
      'clinical/sandbox/pharmacy.test.ts',
      'deliverCase before shipCase is refused with a hint',
    ],
    [
      'You see what you created and nothing else',
      'clinical/organization/retrieve.test.ts',
      'each integration has its own sandbox organization',
    ],
    [
      'A message from the clinician moves nothing',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| `approve_after_s` | approves a case that was `queued` or `in_review` for so long |',
      'clinical/sandbox/run-autopilot.test.ts',
      'approves, ships and delivers what is due, one step a run, each with its events',
    ],
    [
      '| `ship_after_s` | ships an order that was `created` or `at_pharmacy` for so long, and delivers it as long after that |',
      'clinical/sandbox/run-autopilot.test.ts',
      'approves, ships and delivers what is due, one step a run, each with its events',
    ],
    [
      'So what happens in three days happens in its order, and each thing has its own time',
      'clinical/sandbox/advance.test.ts',
      'walks the nine attempts of a dead receiver in order, each at its time, with %d workers',
    ],
    [
      'A clock that you advanced returns to real time',
      'clinical/sandbox/reset-clock.test.ts',
      'a reset returns the clock to real time, and what follows has real timestamps',
    ],
    [
      '| `invalid_transition` | the case is held, decided, canceled or withdrawn |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| `insufficient_scope` | the key lacks `test:manage` |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '| `forbidden` | a live key under `/v1/test` |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'The case was in the queue, and one call declined it',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    [
      'What it is about does not exist',
      'clinical/webhooks/redeliver.test.ts',
      'the example resource cannot be read',
    ],
    [
      '| 8 | the patient stops | `…/withdraw` in any open status | `withdrawn` |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| 9 | out of stock, then found | approve, `block`, `ship` | the reason is cleared |',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      '| the reason of a failed order | null |',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'A reset empties the whole sandbox of an integration.',
      'clinical/sandbox/reset.test.ts',
      'removes the eight resources of the guide at once and resets the autopilot',
    ],
    [
      'Routes, checks, refusals and events are those of live mode.',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'What leaves the sandbox are webhooks to the endpoints that you registered, and mail',
      'clinical/sandbox/advance.test.ts',
      'touches no other sandbox and nothing of live',
    ],
    [
      'Operations under `/v1/test` take the part of the people.',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'Each is a `POST` to `/v1/test/cases/{id}/…`, and needs an `Idempotency-Key` as any',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      '| `clinician_message` | `body` | the clinician writes on the thread |',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      '| `block` | `reason` | the pharmacy stops the orders |',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      '| `approve` | nothing | `plan`: up to 20 lines |',
      'clinical/sandbox/decide.test.ts',
      'twenty lines make twenty prescriptions and orders, in plan order',
    ],
    [
      '| `decline` | `reason` | nothing |',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    [
      '| `needs_info` | `target`, `question` | nothing |',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      'It left three events.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '`start`, `complete` and `no_show`, at `/v1/test/visits/{id}/…`.',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'A handler for `order.blocked.v1` need not wait until you have blocked an order.',
      'clinical/webhooks/delivery/deliver.test.ts',
      'every event type can be triggered, is signed, and embeds the resource that polling',
    ],
    [
      '| reservations of files, downloads of exports | `t` in the signature of a webhook |',
      'clinical/sandbox/clock.test.ts',
      '%s',
    ],
    [
      '`created_at` in the body has the time of the sandbox.',
      'clinical/sandbox/advance.test.ts',
      'walks the nine attempts of a dead receiver in order, each at its time, with %d',
    ],
    [
      'A change does not prolong it, and no event tells of it.',
      'clinical/sandbox/run-autopilot.test.ts',
      'timers are off until they are set, and are kept for each integration',
    ],
    [
      'Webhook endpoints, keys and your two timers do not end this way.',
      'clinical/webhooks/endpoints.test.ts',
      'endpoints survive resetSandbox',
    ],
    [
      '| the clinic | "Harbor Telehealth Clinic (sandbox)", `harbor-sandbox` |',
      'clinical/organization/retrieve.test.ts',
      'in test mode it is the sandbox organization, with members in the order of the schema',
    ],
    [
      '| the prescriber | "Sandbox Clinician, MD" on every prescription |',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an',
    ],
    [
      '| 2 | approved with less | `D` with a `plan` and a smaller `quantity` | `plan`',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      '| 5 | asked, answered, approved | `needs_info`, `…/answers`, approve | `in_review` in',
      'clinical/cases/answer.test.ts',
      'a question to the %s is on the case and in the messages',
    ],
    [
      '| 7 | canceled too late | `needs_info`, `…/answers`, `…/cancel` | 409 |',
      'clinical/cases/states.test.ts',
      'a case in $state',
    ],
    [
      '| `invalid_request` with `not_allowed` | a member that belongs to another decision |',
      'clinical/sandbox/decide-refused.test.ts',
      'an invalid body is reported before an unknown id and before a wrong status',
    ],
    [
      "| `invalid_request` with `too_large` in a plan | more than the entry's `max_quantity`",
      'clinical/cases/create-refused.test.ts',
      '%s %s',
    ],
    [
      'no patient, clinic or pharmacy is written to, called or charged',
      'clinical/sandbox/advance.test.ts',
      'touches no other sandbox and nothing of live',
    ],
    [
      'approves, declines or asks',
      'clinical/sandbox/decide-refused.test.ts',
      'an invalid body is reported before an unknown id',
    ],
    [
      '`fresh` with an over-the-counter entry, then approve',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case',
    ],
  ],
}
