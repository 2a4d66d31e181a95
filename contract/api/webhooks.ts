// Webhook endpoints and the deliveries to them.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import {
  closed,
  httpsPattern,
  idOf,
  listOf,
  moment,
  named,
  nullable,
  oneOf,
  openWord,
  text,
  whole,
} from '../shapes.ts'
import { Deleted, page } from './answers.ts'

const url = Type.String({
  format: 'uri',
  pattern: httpsPattern,
  maxLength: limits.webhookUrlLengthMax,
  'x-webhook': true,
  description:
    'An https URL without credentials or a fragment. The host must resolve to public addresses, ' +
    'now and before every attempt.',
})
const eventTypesInput = Type.Array(oneOf([...eventTypes, '*']), {
  minItems: 1,
  maxItems: limits.webhookEventTypesMax,
  uniqueItems: true,
  description: 'Exact event types, or only `*` for all types, including future ones.',
})
const description = nullable(text(1, 500))

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  'A URL that receives events, for one integration in one mode.',
  {
    id: idOf('webhook_endpoint'),
    url,
    event_types: Type.Array(openWord([...eventTypes, '*']), {
      minItems: 1,
      maxItems: limits.webhookEventTypesMax,
      uniqueItems: true,
    }),
    include_resource: Type.Boolean({
      description: 'Whether each delivery includes the resource, as it is at that time, in `data`.',
    }),
    description,
    status: oneOf(['enabled', 'disabled'], {
      description: `Disabled by you, or after ${limits.webhookFailuresMax} failed events in a row.`,
    }),
    secret: Type.Optional(
      Type.String({
        pattern: '^whsec_[0-9A-Za-z]{32}$',
        description: 'The signing key, including its prefix. Returned only once, so store it.',
      }),
    ),
    previous_secret_expires_at: nullable(
      moment({
        description: 'Until this time, deliveries are also signed with the previous secret.',
      }),
    ),
    disabled_at: nullable(moment()),
    created_at: moment(),
    updated_at: moment(),
  },
)

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export const deliveryErrors = [
  'timeout',
  'dns_failure',
  'connection_failed',
  'tls_failure',
  'protocol_failure',
  'blocked_address',
  'endpoint_disabled',
  'endpoint_deleted',
  'not_granted',
  'rejected',
] as const

export const Delivery = named(
  'Delivery',
  'The delivery of an event to an endpoint, across all attempts.',
  {
    id: idOf('delivery', { description: 'Sent in the Service-Delivery-Id header.' }),
    event: idOf('event'),
    event_type: openWord(eventTypes),
    webhook_endpoint: idOf('webhook_endpoint'),
    status: oneOf(deliveryStatuses),
    attempt: whole(0, limits.webhookRetrySeconds.length, {
      description: 'Attempts made so far.',
    }),
    http_status: nullable(
      Type.Integer({
        description: 'HTTP status of the last attempt. null if there was no response.',
      }),
    ),
    latency_ms: nullable(Type.Integer({ description: 'Duration of the last attempt.' })),
    response_body: nullable(
      Type.String({
        description: `The first ${limits.webhookAnswerBytesMax} bytes of your endpoint's last response.`,
      }),
    ),
    error: nullable(
      openWord(deliveryErrors, {
        description:
          'Why there was no HTTP response. `rejected`: the destination responded but did not accept the event.',
      }),
    ),
    next_attempt_at: nullable(
      moment({ description: 'null once the delivery has succeeded or failed.' }),
    ),
    last_attempt_at: nullable(moment({ description: 'When the last attempt ended.' })),
    created_at: moment(),
  },
)

export const webhooks = define({
  createWebhookEndpoint: {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Create an endpoint and get its secret.',
    description:
      'With include_resource, your key needs the read scope for every resource in event_types. ' +
      'An endpoint never receives a resource that the key could not read when it created the ' +
      'endpoint or last changed its url, event_types or include_resource.',
    body: closed({
      url,
      event_types: eventTypesInput,
      include_resource: Type.Optional(Type.Boolean({ default: false })),
      description: Type.Optional(nullable(text(1, 500), { default: null })),
    }),
    status: 201,
    returns: WebhookEndpoint,
    refuses: ['endpoint_limit_reached'],
  },
  listWebhookEndpoints: {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: true,
    summary: 'List your endpoints.',
    query: closed(page('webhook_endpoint')),
    status: 200,
    returns: listOf(WebhookEndpoint),
  },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/v1/webhook_endpoints/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Read an endpoint.',
    status: 200,
    returns: WebhookEndpoint,
  },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/v1/webhook_endpoints/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Update, disable or enable an endpoint.',
    description:
      'Disabling an endpoint fails its pending deliveries. Enabling it resets its failure count and ' +
      'sends nothing, so redeliver the events it missed. With include_resource, changing url or ' +
      'event_types needs the same read scopes as creating the endpoint.',
    body: closed({
      url: Type.Optional(url),
      event_types: Type.Optional(eventTypesInput),
      include_resource: Type.Optional(Type.Boolean()),
      description: Type.Optional(description),
      status: Type.Optional(oneOf(['enabled', 'disabled'])),
    }),
    status: 200,
    returns: WebhookEndpoint,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Delete an endpoint. Its pending deliveries fail.',
    body: 'none',
    status: 200,
    returns: Deleted,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/rotate_secret',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: "Rotate an endpoint's secret.",
    description:
      `For ${limits.webhookSecretGraceHours} hours, deliveries are signed with both secrets, the new one ` +
      'first. Rotating again drops the oldest secret immediately.',
    body: 'none',
    status: 200,
    returns: WebhookEndpoint,
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhook_endpoints/{id}/deliveries',
    tag: 'Webhooks',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: true,
    summary: "List an endpoint's deliveries.",
    query: closed({ ...page('delivery'), status: Type.Optional(oneOf(deliveryStatuses)) }),
    status: 200,
    returns: listOf(Delivery),
  },
})
