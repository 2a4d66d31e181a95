// Events, in commit order.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { closed, idOf, listOf, moment, named, nullable, oneOf, openWord } from '../shapes.ts'
import { page } from './answers.ts'
import { Delivery } from './webhooks.ts'

export const Event = named('Event', 'A state change.', {
  id: idOf('event'),
  type: openWord(eventTypes),
  created_at: moment({
    description: 'Unique and strictly increasing within one integration, organization and mode.',
  }),
  organization: idOf('organization'),
  mode: oneOf(modes),
  resource: Type.Object({
    type: Type.String({ description: 'The first word of the event type.' }),
    id: Type.String(),
  }),
  status: Type.String({ description: "The resource's status after the transition." }),
  previous_status: nullable(
    Type.String({ description: 'The status before, or null for a new resource.' }),
  ),
  data: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The resource as it is now. Only with include_resource.',
      },
    ),
  ),
})

export const events = define({
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    tag: 'Events',
    scope: 'events:read',
    mode: 'both',
    tool: true,
    summary: 'Poll the event stream.',
    description:
      'Store the created_at of the last event you processed and send it as since: no event is ' +
      'missed or repeated.',
    query: closed({
      ...page('event'),
      since: Type.Optional(moment({ description: 'Strictly after.' })),
      type: Type.Optional(oneOf(eventTypes)),
      include_resource: Type.Optional(Type.Boolean({ default: false })),
    }),
    status: 200,
    returns: listOf(Event),
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{id}',
    tag: 'Events',
    scope: 'events:read',
    mode: 'both',
    tool: false,
    summary: 'Read an event.',
    status: 200,
    returns: Event,
  },
  redeliverEvent: {
    method: 'POST',
    path: '/v1/events/{id}/redeliver',
    tag: 'Events',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: true,
    summary: 'Send an event again.',
    description:
      'Sends it to every enabled endpoint that subscribes to its type, or only to ' +
      'webhook_endpoint, whatever its subscriptions. The event keeps its id, so that receivers can ' +
      'recognize it. ' +
      'An endpoint with include_resource needs the read scope of the resource. ' +
      `At most ${limits.redeliveriesPerWindow} per minute. Also 429 while deliveries are a minute behind.`,
    quota: 'redeliveries',
    body: closed({ webhook_endpoint: Type.Optional(idOf('webhook_endpoint')) }),
    status: 202,
    returns: listOf(Delivery),
    refuses: ['endpoint_disabled'],
  },
})
