// Replays: the events of a span of time, sent to one endpoint again.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { definePreview } from '../operation.ts'
import { closed, idOf, moment, named, nullable, oneOf, openWord } from '../shapes.ts'

const replayStatuses = ['running', 'completed', 'cancelled', 'stopped'] as const

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Replay = named('Replay', 'A job that sends events of a span of time again.', {
  id: idOf('replay', { description: 'Sent as Service-Replay with each of its deliveries.' }),
  webhook_endpoint: idOf('webhook_endpoint'),
  since: moment(),
  until: moment(),
  event_types: Type.Array(openWord([...eventTypes, '*'])),
  only: oneOf(['failed', 'all']),
  status: oneOf(replayStatuses, {
    description: 'A completed replay has queued everything; see its deliveries for what arrived.',
  }),
  reason: nullable(
    openWord(['endpoint_disabled', 'endpoint_deleted', 'sandbox_reset'], {
      description: 'Why it stopped.',
    }),
  ),
  queued_until: nullable(moment({ description: 'The created_at of the last event it looked at.' })),
  deliveries: Type.Object(
    {
      pending: count('Waiting, or between two attempts.'),
      delivered: count('Accepted by the endpoint.'),
      failed: count('Failed for good.'),
    },
    { description: 'Those it has queued so far.' },
  ),
  created_at: moment(),
  ended_at: nullable(moment({ description: 'null while it runs.' })),
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
    summary: 'Send the events of a span of time again.',
    description:
      'To one endpoint, in the order in which they were created. `failed` sends those whose ' +
      'delivery to it failed and that it has not accepted since; `all` sends every event. Without ' +
      'event_types it sends what the endpoint subscribes to. At most ' +
      `${limits.replaysPerSecond} events a second, and no more while ${limits.replaysWaitingMax} ` +
      'deliveries of the endpoint wait, so that new events are not held up. An endpoint has one ' +
      'running replay. Each event keeps its id, so that receivers can recognize it, and each ' +
      'delivery carries the id of the replay in `Service-Replay`. An endpoint with ' +
      'include_resource needs the read scopes of the resources. ' +
      `At most ${limits.redeliveriesPerWindow} per minute, together with redeliveries.`,
    quota: 'redeliveries',
    body: closed({
      webhook_endpoint: idOf('webhook_endpoint'),
      since: moment({
        'x-latest': 'now',
        description: `At or after. At most ${limits.replayDaysMax} days ago.`,
      }),
      until: Type.Optional(moment({ 'x-latest': 'now', description: 'Before. Default: now.' })),
      event_types: Type.Optional(
        Type.Array(type, {
          minItems: 1,
          maxItems: limits.webhookEventTypesMax,
          uniqueItems: true,
          description: 'Exact event types, or `*` alone for all.',
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
    summary: 'Stop a replay.',
    description: 'It queues nothing more. What it has queued is still delivered.',
    body: 'none',
    status: 200,
    returns: Replay,
    refuses: ['invalid_transition'],
  },
})
