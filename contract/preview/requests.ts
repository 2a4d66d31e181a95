// The request log: one entry for each call of an integration. It holds no value of a request.

import { Type } from 'typebox'
import { eventTypes } from '../events.ts'
import { limits } from '../limits.ts'
import { definePreview, modes } from '../operation.ts'
import { problemCodesOf } from '../problems.ts'
import {
  closed,
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
import { page } from '../api/answers.ts'
import { deliveryStatuses } from '../api/webhooks.ts'

const credential = Type.Object(
  {
    id: Type.String({ description: 'Of a key or of an access token.' }),
    name: Type.String(),
    last4: Type.String({ description: 'Its last four characters.' }),
  },
  { description: 'The key or access token of the call. A token is gone once it was swept.' },
)

export const requestSurfaces = ['rest', 'mcp'] as const

const members = {
  id: idOf('request', { description: 'The Request-Id of its response.' }),
  created_at: moment({ description: 'When the request arrived.' }),
  mode: oneOf(modes),
  organization: nullable(idOf('organization'), {
    description: 'Whom the call was for; null where it was refused before that was known.',
  }),
  credential: nullable(credential),
  surface: openWord(requestSurfaces, { description: 'Where it came in.' }),
  operation: Type.String({ description: 'The operationId in the OpenAPI document.' }),
  method: oneOf(['GET', 'POST', 'PATCH', 'DELETE']),
  path: Type.String({ description: 'The template of the path, without the ids.' }),
  target: nullable(
    Type.String({ description: 'The id in the path, or that of the resource it created.' }),
  ),
  status: Type.Integer({ description: 'The HTTP status of the response.' }),
  code: nullable(
    openWord(problemCodesOf('v1'), { description: 'Of the error; null without one.' }),
  ),
  replayed: Type.Boolean({
    description: 'Whether it was answered with the stored response of an earlier request.',
  }),
  duration_ms: Type.Integer({
    description: 'From its arrival until its effect was stored, by two clocks.',
  }),
}

export const Request = named('Request', 'A call of your integration.', members)

const shape = Type.Object(
  {
    fields: Type.Array(
      Type.Object({
        pointer: Type.String({
          description: '`#/a/b` into the body; `*` is every item of an array.',
        }),
        types: Type.Array(oneOf(['string', 'number', 'boolean', 'null', 'object', 'array']), {
          minItems: 1,
          description: 'JSON types; several where the items of an array differ.',
        }),
        length: nullable(Type.Integer({ description: 'Of an array.' })),
      }),
      { description: 'The fields that the operation knows.' },
    ),
    unknown_fields: Type.Integer({
      description: 'How many others there were. Their names are not kept: they may hold anything.',
    }),
  },
  {
    description:
      'The shape of the body, without a value. Null where it was not read: the call has none, or ' +
      'was refused before.',
  },
)

const event = Type.Object({ id: idOf('event'), type: openWord(eventTypes) })

const delivery = Type.Object({
  id: idOf('delivery', {
    description: 'Read it with `GET /v1/webhook_endpoints/{id}/deliveries`.',
  }),
  event: idOf('event'),
  webhook_endpoint: idOf('webhook_endpoint'),
  status: oneOf(deliveryStatuses),
  attempt: Type.Integer({ description: 'Attempts made so far.' }),
  http_status: nullable(Type.Integer({ description: 'The status of the last attempt.' })),
  error: nullable(Type.String({ description: 'Why no HTTP status was received.' })),
  next_attempt_at: nullable(moment()),
})

export const RequestDetails = named(
  'RequestDetails',
  'A call of your integration, with what it sent and what it caused.',
  {
    ...members,
    body: nullable(shape),
    events: Type.Array(event, { description: 'The events that it caused, in their order.' }),
    deliveries: nullable(Type.Array(delivery), {
      description:
        'Their first deliveries to the endpoints that still exist. Null without the scope ' +
        '`webhooks:manage`.',
    }),
  },
)

export const requests = definePreview({
  listRequests: {
    method: 'GET',
    path: '/preview/requests',
    tag: 'Requests',
    scope: 'events:read',
    mode: 'both',
    tool: false,
    summary: 'List your calls.',
    description:
      'The calls of your integration that were for this organization, or for none, of the last ' +
      `${limits.requestLogDays} days. A call is in the list about a second after its response, also ` +
      'when it was refused; one without a valid credential never is. Calls enter the list in the ' +
      'order in which they end, so one with a lower id may still arrive: when you poll, begin a ' +
      'minute before the last one you have.',
    query: closed({
      ...page('request'),
      since: Type.Optional(moment({ description: 'At or after.' })),
      until: Type.Optional(moment({ description: 'Before.' })),
      operation: Type.Optional(text(1, 64, { description: 'An operationId.' })),
      status: Type.Optional(whole(200, 599, { description: 'The HTTP status.' })),
      code: Type.Optional(oneOf(problemCodesOf('v1'))),
      credential: Type.Optional(text(1, 64, { description: 'The id of a key or access token.' })),
    }),
    status: 200,
    returns: listOf(Request),
  },
  getRequest: {
    method: 'GET',
    path: '/preview/requests/{id}',
    tag: 'Requests',
    scope: 'events:read',
    mode: 'both',
    tool: false,
    summary: 'Read a call by its request id, with what it caused.',
    description: 'Answers 404 until the call is in the log, about a second after its response.',
    status: 200,
    returns: RequestDetails,
  },
})
