// Destinations: queues, topics and buckets that receive events, in addition to https endpoints.

import { Type } from 'typebox'
import { Deleted, page } from '../api/answers.ts'
import { WebhookEndpoint, webhooks } from '../api/webhooks.ts'
import { limits } from '../limits.ts'
import { definePreview } from '../operation.ts'
import {
  accountPattern,
  closed,
  httpsPattern,
  listOf,
  named,
  namespacePattern,
  nullable,
  oneOf,
  prefixPattern,
  regionPattern,
  resourcePattern,
  text,
} from '../shapes.ts'

export const destinationKinds = [
  'sqs',
  'eventbridge',
  'pubsub',
  'event_hubs',
  'kafka',
  's3',
] as const
export type DestinationKind = (typeof destinationKinds)[number]

const name = (maxLength: number, description: string) =>
  Type.String({ pattern: resourcePattern, maxLength, description })
const https = (description: string) =>
  Type.String({
    format: 'uri',
    pattern: httpsPattern,
    maxLength: 1024,
    'x-webhook': true,
    description: `${description} The host must resolve to public addresses, now and before every attempt.`,
  })
const secret = (maxLength: number, description: string) =>
  text(1, maxLength, {
    writeOnly: true,
    description: `${description} Stored encrypted, and never returned.`,
  })

const region = Type.String({ pattern: regionPattern, description: 'The AWS region.' })
const access_key_id = Type.String({
  pattern: resourcePattern,
  minLength: 16,
  maxLength: 128,
  description: 'The access key of an IAM user with only this permission.',
})
const secret_access_key = secret(128, "The access key's secret.")

/** Each kind's required settings, and its secret. */
const settings = {
  sqs: {
    open: {
      region,
      account: Type.String({ pattern: accountPattern, description: 'The AWS account ID.' }),
      queue: name(80, 'The name of a standard queue.'),
      access_key_id,
    },
    secret: { secret_access_key },
  },
  eventbridge: {
    open: { region, bus: name(256, 'The name of the event bus.'), access_key_id },
    secret: { secret_access_key },
  },
  pubsub: {
    open: {
      project: name(30, 'The Google Cloud project ID.'),
      topic: name(255, 'The name of the topic.'),
      client_email: Type.String({
        format: 'email',
        maxLength: 254,
        description: 'The email of a service account that can publish to the topic.',
      }),
      private_key_id: name(64, "The ID of the service account's key."),
    },
    secret: { private_key: secret(4096, "The service account's private_key, in PEM.") },
  },
  event_hubs: {
    open: {
      namespace: Type.String({
        pattern: namespacePattern,
        description: 'The Event Hubs namespace, without `.servicebus.windows.net`.',
      }),
      hub: name(256, 'The name of the event hub.'),
      key_name: name(256, 'A shared access policy that has the Send claim.'),
    },
    secret: { key: secret(256, "The policy's key.") },
  },
  kafka: {
    open: {
      url: https('The URL of a Kafka REST Proxy (API version 2).'),
      topic: name(249, 'The name of the topic.'),
      username: text(1, 128, { description: 'For HTTP Basic authentication.' }),
    },
    secret: { password: secret(256, 'For HTTP Basic authentication.') },
  },
  s3: {
    open: {
      url: nullable(https('The URL of an S3-compatible store. null means AWS.')),
      region,
      bucket: name(63, 'The name of the bucket.'),
      prefix: Type.String({
        pattern: prefixPattern,
        maxLength: 200,
        description: 'The key prefix: empty, or folders that each end with a slash.',
      }),
      access_key_id,
    },
    secret: { secret_access_key },
  },
} as const

const inputs = {
  sqs: closed({ ...settings.sqs.open, ...settings.sqs.secret }),
  eventbridge: closed({ ...settings.eventbridge.open, ...settings.eventbridge.secret }),
  pubsub: closed({ ...settings.pubsub.open, ...settings.pubsub.secret }),
  event_hubs: closed({ ...settings.event_hubs.open, ...settings.event_hubs.secret }),
  kafka: closed({ ...settings.kafka.open, ...settings.kafka.secret }),
  s3: closed({
    ...settings.s3.open,
    url: Type.Optional(nullable(settings.s3.open.url, { default: null })),
    prefix: Type.Optional({ ...settings.s3.open.prefix, default: '' }),
    ...settings.s3.secret,
  }),
} as const

/** The secret field in a kind's settings. */
export const secretMember = {
  sqs: 'secret_access_key',
  eventbridge: 'secret_access_key',
  pubsub: 'private_key',
  event_hubs: 'key',
  kafka: 'password',
  s3: 'secret_access_key',
} as const satisfies Record<DestinationKind, string>

const of = (kind: DestinationKind) => ({ description: `null unless kind is ${kind}.` })
const {
  id,
  event_types,
  include_resource,
  description,
  status,
  disabled_at,
  created_at,
  updated_at,
} = WebhookEndpoint.properties

export const Destination = named(
  'Destination',
  'A queue, topic, bus or bucket that receives events, for one integration in one mode.',
  {
    id,
    kind: oneOf(destinationKinds),
    url: Type.String({ format: 'uri', description: 'The address that requests go to.' }),
    sqs: nullable(Type.Object(settings.sqs.open), of('sqs')),
    eventbridge: nullable(Type.Object(settings.eventbridge.open), of('eventbridge')),
    pubsub: nullable(Type.Object(settings.pubsub.open), of('pubsub')),
    event_hubs: nullable(Type.Object(settings.event_hubs.open), of('event_hubs')),
    kafka: nullable(Type.Object(settings.kafka.open), of('kafka')),
    s3: nullable(Type.Object(settings.s3.open), of('s3')),
    event_types,
    include_resource,
    description,
    status,
    disabled_at,
    created_at,
    updated_at,
  },
)

const anyKind = {
  sqs: Type.Optional(inputs.sqs),
  eventbridge: Type.Optional(inputs.eventbridge),
  pubsub: Type.Optional(inputs.pubsub),
  event_hubs: Type.Optional(inputs.event_hubs),
  kafka: Type.Optional(inputs.kafka),
  s3: Type.Optional(inputs.s3),
}
const row = { tag: 'Destinations', scope: 'webhooks:manage', mode: 'both', tool: false } as const
const one = { ...row, path: '/preview/destinations/{id}' } as const
const written = webhooks.createWebhookEndpoint.body.properties
const changed = webhooks.updateWebhookEndpoint.body.properties

export const destinations = definePreview({
  createDestination: {
    ...row,
    method: 'POST',
    path: '/preview/destinations',
    summary: 'Create a destination.',
    description:
      'Send the settings of exactly one kind. A destination works like a webhook endpoint, and its ' +
      'ID works wherever an endpoint ID does: to list deliveries, redeliver, replay and send test ' +
      `events. You can have ${limits.webhookEndpointsMax} endpoints and destinations together. Each ` +
      "event is one message with the body of a webhook; `s3` writes each hour's events to one " +
      'object, a minute after the hour. With include_resource, your key needs the read scope for ' +
      'every resource in event_types.',
    body: closed({
      ...anyKind,
      event_types: written.event_types,
      include_resource: written.include_resource,
      description: written.description,
    }),
    status: 201,
    returns: Destination,
    refuses: ['endpoint_limit_reached'],
  },
  listDestinations: {
    ...row,
    method: 'GET',
    path: '/preview/destinations',
    summary: 'List your destinations.',
    query: closed(page('webhook_endpoint')),
    status: 200,
    returns: listOf(Destination),
  },
  getDestination: {
    ...one,
    method: 'GET',
    summary: 'Read a destination.',
    status: 200,
    returns: Destination,
  },
  updateDestination: {
    ...one,
    method: 'PATCH',
    summary: 'Update, disable or enable a destination.',
    description:
      'Settings are replaced as a whole, with their secret, and the kind stays the same. Disabling a ' +
      'destination fails its pending deliveries. Enabling it resets its failure count and sends ' +
      'nothing, so redeliver the events it missed.',
    body: closed({
      ...anyKind,
      event_types: changed.event_types,
      include_resource: changed.include_resource,
      description: changed.description,
      status: changed.status,
    }),
    status: 200,
    returns: Destination,
  },
  deleteDestination: {
    ...one,
    method: 'DELETE',
    summary: 'Delete a destination. Its pending deliveries fail.',
    body: 'none',
    status: 200,
    returns: Deleted,
  },
})
