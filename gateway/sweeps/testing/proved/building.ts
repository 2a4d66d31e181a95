// Articles and comparisons about calls and events, each with its test.
import type { Proofs } from '../proof.ts'

export const building: Proofs = {
  'articles/idempotency-in-a-clinic.md': [
    [
      'A replay is the stored answer itself, byte for byte, and not the resource as it looks now',
      'clinical/pipeline/idempotency.test.ts',
      'returns the first answer, not the current state',
    ],
    [
      'of a patient who was deleted since, only the id comes back',
      'clinical/patients/delete.test.ts',
      'hold no personal data: a replay answers that the patient is deleted',
    ],
    [
      'a refused write never uses up its key',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'same key, the first one was refused or failed | it runs as new',
      'clinical/pipeline/idempotency.test.ts',
      '400, 404 and 409, then a valid request with the same key',
    ],
    [
      'It writes no event, sends no webhook and makes no charge',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'the unique index on the key undoes the second, and it is answered by the replay',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate that committed during the write is replayed, not deleted',
    ],
    [
      'It does not belong to the API key that sent it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'A write without it is refused with `idempotency_key_required`',
      'clinical/pipeline/idempotency.test.ts',
      '%s: no key',
    ],
    [
      '| same key, same request, the first one still running | 409 `idempotency_in_progress`, with `Retry-After: 1` |',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a duplicate of a running request is refused at once and writes nothing',
    ],
    [
      '| same key, same request, the first one committed | the first status and the first bytes, with `Idempotent-Replayed: true` |',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      '| same key, another path or body | 422 `idempotency_key_reused` |',
      'clinical/pipeline/idempotency.test.ts',
      'another operation, another method, another id, another parameter',
    ],
    [
      'the order of members and the white space between them do not matter, and a changed value does',
      'clinical/pipeline/idempotency.test.ts',
      'ignores the order of members',
    ],
    [
      'A crash before the commit leaves nothing, and the retry executes',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
    [
      'A crash after the commit leaves everything, and the retry replays',
      'clinical/pipeline/idempotency-races.test.ts',
      'idempotency: a write whose answer was lost after the commit is answered as the first',
    ],
    [
      'the statement changes nothing, and the decision is made again on the new facts',
      'clinical/sweeps/races.test.ts',
      'races: of cancel, withdraw and decide at once one wins, and the events are consistent',
    ],
    [
      'A key belongs to your integration, one organization and one mode',
      'clinical/pipeline/idempotency-scope.test.ts',
      "is a separate key in another integration's tenant and in each live one",
    ],
    [
      '`Original-Request-Id` tells you which request did the work',
      'clinical/pipeline/idempotency.test.ts',
      'answers the first body, Location and request id, and writes nothing',
    ],
    [
      'We keep only what was committed',
      'clinical/pipeline/idempotency-scope.test.ts',
      'a failure after the changes rolls them back, and the retry executes',
    ],
  ],
  'articles/webhooks-you-can-trust.md': [
    [
      'It is shown in that answer and never again',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'Each attempt is signed afresh with its own time',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'every attempt has a new timestamp and signature, and a success is the last',
    ],
    [
      'Nothing is sent to a disabled endpoint',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'an endpoint disabled with 500 pending deliveries gets no more; three running ones are recorded',
    ],
    [
      'the newest two stay valid and the oldest stops at once',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      '`Service-Event-Id` names the event and stays the same however often it is sent',
      'clinical/replays/replays.test.ts',
      'carries its id in Service-Replay, and each event its own id',
    ],
    [
      'The digest is HMAC-SHA256, in hex, of the timestamp, a full stop and the raw body',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'Any 2xx is success',
      'clinical/webhooks/delivery/deliver.test.ts',
      'only a 2xx status is a success',
    ],
    [
      'a redirect too, because redirects are not followed',
      'clinical/webhooks/delivery/post.test.ts',
      'post: does not follow redirects',
    ],
    [
      'a certificate for another name',
      'clinical/webhooks/delivery/post.test.ts',
      'post: sends nothing when the certificate %s',
    ],
    [
      'Switch on `include_resource` and the delivery also carries the resource as `data`, as it stands when we send',
      'clinical/webhooks/delivery/deliver.test.ts',
      'embeds the resource as of the time of sending',
    ],
    [
      'After the ninth failure the delivery is `failed` for good',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'a delivery has nine attempts at the published intervals, and then fails',
    ],
    [
      'We check that when you register it and again before every attempt, and we connect to the very address we checked',
      'clinical/webhooks/delivery/post.test.ts',
      'post: resolves a name once, and connects to that address with the name in Host',
    ],
    [
      'So it has to be https, without credentials in it',
      'clinical/webhooks/endpoints.test.ts',
      'refuses the url %s as unsafe_url, and says why',
    ],
    [
      'An event sent again on request has the old event id and a new delivery id',
      'clinical/webhooks/redeliver.test.ts',
      'a named endpoint gets a new delivery each time, whatever it subscribes to',
    ],
    [
      'Delivery is at least once',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'The event is thin: what happened, to which resource, and the status before and after',
      'clinical/events/list.test.ts',
      'an event has eight members in published order, and data only on request',
    ],
    [
      "The key is the endpoint's whole secret, `whsec_` included, as UTF-8 bytes",
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
  ],
  'articles/poll-without-losing-events.md': [
    [
      'so a case filed while you page comes at the end and is neither skipped nor doubled',
      'clients/typescript/lists.test.ts',
      'lists: every row once and in order, while others are written',
    ],
    [
      'Each event has its own moment. No two share one',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
    [
      'The order of ids, the order of moments and the order of commits are one order',
      'clinical/sweeps/commit-order.test.ts',
      'ids of every table sort as created_at does, and contain its millisecond',
    ],
    [
      'An event that becomes visible is later, in that order, than every event already visible',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'It has three decimals and ends in `Z`',
      'clinical/events/list.test.ts',
      'since is exclusive: an event is not listed since its own created_at',
    ],
  ],
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
  ],
}
