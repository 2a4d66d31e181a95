// Webhook endpoints, and the deliveries of events to them.

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
  description:
    'https, without credentials or fragment. Its addresses are public: they are checked here and ' +
    'before every attempt.',
})
const eventTypesInput = Type.Array(oneOf([...eventTypes, '*']), {
  minItems: 1,
  maxItems: limits.webhookEventTypesMax,
  uniqueItems: true,
  description: 'Exact event types, or `*` alone for all, future ones too.',
})
const description = nullable(text(1, 500))

export const WebhookEndpoint = named(
  'WebhookEndpoint',
  'A receiver of events. It belongs to one integration and one mode.',
  {
    id: idOf('webhook_endpoint'),
    url,
    event_types: Type.Array(openWord([...eventTypes, '*']), {
      minItems: 1,
      maxItems: limits.webhookEventTypesMax,
      uniqueItems: true,
    }),
    include_resource: Type.Boolean({
      description: 'Whether each delivery embeds the resource, as it is then, as `data`.',
    }),
    description,
    status: oneOf(['enabled', 'disabled'], {
      description: `Disabled by you, or after ${limits.webhookFailuresMax} failed events in a row.`,
    }),
    secret: Type.Optional(
      Type.String({
        pattern: '^whsec_[0-9A-Za-z]{32}$',
        description: 'The whole text is the key of the signature. Answered once: keep it.',
      }),
    ),
    previous_secret_expires_at: nullable(
      moment({ description: 'Until then deliveries are signed with the previous secret too.' }),
    ),
    disabled_at: nullable(moment()),
    created_at: moment(),
    updated_at: moment(),
  },
)

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export const Delivery = named(
  'Delivery',
  'One event on its way to one endpoint, across all its attempts.',
  {
    id: idOf('delivery', { description: 'Sent as Service-Delivery-Id.' }),
    event: idOf('event'),
    event_type: openWord(eventTypes),
    webhook_endpoint: idOf('webhook_endpoint'),
    status: oneOf(deliveryStatuses),
    attempt: whole(0, limits.webhookRetrySeconds.length, {
      description: 'Attempts made so far.',
    }),
    http_status: nullable(
      Type.Integer({ description: 'Of the last attempt; null when none was received.' }),
    ),
    latency_ms: nullable(Type.Integer({ description: 'Of the last attempt.' })),
    response_body: nullable(
      Type.String({
        description: `The first ${limits.webhookAnswerBytesMax} bytes of the receiver's last answer.`,
      }),
    ),
    error: nullable(
      openWord(
        [
          'timeout',
          'dns_failure',
          'connection_failed',
          'tls_failure',
          'blocked_address',
          'endpoint_disabled',
          'endpoint_deleted',
        ],
        { description: 'Why no status came.' },
      ),
    ),
    next_attempt_at: nullable(moment({ description: 'null once delivered or failed.' })),
    last_attempt_at: nullable(moment({ description: 'The end of the last attempt.' })),
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
    summary: 'Register an endpoint, and learn its secret.',
    description:
      'With include_resource the key must hold the read scope of every resource that the event ' +
      'types are about.',
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
    summary: 'Change an endpoint, disable it or enable it again.',
    description:
      'Disabling ends what is pending. Enabling begins a new count of failures and sends nothing ' +
      'by itself: redeliver what was missed.',
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
    summary: 'Delete an endpoint. What is pending for it fails.',
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
    summary: 'Replace the secret of an endpoint.',
    description:
      `Deliveries are signed with both secrets, the new one first, for ` +
      `${limits.webhookSecretGraceHours} hours. Rotating again drops the oldest at once.`,
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
    summary: 'List what was sent to an endpoint, and what became of it.',
    query: closed({ ...page('delivery'), status: Type.Optional(oneOf(deliveryStatuses)) }),
    status: 200,
    returns: listOf(Delivery),
  },
})
