// The home page's reads: onboarding progress, and the last days' cases.

import { Type } from 'typebox'
import { idOf, moment, nullable } from '../../shapes.ts'
import { defineReads } from './read.ts'

const row = { method: 'GET', tag: 'Portal', tool: false, status: 200 } as const

const caseId = nullable(idOf('case'))

export const homeReads = defineReads({
  getLoop: {
    ...row,
    scope: 'events:read',
    mode: 'test',
    path: '/portal/loop',
    summary: 'Read the sandbox’s progress, from a first request to a delivered order.',
    returns: Type.Object({
      called: Type.Boolean({ description: 'Whether a request succeeded in the last 30 days.' }),
      patient: nullable(idOf('patient', { description: 'The newest patient.' })),
      telehealth: nullable(idOf('consent', { description: 'The patient’s current consent.' })),
      privacy: nullable(idOf('consent')),
      case: caseId,
      case_to_decide: caseId,
      case_to_ship: caseId,
      case_to_deliver: caseId,
      decided: Type.Boolean(),
      shipped: Type.Boolean(),
      delivered: Type.Boolean(),
      endpoint: nullable(idOf('webhook_endpoint')),
      received: Type.Boolean({ description: 'Whether a delivery succeeded.' }),
      realtime: Type.Boolean({ description: 'Whether a realtime token was created.' }),
    }),
  },
  countCases: {
    ...row,
    scope: 'cases:read',
    mode: 'both',
    path: '/portal/case_counts',
    summary: 'Count the cases filed on each of the last 14 days, by current status.',
    returns: Type.Object({
      days: Type.Array(
        Type.Object({
          start: moment(),
          approved: Type.Integer(),
          open: Type.Integer(),
          waiting: Type.Integer(),
          declined: Type.Integer(),
          ended: Type.Integer(),
        }),
      ),
    }),
  },
})
