// Tokens for subscribing to events.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { moment, named, oneOf } from '../shapes.ts'

const minutes = limits.realtimeTokenSeconds / 60

export const RealtimeToken = named(
  'RealtimeToken',
  'A token that can subscribe to one channel and do nothing else.',
  {
    token: Type.String({
      maxLength: 4096,
      description: `An opaque credential: keep it out of logs. Expires after ${minutes} minutes.`,
    }),
    channel: Type.String({
      description:
        '`integration:<integration>:<organization>`, with `:test` appended in test mode. Test and live ' +
        "events never reach each other's channels.",
    }),
    capability: oneOf(['subscribe']),
    mode: oneOf(modes),
    expires_at: moment({ description: 'When the connection is closed.' }),
  },
)

export const realtime = define({
  createRealtimeToken: {
    method: 'POST',
    path: '/v1/realtime/tokens',
    tag: 'Realtime',
    scope: 'realtime:subscribe',
    mode: 'both',
    tool: false,
    summary: "Create a token that subscribes to an organization's events.",
    description:
      "Each message's name is the event type, and its body is the `GET /v1/events/{id}` response. " +
      'Messages are notifications and can be missed, so read `GET /v1/events` after every connect. ' +
      'Tokens cannot publish.',
    body: 'none',
    status: 201,
    returns: RealtimeToken,
  },
})
