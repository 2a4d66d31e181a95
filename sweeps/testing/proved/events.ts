// Guides to events and realtime messages, each with its test.
import type { Proofs } from '../proof.ts'

export const events: Proofs = {
  'docs/events.md': [
    [
      'For a deleted patient it is `{"id":"pat_…","deleted":true}`, because we keep no copy',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      '| a resource that answers 404 | it was deleted after the event |',
      'clinical/events/data.test.ts',
      'every event of a deleted patient embeds that it is deleted',
    ],
    [
      'holds nothing about a patient, so it may pass through a queue or a log',
      'clinical/events/data.test.ts',
      'no patient value is stored in an event',
    ],
    [
      'So nothing is lost, and nothing comes twice',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'Send it as `since`, which means strictly after',
      'clinical/events/list.test.ts',
      'since is exclusive: an event is not listed since its own created_at',
    ],
    [
      'Each event has a moment of its own, and an event that becomes visible later has a later one',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
    [
      '`starting_after` pages by id instead, and both may be sent together',
      'clinical/events/list.test.ts',
      'paging by since alone, and by starting_after with since, returns every event once',
    ],
    [
      '`type` narrows the list to one type',
      'clinical/events/list.test.ts',
      'type filters by one type; a type without events is an empty list',
    ],
    [
      '`include_resource` puts the resource into `data`, as reading it would answer now',
      'clinical/events/data.test.ts',
      'data is the last member and equals the current answer of the resource’s own read',
    ],
    [
      'An old `case.queued.v1` carries a case that is approved by now',
      'clinical/events/data.test.ts',
      'data may have a later status than the event',
    ],
    [
      '`data` needs the read scope of what is in it',
      'clinical/events/data.test.ts',
      'data outside the clinic’s grant is omitted from the next call on',
    ],
    [
      'It takes neither `since` nor `include_resource`',
      'clinical/events/list.test.ts',
      'listCaseEvents refuses since, type and include_resource',
    ],
    [
      'lists the events of one case, and leaves out those of its patient, prescriptions and orders',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
    [
      'Ids only grow, so a case that is filed meanwhile comes at the end',
      'clinical/testing/pages.suite.ts',
      '${list} neither skips nor repeats when rows are added while it is read',
    ],
    [
      'is in the list as soon as the write that caused it is answered',
      'clinical/sweeps/every-operation.test.ts',
      '${id} returns what its row declares, and writes one audit row and only its own events',
    ],
    [
      '| `invalid_request` with `invalid_cursor` | `starting_after` is not the id of an event |',
      'clinical/testing/pages.suite.ts',
      '${list} refuses a cursor that is not an id of its items',
    ],
    [
      'That is the whole body',
      'clinical/events/list.test.ts',
      'an event has eight members in published order, and data only on request',
    ],
    [
      '- An event is never changed',
      'database/worker-roles.test.ts',
      'cannot change or remove events, retire tenants, or change what an endpoint receives',
    ],
    [
      '- `status` is the status after the change, `previous_status` the one before',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'Without `since` the list begins with the oldest event, twenty to a page',
      'clinical/testing/pages.suite.ts',
      '${list} ascends by id, and holds each item once at any page size',
    ],
    [
      '`data` is the resource at the moment you ask, not at the moment of the event',
      'clinical/events/data.test.ts',
      'data may have a later status than the event',
    ],
    [
      'With `events:read` alone the events come without it, and without an error',
      'clinical/events/data.test.ts',
      'data outside the clinic’s grant is omitted from the next call on',
    ],
    [
      '- Equal statuses mean "changed, not moved"',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'It went on where it stopped',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      '| events without `data` | the key lacks the read scope |',
      'clinical/events/data.test.ts',
      'data outside the clinic’s grant is omitted from the next call on',
    ],
    [
      'Null means that the event announces something new.',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events',
    ],
    [
      'Then a crash repeats some events and skips none.',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      '| `invalid_request` at `?since` | it is no moment; often a `+` of an offset that was',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown query parameter',
    ],
  ],
  'docs/realtime.md': [
    [
      'the channel only speaks',
      'gateway/websocket/subscribers-closed.test.ts',
      '1008 when a client sends a message, because no client may publish',
    ],
    [
      'the key is revoked, or the clinic took its grant back',
      'gateway/websocket/subscribers-closed.test.ts',
      '4002 when the key or the grant is revoked, for its connections only',
    ],
    [
      'A message is sent after its event can be read, never before',
      'gateway/websocket/subscribers.test.ts',
      'contain the event as the API returns it, which is readable before the message arrives',
    ],
    [
      'The token names one channel: one integration, one organization, one mode',
      'clinical/realtime/create-token.test.ts',
      'a token grants subscribe on one channel for an hour',
    ],
    [
      'nothing of the sandbox ever reaches it',
      'gateway/websocket/subscribers.test.ts',
      'stay within their mode and integration',
    ],
    [
      'answers the upgrade itself, with 503, `service_unavailable` and `Retry-After`',
      'gateway/websocket/subscribers-refused.test.ts',
      'realtime: a gateway with as many connections as it can take answers 503, and takes the next when one has left',
    ],
    [
      '| 1012 | the server restarts |',
      'gateway/websocket/subscribers-closed.test.ts',
      '1012 when the gateway stops, which frees its connections',
    ],
    [
      '| 4001 | the token is over |',
      'gateway/websocket/subscribers-closed.test.ts',
      '4001 when the token expires, and immediately for an expired one',
    ],
    [
      '| 4003 | the token is of the other mode than its channel |',
      'gateway/websocket/subscribers-closed.test.ts',
      '4003 for a token with the channel of the other mode',
    ],
    [
      '| 426 | the request asks for no WebSocket |',
      'sweeps/v1-paths.test.ts',
      '426 with code, Upgrade, and a hint that names the next calls',
    ],
    [
      '| `unauthorized` | an API key was sent, or a token of another deployment |',
      'gateway/websocket/subscribers-refused.test.ts',
      '401: no token, an API key, and tokens with another signature, algorithm or key',
    ],
    [
      'a key with `realtime:subscribe`',
      'clinical/realtime/create-token.test.ts',
      'insufficient_scope: a key without realtime:subscribe gets no token',
    ],
    [
      'So a connection may drop, and you lose no event',
      'clients/typescript/realtime.test.ts',
      'each event once and in order, also what was written between two connections',
    ],
    [
      '| 1011 | it could not be let in just now |',
      'sweeps/table-claims.test.ts',
      'realtime: the guide lists every code with which a connection is closed',
    ],
    [
      'The first frame is `hello` and holds `latest_event_id`',
      'gateway/websocket/subscribers.test.ts',
      'contain the event as the API returns it, which is readable before the message arrives',
    ],
    [
      'All three carry the same body',
      'gateway/websocket/subscribers.test.ts',
      'contain the event as the API returns it, which is readable before the message arrives',
    ],
    [
      'with the token beside the protocol `svc.v1`, because a browser can send no header',
      'gateway/websocket/subscribers-refused.test.ts',
      'accepts the token in a header or in the URL, which the log redacts',
    ],
    [
      'You may get an event from both, so tell them apart by `id`',
      'clients/typescript/realtime.test.ts',
      'an event that comes by both ways while the list is read is delivered once',
    ],
    [
      '| [polling](/docs/events) | when you ask | always | the backstop behind both |',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'In a terminal, `svc events tail` of [the command line](/docs/cli) is such a client,',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      '| no message, and the event is in the list | you connected after it was written |',
      'gateway/websocket/subscribers.test.ts',
      'contain the event as the API returns it, which is readable before the message',
    ],
  ],
}
