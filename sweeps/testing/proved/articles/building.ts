// Articles and comparisons about calls and events, each with its test.
import type { Proofs } from '../../proof.ts'

export const building: Proofs = {
  'articles/measuring-time-to-decision.md': [
    [
      'Two events of one case never share a moment',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
    [
      'It holds no name, no answer and no diagnosis',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    ['The thread of a decided case stays open', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'whole resources come along wherever the key may read them',
      'clinical/events/data.test.ts',
      'data outside the clinic’s grant is omitted from the next call on',
    ],
    [
      'An event holds ids, a type, two statuses and a moment',
      'clinical/events/list.test.ts',
      'an event has eight members in published order, and data only on request',
    ],
    [
      'a credential with `events:read` alone is enough for the whole of this article',
      'clinical/events/data.test.ts',
      'data outside the clinic’s grant is omitted from the next call on',
    ],
    [
      'Events that do not move the case, such as a message, carry the same status twice',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'A case is in one status from one event to the next',
      'clinical/sweeps/model.test.ts',
      'model: random calls move a case, its order and its patient as the model predicts',
    ],
    [
      'Everything you need to read them is in the events.',
      'clinical/events/list.test.ts',
      'an event has eight members in published order, and data only on request',
    ],
    [
      "**The patient's clock** runs from the first event to the decision: 5 minutes 53",
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
    [
      "**The clinic's clock** runs only while the case is `queued` or `in_review`.",
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
    [
      '`waiting_on_patient`, `waiting_on_integration`, and `received` while you hold the',
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
    [
      'So each interval belongs to the status that the earlier event left it in.',
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
    [
      'With the events in a table, a view gives the times of each case.',
      'sweeps/article-queries.test.ts',
      'the week counts cases without a decision, and its median is of all that were filed',
    ],
    [
      'It needs the columns `case_id`, `status`, `created_at`, and nothing else.',
      'sweeps/article-queries.test.ts',
      'the week counts cases without a decision, and its median is of all that were filed',
    ],
    [
      '`half_of_filed` is the time by which half of *all* cases that were filed had a',
      'sweeps/article-queries.test.ts',
      'the week counts cases without a decision, and its median is of all that were filed',
    ],
    [
      '**`half_of_decided` is another number.**',
      'sweeps/article-queries.test.ts',
      'the week counts cases without a decision, and its median is of all that were filed',
    ],
    [
      '`half_clinic` has the same gap.',
      'sweeps/article-queries.test.ts',
      'the week counts cases without a decision, and its median is of all that were filed',
    ],
    [
      'Here it is 4 minutes 26 seconds',
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
    [
      'Here it is 1 minute 28 seconds',
      'content/articles.test.ts',
      'the times in the text are those of the case in the article',
    ],
  ],
  'comparisons/webhooks-vs-polling.md': [
    [
      'The list holds every event in the order in which it was committed',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'a sender that hears no answer sends again',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'the same events, for as long as the connection stands, and the same backstop behind them',
      'gateway/websocket/subscribers.test.ts',
      'contain the event as the API returns it, which is readable before the message arrives',
    ],
    [
      'Complete; you go on from the last event you stored',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'Kept; the list is in the order of commits',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none',
    ],
  ],
  'comparisons/rest-vs-fhir.md': [
    [
      'A key on every write; the same key gives the same answer',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      'One stream of events in commit order',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    ['a wrong move is refused by name', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      "a JSON file of one patient's cases, consents, files, prescriptions and orders",
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'In a task API that rule is one error with a name, [`consent_required`](/docs/errors#consent_required), on one call',
      'clinical/cases/create-refused.test.ts',
      'consent_required names the missing consents',
    ],
    [
      '| hand a patient a copy of what the loop holds | an [export](/docs/exports) | served: one JSON file |',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'A few resources with fixed fields; ours are in one OpenAPI file',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'A key, or OAuth with scopes of our own',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'You write a mapping from a JSON export',
      'clinical/exports/exports.test.ts',
      '201: an export is pending, is completed by the worker and can be downloaded',
    ],
    [
      'A catalog with ids of our own',
      'clinical/medications/catalog.test.ts',
      'every default quantity is within its own maximum, and no entry is controlled',
    ],
    [
      'Minutes; a sandbox plays the clinic',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
  ],
}
