// The article on webhooks, each with its test.
import type { Proofs } from '../../proof.ts'

export const webhooksArticle: Proofs = {
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
    [
      'And if your server was down, we will send it again',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'a delivery has nine attempts at the published intervals, and then fails',
    ],
    [
      'A delivery is a POST of an event',
      'clinical/webhooks/delivery/deliver.test.ts',
      'has the body of getEvent, four headers and a valid signature',
    ],
    [
      "Four headers carry the service's own facts",
      'clinical/webhooks/delivery/deliver.test.ts',
      'has the body of getEvent, four headers and a valid signature',
    ],
    [
      '`Service-Delivery-Id` names this sending',
      'clinical/webhooks/redeliver.test.ts',
      'a named endpoint gets a new delivery each time, whatever it subscribes to',
    ],
    [
      'The signature has the form `t=<seconds>,v1=<digest>`',
      'clinical/webhooks/delivery/sign.test.ts',
      'has a fixed value for a fixed secret, time and body',
    ],
    [
      'Here the string is the key, exactly as it was shown to you',
      'clinical/webhooks/delivery/sign.test.ts',
      'signs "${name}" as its vector and OpenSSL do',
    ],
    [
      'And every `v1` is tried, because during a rotation there are two',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      '`POST /v1/webhook_endpoints/{id}/rotate_secret` answers a new secret',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'deliveries are signed with the new and the old secret for 24 hours, never with a third',
    ],
    [
      'We cannot tell that from a crash before the insert, so we send again',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'Each event says the status its resource has *after* the transition',
      'clinical/webhooks/delivery/deliver.test.ts',
      'a retry embeds the updated resource, or that it was deleted, with the status of the event',
    ],
    [
      'Its host must not lead to a private, loopback or link-local address',
      'clinical/webhooks/delivery/addresses.test.ts',
      'webhook URL that is refused',
    ],
    [
      "A name that pointed at the open internet on Monday and at someone's database on Tuesday gets nothing",
      'clinical/webhooks/delivery/post.test.ts',
      'post: sends nothing to a name that resolves to a private address',
    ],
    [
      'You can read it by polling, or at another endpoint',
      'clinical/webhooks/redeliver.test.ts',
      'a named endpoint gets a new delivery each time, whatever it subscribes to',
    ],
    [
      'A retry of an old event may arrive after a newer one.',
      'clinical/webhooks/delivery/faults.test.ts',
      'a worker that is killed when it has ${step} loses no delivery',
    ],
    [
      'Answer 500 once, and watch `GET /v1/webhook_endpoints/{id}/deliveries` show the next',
      'clinical/webhooks/delivery/retry-schedule.test.ts',
      'a delivery has nine attempts at the published intervals, and then fails',
    ],
    [
      'Trigger a type you have never seen with `POST /v1/test/webhooks/trigger`.',
      'clinical/webhooks/delivery/deliver.test.ts',
      'every event type can be triggered, is signed, and embeds the resource that polling',
    ],
  ],
}
