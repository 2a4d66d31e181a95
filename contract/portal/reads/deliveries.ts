// The reads of the delivery and event pages.

import { Type } from 'typebox'
import { Event } from '../../api/events.ts'
import { deliveryErrors, deliveryStatuses } from '../../api/webhooks.ts'
import { eventTypes } from '../../events.ts'
import { destinationKinds } from '../../preview/destinations.ts'
import { Replay } from '../../preview/replays.ts'
import { limits } from '../../limits.ts'
import { closed, idOf, moment, nullable, oneOf, openWord, text, whole } from '../../shapes.ts'
import { defineReads, newestFirst } from './read.ts'

const row = {
  method: 'GET',
  tag: 'Portal',
  mode: 'both',
  tool: false,
  status: 200,
} as const

const milliseconds = whole(0, Number.MAX_SAFE_INTEGER)
const error = nullable(openWord(deliveryErrors))
const headers = Type.Record(Type.String(), nullable(Type.String()))

const delivery = {
  id: idOf('delivery'),
  event: idOf('event'),
  event_type: openWord(eventTypes),
  webhook_endpoint: idOf('webhook_endpoint'),
  url: nullable(
    Type.String({ description: 'The endpoint’s current URL. null once it is deleted.' }),
  ),
  kind: nullable(oneOf(['https', ...destinationKinds])),
  status: oneOf(deliveryStatuses),
  redelivery: Type.Boolean(),
  attempt: whole(0, limits.webhookRetrySeconds.length),
  http_status: nullable(Type.Integer()),
  latency_ms: nullable(milliseconds),
  error,
  next_attempt_at: nullable(moment()),
  last_attempt_at: nullable(moment()),
  created_at: moment(),
}

const Attempt = Type.Object({
  attempt: whole(1, limits.webhookRetrySeconds.length),
  url: nullable(Type.String()),
  address: nullable(Type.String()),
  signature: nullable(Type.String()),
  http_status: nullable(Type.Integer()),
  error,
  resolve_ms: nullable(milliseconds),
  latency_ms: milliseconds,
  response_headers: nullable(headers),
  response_body: nullable(Type.String()),
  ended_at: moment(),
})

const between = { since: Type.Optional(moment()), until: Type.Optional(moment()) }

export const deliveryReads = defineReads({
  listNewestDeliveries: {
    ...row,
    scope: 'webhooks:manage',
    path: '/portal/deliveries',
    summary: 'List the latest deliveries to all endpoints.',
    query: closed({
      ...newestFirst('delivery'),
      ...between,
      webhook_endpoint: Type.Optional(idOf('webhook_endpoint')),
      status: Type.Optional(oneOf(deliveryStatuses)),
      event_type: Type.Optional(oneOf(eventTypes)),
      event: Type.Optional(idOf('event')),
    }),
    returns: Type.Object({ data: Type.Array(Type.Object(delivery)) }),
  },
  getDelivery: {
    ...row,
    scope: 'webhooks:manage',
    path: '/portal/deliveries/{id}',
    summary: 'Read a delivery with all of its attempts.',
    returns: Type.Object({
      ...delivery,
      organization: idOf('organization', { description: 'The event’s organization.' }),
      include_resource: nullable(Type.Boolean()),
      endpoint_status: nullable(oneOf(['enabled', 'disabled'])),
      body: nullable(
        Type.String({ description: 'The body, without `data`. null once the event is deleted.' }),
      ),
      headers: nullable(headers),
      attempts: Type.Array(Attempt),
    }),
  },
  listNewestReplays: {
    ...row,
    scope: 'webhooks:manage',
    path: '/portal/replays',
    summary: 'List the latest replays to an endpoint.',
    query: closed({ ...newestFirst('replay'), webhook_endpoint: idOf('webhook_endpoint') }),
    returns: Type.Object({ data: Type.Array(Replay) }),
  },
  listNewestEvents: {
    ...row,
    scope: 'events:read',
    path: '/portal/events',
    summary: 'List the latest events.',
    query: closed({
      ...newestFirst('event'),
      ...between,
      type: Type.Optional(oneOf(eventTypes)),
      resource: Type.Optional(text(1, 64)),
    }),
    returns: Type.Object({ data: Type.Array(Event) }),
  },
})
