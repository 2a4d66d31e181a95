// The home page, the overview, the prices and the skills, each sentence with its test.
import type { Proofs } from '../proof.ts'

export const home: Proofs = {
  'home.yaml': [
    [
      'Each arrow is an event you receive.',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'Every request below is one the sandbox accepts, and every id is from the same story.',
      'portal/pages/home/home.test.ts',
      'the lines of each step, copied one after another, lead to a delivered order',
    ],
    [
      'Your own id goes along as `external_id`, so you can find the patient again without',
      'clinical/patients/list.test.ts',
      'external_id matches exactly',
    ],
    [
      'A case filed without both is refused with `consent_required`, and nothing is written.',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      'It answers at `queued`.',
      'clinical/cases/create.test.ts',
      'returns the case with its members in the order of the schema',
    ],
    [
      'With `hold` it stays at `received`, so that photos and documents can be attached',
      'clinical/cases/create.test.ts',
      'with hold the case is received, not queued',
    ],
    [
      'In the sandbox you play that part with one call.',
      'clinical/sandbox/decide.test.ts',
      'stores the reason and no plan',
    ],
    [
      'Three events, in this order',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'Twenty writers wrote 5,000 events, 100 a second, and one reader followed.',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'With the clock of the API, which hands out moments in commit order, it missed none of',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'Both sides had the same PostgreSQL, the same writes and the same slow commits; `bun',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'Every event has an id, and you drop the second copy.',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'Sandbox rows are deleted 30 days after they are written.',
      'clinical/webhooks/endpoints.test.ts',
      'endpoints survive resetSandbox',
    ],
    [
      'Live mode needs a business associate agreement in force.',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'The first installs everything, starts a database and the API on your machine, and',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'A sandbox plays the clinician and the pharmacy, so the whole loop runs on your',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
  ],
  'overview.json': [
    [
      'You play the clinician and the pharmacy, with signed webhooks and the same refusals',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'Signed webhooks and realtime messages, and one event stream in commit order behind',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'A reader that goes on from the last event it saw loses nothing.',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
  ],
  'skills/ask-the-site.md': [
    [
      '`results` holds ranked pages, each with `url`, `name`, `description` and `score`, the',
      'gateway/search/ask-routes.test.ts',
      'answers ranked links in the format of NLWeb',
    ],
  ],
  'skills/book-a-discovery-call.md': [
    [
      'Without a clear yes, stop: sending their first name and email states that they agreed',
      'gateway/mcp/booking.test.ts',
      'refuses every value other than true',
    ],
    [
      '`book_discovery_call` at `{site}/mcp`, with `first_name`, `email` and `user_consent:',
      'gateway/mcp/booking.test.ts',
      'books a free time once, and removes it from the availability',
    ],
    [
      '`POST {site}/api/acp/checkout_sessions` with',
      'gateway/acp/complete.test.ts',
      'creates one booking, with an order that links to the booking page',
    ],
    [
      '`get_availability` first, if they want to choose a time.',
      'gateway/mcp/protocol.test.ts',
      'every tool has a title and four hints, and only the booking',
    ],
  ],
  'skills/simulate-a-consult.md': [
    [
      'It needs the sandbox running on their machine (`npm start`) and a test key from',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'Each write also needs an `Idempotency-Key` that you keep when you retry it.',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      '`POST /v1/patients` with an invented person; keep `id`.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '`POST /v1/cases` with `patient`, `consent_ids` and `requested_medications`; keep `id`.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '`POST /v1/test/cases/{id}/decision` with `{"decision":"approve"}`, then `/ship` and',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '`GET /v1/events` shows what happened, in order.',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
  ],
  'pricing.json': [
    [
      'Every operation of the contract, test mode',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row',
    ],
    [
      'Signed webhooks, realtime messages and the event stream behind them',
      'clinical/webhooks/delivery/deliver.test.ts',
      'has the body of getEvent, four headers',
    ],
    [
      'The same operations, without the sandbox controls under /v1/test',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes',
    ],
    [
      'A grant from the clinic, with the scopes you need',
      'auth/grants/clinic-grants.test.ts',
      'a part of a request is approved',
    ],
    [
      'API calls and events',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing',
    ],
    [
      'In test mode both are empty: the sandbox is never charged.',
      'clinical/billing/ledger.test.ts',
      'in test mode usage is empty',
    ],
    [
      'needs no account and no card, and has every operation of the contract',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'and nothing we charge depends on what is decided',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing',
    ],
    [
      'Calls and events are not metered.',
      'sweeps/table-claims.test.ts',
      'billing: a completed visit is the one thing',
    ],
    [
      'Until one is agreed, and in a sandbox, it has 49.00 USD.',
      'sweeps/claims.test.ts',
      'billing: the guides say the price of a visit where no other one was agreed',
    ],
  ],
}
