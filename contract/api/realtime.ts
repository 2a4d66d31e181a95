// The token with which a client subscribes to events.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { moment, named, oneOf } from '../shapes.ts'

const minutes = limits.realtimeTokenSeconds / 60

export const RealtimeToken = named(
  'RealtimeToken',
  'A token that subscribes to one channel, and can do nothing else.',
  {
    token: Type.String({
      maxLength: 4096,
      description: `Opaque, and a credential: keep it out of logs. It expires after ${minutes} minutes.`,
    }),
    channel: Type.String({
      description:
        '`integration:<integration>:<organization>`, with `:test` appended in test mode. Events of ' +
        'one mode never reach the channel of the other.',
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
    summary: 'Create a token that subscribes to the events of one organization.',
    description:
      'The name of each message is the event type, and its body is that of `GET /v1/events/{id}`. ' +
      'Messages are notifications and can be missed: read `GET /v1/events` after every connect. ' +
      'Tokens cannot publish.',
    body: 'none',
    status: 201,
    returns: RealtimeToken,
  },
})
