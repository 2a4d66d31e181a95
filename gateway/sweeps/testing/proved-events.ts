// Guides to events, deliveries and the sandbox: sentences that name the test that shows them.
import type { Proof } from './proof.ts'

export const provedEvents: Readonly<Record<string, readonly Proof[]>> = {
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
  ],
  'docs/webhooks.md': [
    [
      'an HMAC-SHA256 of the time, a dot and **the raw body**, under the whole secret',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'The secret is answered once',
      'clinical/webhooks/endpoints.test.ts',
      'no other answer contains the secret, and it is stored encrypted',
    ],
    [
      'so a name cannot be pointed inside your network later',
      'clinical/webhooks/delivery/post.test.ts',
      'post: sends nothing to a name that resolves to a private address',
    ],
    [
      'Each delivery is a POST of the event with four headers',
      'clinical/webhooks/delivery/deliver.test.ts',
      'has the body of getEvent, four headers and a valid signature',
    ],
    [
      'such as `Set-Cookie`, only the name is kept',
      'clinical/webhooks/portal/reads.test.ts',
      'are all kept, each with where it went, what was sent, and what was answered',
    ],
    [
      'What you answered is kept encrypted',
      'clinical/webhooks/delivery/deliver.test.ts',
      'its first kilobyte is stored encrypted, whatever its bytes are',
    ],
    [
      'the new one first, so either secret verifies',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      'It stops by itself when the endpoint is disabled or deleted, with the reason',
      'clinical/replays/ends.test.ts',
      'when its endpoint is disabled or deleted, or its sandbox is reset, with the reason',
    ],
    [
      'A replay sends the events of a span of time to one endpoint again, in their order',
      'clinical/replays/replays.test.ts',
      'sends every event of its span and of the endpoint’s types, in their order',
    ],
    [
      'sends those whose delivery failed and that the endpoint has not accepted since',
      'clinical/replays/replays.test.ts',
      'of what failed leaves out what was delivered, waits, or was accepted since',
    ],
    [
      'A replay sends 100 events a second at most, and waits while 200 deliveries of the endpoint wait',
      'clinical/replays/replays.test.ts',
      'sends a hundred events a second, and no more while two hundred wait',
    ],
    [
      'An endpoint has one replay at a time',
      'clinical/replays/replays.test.ts',
      'while another one of its endpoint runs, which it names; also when both begin at once',
    ],
    [
      'Each delivery carries the id of the replay in `Service-Replay`',
      'clinical/replays/replays.test.ts',
      'carries its id in Service-Replay, and each event its own id',
    ],
  ],
  'docs/requests.md': [
    [
      'A reset of the sandbox keeps the log, also where it removes the events',
      'clinical/requests/retrieve.test.ts',
      'is kept by a reset of the sandbox, which removes the events themselves',
    ],
    [
      'It never holds a value',
      'clinical/pipeline/body-shape.test.ts',
      'body shape: holds no value and no unknown name of any operation’s body',
    ],
    [
      'only a live key can read it',
      'clinical/requests/project.test.ts',
      'of another integration, mode or organization is not found',
    ],
  ],
  'docs/sandbox.md': [
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
  ],
  'docs/the-loop.md': [
    ['A case in a final state never moves again', 'clinical/cases/states.test.ts', '%s: %s'],
    ['| refused while a clinician reviews |', 'clinical/cases/states.test.ts', '%s: %s'],
    [
      'A case in a final state never moves again',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
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
  ],
}
