// Replays: events from a period of time, resent to one endpoint.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { definePreview } from '../operation.ts'
import { closed, idOf, moment, named, nullable, oneOf, openWord } from '../shapes.ts'

const replayStatuses = ['running', 'completed', 'cancelled', 'stopped'] as const

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Replay = named('Replay', 'A job that resends the events from a period of time.', {
  id: idOf('replay', {
    description: 'Sent in the Service-Replay header of each of its deliveries.',
  }),
  webhook_endpoint: idOf('webhook_endpoint'),
  since: moment(),
  until: moment(),
  event_types: Type.Array(openWord([...eventTypes, '*'])),
  only: oneOf(['failed', 'all']),
  status: oneOf(replayStatuses, {
    description: 'A completed replay has queued every event. See deliveries for what arrived.',
  }),
  reason: nullable(
    openWord(['endpoint_disabled', 'endpoint_deleted', 'sandbox_reset'], {
      description: 'Why the replay stopped.',
    }),
  ),
  queued_until: nullable(
    moment({ description: 'The created_at of the last event the replay has processed.' }),
  ),
  deliveries: Type.Object(
    {
      pending: count('Waiting for their first or next attempt.'),
      delivered: count('Accepted by the endpoint.'),
      failed: count('Failed permanently.'),
    },
    { description: 'Counts of the deliveries queued so far.' },
  ),
  created_at: moment(),
  ended_at: nullable(moment({ description: 'null while the replay is running.' })),
})

const type = oneOf([...eventTypes, '*'])

export const replays = definePreview({
  replayEvents: {
    method: 'POST',
    path: '/preview/events/replay',
    tag: 'Replays',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Replay the events from a period of time.',
    description:
      'Sends events to one endpoint, in the order they were created. With `failed`, only events whose ' +
      'delivery to it failed and that it has not accepted since; with `all`, every event. Without ' +
      'event_types, what the endpoint subscribes to. Sends at most ' +
      `${limits.replaysPerSecond} events per second, and pauses while ${limits.replaysWaitingMax} ` +
      "of the endpoint's deliveries are waiting, so new events are not held up. An endpoint can have " +
      'one running replay. Events keep their IDs, so receivers can recognize them, and each ' +
      "delivery has the replay's ID in `Service-Replay`. If the endpoint has include_resource, you " +
      "need the resources' read scopes. " +
      `Limited to ${limits.redeliveriesPerWindow} per minute, together with redeliveries.`,
    quota: 'redeliveries',
    body: closed({
      webhook_endpoint: idOf('webhook_endpoint'),
      since: moment({
        description:
          `Only events at or after this time, at most ${limits.replayDaysMax} days ago. ` +
          'Not in the future.',
      }),
      until: Type.Optional(
        moment({ description: 'Only events before this time. Default: now. Not in the future.' }),
      ),
      event_types: Type.Optional(
        Type.Array(type, {
          minItems: 1,
          maxItems: limits.webhookEventTypesMax,
          uniqueItems: true,
          description: 'Exact event types, or only `*` for all types.',
        }),
      ),
      only: Type.Optional(oneOf(['failed', 'all'], { default: 'failed' })),
    }),
    status: 202,
    returns: Replay,
    refuses: ['endpoint_disabled', 'invalid_transition'],
  },
  getReplay: {
    method: 'GET',
    path: '/preview/events/replays/{id}',
    tag: 'Replays',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Read a replay.',
    status: 200,
    returns: Replay,
  },
  cancelReplay: {
    method: 'POST',
    path: '/preview/events/replays/{id}/cancel',
    tag: 'Replays',
    scope: 'webhooks:manage',
    mode: 'both',
    tool: false,
    summary: 'Cancel a replay.',
    description: 'Queues no more events. Events already queued are still delivered.',
    body: 'none',
    status: 200,
    returns: Replay,
    refuses: ['invalid_transition'],
  },
})
