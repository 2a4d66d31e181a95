// The guide to webhooks, each with its test.
import type { Proofs } from '../proof.ts'

export const webhooks: Proofs = {
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
    [
      'or `["*"]` alone for all',
      'clinical/webhooks/endpoints.test.ts',
      'refuses * together with another event type',
    ],
    [
      'The address is https and public',
      'clinical/webhooks/endpoints.test.ts',
      'refuses the url %s as unsafe_url, and says why',
    ],
    [
      'During a rotation there are two `v1`, and one that matches is enough',
      'clients/typescript/webhooks.test.ts',
      'signs as the API does, with both secrets while one is replaced',
    ],
    [
      'Deliveries are at least once and in no order',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'a name that only your machine knows stays refused',
      'clinical/webhooks/delivery/addresses.test.ts',
      'is accepted in test mode only; other private addresses are refused',
    ],
    [
      '*Deliveries* keeps every attempt and not only the last: where it went, what was sent and what you answered',
      'clinical/webhooks/portal/reads.test.ts',
      'are all kept, each with where it went, what was sent, and what was answered',
    ],
    [
      'with a line for `curl` that sends the same to your machine, signed anew',
      'portal/pages/deliveries/deliveries.test.ts',
      'the curl line repeats the delivery, signed anew, without the secret',
    ],
    [
      '*Events* says where each event went',
      'portal/pages/deliveries/deliveries.test.ts',
      'an event says where it went, and is delivered again to all that subscribe',
    ],
    [
      'it gets a mail at the first event of such a row, at the tenth, and when the endpoint is disabled',
      'clinical/webhooks/delivery/notify-developers.test.ts',
      'developers are notified of the first and tenth failed event and of the disabling, once each',
    ],
    [
      'Both answer 429 while our own deliveries are late',
      'clinical/webhooks/lag.test.ts',
      'back-pressure: redeliver and trigger get 429 while events have waited for a minute; other writes work',
    ],
    [
      '`"only": "all"` sends every event',
      'clinical/replays/replays.test.ts',
      'sends every event of its span and of the endpoint’s types, in their order',
    ],
    [
      'Without `event_types` it sends what the endpoint subscribes to',
      'clinical/replays/replays.test.ts',
      'begins at since, ends before until, and takes the types that it is given',
    ],
    [
      '`POST /preview/events/replays/{id}/cancel` stops it',
      'clinical/replays/ends.test.ts',
      'when it is cancelled: what it queued stays, and it queues nothing more',
    ],
    [
      'Each event keeps its id, so a receiver that does nothing twice needs no change',
      'clinical/replays/replays.test.ts',
      'carries its id in Service-Replay, and each event its own id',
    ],
    [
      'Rotate twice when a secret leaked: the oldest then ends at once',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      'about a resource that never was, and delivers it like any other',
      'clinical/webhooks/redeliver.test.ts',
      'the example resource cannot be read',
    ],
    [
      '| nothing comes | the endpoint is disabled, or not subscribed to the type |',
      'clinical/webhooks/delivery/deliver.test.ts',
      'goes once to each endpoint that subscribes to its type, and to no other tenant',
    ],
    [
      '`PATCH` the endpoint to `enabled`',
      'clinical/webhooks/endpoints.test.ts',
      'disabling sets disabled_at; enabling clears it',
    ],
    [
      'the same event twice',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'the first kilobyte of your last answer',
      'clinical/webhooks/delivery/deliver.test.ts',
      'its first kilobyte is stored encrypted, whatever its bytes are',
    ],
    [
      'posts each event to your receiver, signed, as it happens',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      'Then the delivery is `failed`, and the event is still in [the stream](/docs/events)',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'a delivery has nine attempts at the published intervals, and then fails',
    ],
    [
      'The sandbox itself can call a receiver of yours in test mode, with every retry',
      'clinical/webhooks/delivery/addresses.test.ts',
      'is accepted in test mode only; other private addresses are refused',
    ],
    [
      'It is completed when everything is queued; `deliveries` counts what has arrived, what waits and what failed',
      'clinical/replays/replays.test.ts',
      'sends every event of its span and of the endpoint’s types, in their order',
    ],
    [
      '| `unsafe_url` | `message` says why: no https, credentials, no name, a private network |',
      'clinical/webhooks/endpoints.test.ts',
      'refuses the url %s as unsafe_url, and says why',
    ],
    [
      '`status` is the status after the change',
      'clinical/webhooks/delivery/deliver.test.ts',
      'a retry embeds the updated resource, or that it was deleted, with the status of the event',
    ],
    [
      '| `mismatch` for every delivery | the body was parsed first, or the secret was cut |',
      'clients/typescript/webhooks.test.ts',
      'says when a body that does not match was written again',
    ],
    [
      '`Service-Signature`, `Service-Event-Id`, `Service-Event-Type`, `Service-Delivery-Id`.',
      'clinical/webhooks/delivery/deliver.test.ts',
      'has the body of getEvent, four headers and a valid signature',
    ],
    [
      'When it says `mismatch` and you do not see why, [check the',
      'e2e/signature.spec.ts',
      'signature checker: verifies within the page and names the mistake',
    ],
    [
      'To try the receivers below, one program signs as we do.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'The second was a repetition, the third was not ours.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
  ],
}
