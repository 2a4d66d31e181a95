// The request log as its pages show it.

import { Type } from 'typebox'
import { problemCodesOf } from '../../problems.ts'
import { Request, requestSurfaces } from '../../preview/requests.ts'
import { closed, idOf, moment, nullable, oneOf, text, whole } from '../../shapes.ts'
import { defineReads, newestFirst } from './read.ts'

/** How a call ended; `error` is both of the others. */
export const requestOutcomes = ['answered', 'refused', 'failed', 'error'] as const

/** A page says “over 1,000” of more. */
export const changedRequestsMax = 1000

/** The OAuth client of a call, and the person that it acts for; null for a key. */
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
    summary: 'List the newest calls.',
    query: closed({
      ...newestFirst('request'),
      operation: Type.Optional(text(1, 64)),
      outcome: Type.Optional(oneOf(requestOutcomes)),
      code: Type.Optional(oneOf(problemCodesOf('v1'))),
      credential: Type.Optional(text(1, 64)),
      surface: Type.Optional(oneOf(requestSurfaces)),
      target: Type.Optional(
        text(1, 64, { description: 'The ID in the path or of what was created.' }),
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
    summary: 'Count the calls that a client made for a person, by where and what it called.',
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
    summary:
      'Count the calls of operations that a release changed, and those that sent its fields.',
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          operation: Type.String(),
          field: nullable(Type.String(), { description: 'null: every call of the operation.' }),
          requests: Type.Integer(),
        }),
      ),
    }),
  },
  countRequests: {
    ...row,
    path: '/portal/requests/counts',
    summary: 'Count the calls of each hour by the class of their status.',
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
