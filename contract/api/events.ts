// Events, in commit order.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { closed, idOf, listOf, moment, named, nullable, oneOf, openWord } from '../shapes.ts'
import { page } from './answers.ts'
import { Delivery } from './webhooks.ts'

export const Event = named('Event', 'A change to a resource.', {
  id: idOf('event'),
  type: openWord(eventTypes),
  created_at: moment({
    description: 'Unique and strictly increasing within an integration, organization and mode.',
  }),
  organization: idOf('organization'),
  mode: oneOf(modes),
  resource: Type.Object({
    type: Type.String({ description: 'The first part of the event type, such as `case`.' }),
    id: Type.String(),
  }),
  status: Type.String({ description: "The resource's status after the change." }),
  previous_status: nullable(
    Type.String({ description: 'The status before the change. null for a new resource.' }),
  ),
  data: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The resource as it is now. Present only with include_resource.',
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
      "Save the created_at of the last event you processed and send it as since. You won't miss or " +
      'repeat an event.',
    query: closed({
      ...page('event'),
      since: Type.Optional(moment({ description: 'Only events created after this time.' })),
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
      'Sends the event to every enabled endpoint subscribed to its type, or only to ' +
      'webhook_endpoint, whatever it subscribes to. The event keeps its ID, so receivers can ' +
      "recognize it. If an endpoint has include_resource, you need the resource's read scope. " +
      `Limited to ${limits.redeliveriesPerWindow} per minute, and refused with 429 while deliveries are a minute behind.`,
    quota: 'redeliveries',
    body: closed({ webhook_endpoint: Type.Optional(idOf('webhook_endpoint')) }),
    status: 202,
    returns: listOf(Delivery),
    refuses: ['endpoint_disabled'],
  },
})
