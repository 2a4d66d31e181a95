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
      description: `Opaque, and a credential: keep it out of logs. It lives ${minutes} minutes.`,
    }),
    channel: Type.String({
      description:
        '`integration:<integration>:<organization>`, and `:test` behind it in test mode. Events of ' +
        'one mode never reach the channel of the other.',
    }),
    capability: oneOf(['subscribe']),
    mode: oneOf(modes),
    expires_at: moment({ description: 'The connection is closed then.' }),
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
    summary: 'Make a token that subscribes to the events of one organization.',
    description:
      'Each message is named after the event type and carries the body that `GET /v1/events/{id}` ' +
      'answers. A message is a notification and may be missed: read `GET /v1/events` after every ' +
      'connect. Publishing is granted to nobody.',
    body: 'none',
    status: 201,
    returns: RealtimeToken,
  },
})
