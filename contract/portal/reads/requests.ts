// The request log as its pages show it.

import { Type } from 'typebox'
import { problemCodesOf } from '../../problems.ts'
import { Request } from '../../preview/requests.ts'
import { closed, moment, oneOf, text, whole } from '../../shapes.ts'
import { defineReads, newestFirst } from './read.ts'

/** How a call ended; `error` is both of the others. */
export const requestOutcomes = ['answered', 'refused', 'failed', 'error'] as const

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
      since: Type.Optional(moment()),
      until: Type.Optional(moment()),
    }),
    returns: Type.Object({ data: Type.Array(Request) }),
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
