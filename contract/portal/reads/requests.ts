// The reads of the request log's pages.

import { Type } from 'typebox'
import { problemCodesOf } from '../../problems.ts'
import { Request, requestSurfaces } from '../../preview/requests.ts'
import { closed, idOf, moment, nullable, oneOf, text, whole } from '../../shapes.ts'
import { defineReads, newestFirst } from './read.ts'

/** How a call ended. `error` means refused or failed. */
export const requestOutcomes = ['answered', 'refused', 'failed', 'error'] as const

/** Above this number, a page shows “over 1,000”. */
export const changedRequestsMax = 1000

/** A call's OAuth client, and the person it acts for. A call with a key has neither. */
const agent = { client: nullable(Type.String()), person: nullable(Type.String()) }

const row = {
  method: 'GET',
  tag: 'Portal',
  scope: 'events:read',
  mode: 'both',
  tool: false,
  status: 200,
} as const

export const requestReads = defineReads({
  listNewestRequests: {
    ...row,
    path: '/portal/requests',
    summary: 'List the latest requests.',
    query: closed({
      ...newestFirst('request'),
      operation: Type.Optional(text(1, 64)),
      outcome: Type.Optional(oneOf(requestOutcomes)),
      code: Type.Optional(oneOf(problemCodesOf('v1'))),
      credential: Type.Optional(text(1, 64)),
      surface: Type.Optional(oneOf(requestSurfaces)),
      target: Type.Optional(
        text(1, 64, {
          description: 'The ID in the path, or the ID of the resource the request created.',
        }),
      ),
      client: Type.Optional(idOf('client')),
      person: Type.Optional(idOf('person')),
      since: Type.Optional(moment()),
      until: Type.Optional(moment()),
    }),
    returns: Type.Object({ data: Type.Array(Type.Object({ ...Request.properties, ...agent })) }),
  },
  countAgentCalls: {
    ...row,
    path: '/portal/requests/agents',
    summary: 'Count a client’s requests for a person, by surface and operation.',
    query: closed({ client: idOf('client'), person: idOf('person') }),
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          surface: oneOf(requestSurfaces),
          operation: Type.String(),
          answered: Type.Integer(),
          refused: Type.Integer(),
          failed: Type.Integer(),
          last_at: moment(),
        }),
      ),
    }),
  },
  countChanged: {
    ...row,
    path: '/portal/requests/changed',
    summary: 'Count requests to the operations and fields that a release changed.',
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          operation: Type.String(),
          field: nullable(Type.String(), {
            description: 'null counts every request to the operation.',
          }),
          requests: Type.Integer(),
        }),
      ),
    }),
  },
  countRequests: {
    ...row,
    path: '/portal/requests/counts',
    summary: 'Count requests per hour, by status class.',
    query: closed({ hours: Type.Optional(whole(1, 168, { default: 24 })) }),
    returns: Type.Object({
      hours: Type.Array(
        Type.Object({
          start: moment(),
          answered: Type.Integer(),
          refused: Type.Integer(),
          failed: Type.Integer(),
        }),
      ),
    }),
  },
})
