// The request log: one entry per request from an integration, without the request's values.

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
    id: Type.String({ description: 'ID of the key or access token.' }),
    name: Type.String(),
    last4: Type.String({ description: 'The last four characters of the secret.' }),
  },
  { description: 'The key or access token used. Expired tokens are eventually removed.' },
)

export const requestSurfaces = ['rest', 'mcp'] as const

const members = {
  id: idOf('request', { description: 'The Request-Id of the response.' }),
  created_at: moment({ description: 'When the request arrived.' }),
  mode: oneOf(modes),
  organization: nullable(idOf('organization'), {
    description:
      'The organization the request was for. null if it was refused before that was known.',
  }),
  credential: nullable(credential),
  surface: openWord(requestSurfaces, {
    description: 'Whether the request came through the REST API or the tool server.',
  }),
  operation: Type.String({ description: 'The operationId in the OpenAPI document.' }),
  method: oneOf(['GET', 'POST', 'PATCH', 'DELETE']),
  path: Type.String({ description: 'The path template, without IDs.' }),
  target: nullable(
    Type.String({
      description: 'The ID in the path, or the ID of the resource the request created.',
    }),
  ),
  status: Type.Integer({ description: 'The HTTP status of the response.' }),
  code: nullable(
    openWord(problemCodesOf('v1'), { description: 'The error code. null if there was no error.' }),
  ),
  replayed: Type.Boolean({
    description: 'Whether the response was the stored response of an earlier request.',
  }),
  duration_ms: Type.Integer({
    description:
      'Time from when the request arrived until its effect was stored, measured by two clocks.',
  }),
}

export const Request = named('Request', 'A request from your integration.', members)

const shape = Type.Object(
  {
    fields: Type.Array(
      Type.Object({
        pointer: Type.String({
          description:
            'Where the field is in the body, such as `#/a/b`. `*` means every item of an array.',
        }),
        types: Type.Array(oneOf(['string', 'number', 'boolean', 'null', 'object', 'array']), {
          minItems: 1,
          description: 'JSON types. More than one if the items of an array differ.',
        }),
        length: nullable(Type.Integer({ description: 'Number of items. null if not an array.' })),
      }),
      { description: 'Fields that the operation accepts.' },
    ),
    unknown_fields: Type.Integer({
      description:
        'How many other fields were sent. Their names are not stored, because they could contain anything.',
    }),
  },
  {
    description:
      'The shape of the body, without values. null if there was no body, or the request was refused ' +
      'before it was read.',
  },
)

const event = Type.Object({ id: idOf('event'), type: openWord(eventTypes) })

const delivery = Type.Object({
  id: idOf('delivery', {
    description: 'Read the delivery with `GET /v1/webhook_endpoints/{id}/deliveries`.',
  }),
  event: idOf('event'),
  webhook_endpoint: idOf('webhook_endpoint'),
  status: oneOf(deliveryStatuses),
  attempt: Type.Integer({ description: 'Attempts made so far.' }),
  http_status: nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
  error: nullable(Type.String({ description: 'Why there was no HTTP response.' })),
  next_attempt_at: nullable(moment()),
})

export const RequestDetails = named(
  'RequestDetails',
  'A request from your integration, with the shape of its body and its effects.',
  {
    ...members,
    body: nullable(shape),
    events: Type.Array(event, { description: 'The events the request caused, in order.' }),
    deliveries: nullable(Type.Array(delivery), {
      description:
        "The events' first deliveries to endpoints that still exist. null without the " +
        '`webhooks:manage` scope.',
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
    summary: 'List your requests.',
    description:
      "Your integration's requests for this organization, or for none, from the last " +
      `${limits.requestLogDays} days. Requests appear about a second after their response, including ` +
      'refused ones, but never those without a valid credential. They appear in the order they finish, ' +
      'so one with a lower ID can appear later: when you poll, start a minute before the last ' +
      'request you have.',
    query: closed({
      ...page('request'),
      since: Type.Optional(moment({ description: 'Only requests at or after this time.' })),
      until: Type.Optional(moment({ description: 'Only requests before this time.' })),
      operation: Type.Optional(text(1, 64, { description: 'An operationId.' })),
      status: Type.Optional(whole(200, 599, { description: 'The HTTP status.' })),
      code: Type.Optional(oneOf(problemCodesOf('v1'))),
      credential: Type.Optional(text(1, 64, { description: 'The ID of a key or access token.' })),
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
    summary: 'Read a request and what it caused.',
    description: 'Returns 404 until the request is in the log, about a second after its response.',
    status: 200,
    returns: RequestDetails,
  },
})
