// The sandbox pages' reads: IDs, statuses and times, but no patient values.

import { Type } from 'typebox'
import { eventTypes } from '../../events.ts'
import { closed, idOf, moment, nullable, oneOf, openWord } from '../../shapes.ts'
import { caseStatuses, orderStatuses, visitStatuses } from '../../states.ts'
import { defineReads, newestFirst } from './read.ts'

const row = { method: 'GET', tag: 'Portal', mode: 'test', tool: false, status: 200 } as const

const SandboxCase = {
  id: idOf('case'),
  status: oneOf(caseStatuses),
  created_at: moment(),
  updated_at: moment(),
  orders: Type.Array(Type.Object({ id: idOf('order'), status: oneOf(orderStatuses) })),
}

const SandboxVisit = Type.Object({
  id: idOf('visit'),
  status: oneOf(visitStatuses),
  starts_at: moment(),
  case: nullable(idOf('case')),
})

const autopilotSteps = ['approve', 'ship', 'deliver'] as const

export const sandboxReads = defineReads({
  listSandboxCases: {
    ...row,
    scope: 'cases:read',
    path: '/portal/sandbox/cases',
    summary: 'List sandbox cases, newest first.',
    query: closed({
      ...newestFirst('case'),
      status: Type.Optional(oneOf(caseStatuses)),
    }),
    returns: Type.Object({ data: Type.Array(Type.Object(SandboxCase)) }),
  },
  getSandboxCase: {
    ...row,
    scope: 'cases:read',
    path: '/portal/sandbox/cases/{id}',
    summary: 'Read a sandbox case with its orders, visits and latest events.',
    returns: Type.Object({
      ...SandboxCase,
      patient: idOf('patient'),
      visits: Type.Array(SandboxVisit),
      events: Type.Array(
        Type.Object({ id: idOf('event'), type: openWord(eventTypes), created_at: moment() }),
      ),
    }),
  },
  listSandboxVisits: {
    ...row,
    scope: 'visits:read',
    path: '/portal/sandbox/visits',
    summary: 'List sandbox visits, newest first.',
    query: closed(newestFirst('visit')),
    returns: Type.Object({ data: Type.Array(SandboxVisit) }),
  },
  getNextStep: {
    ...row,
    scope: 'test:manage',
    path: '/portal/sandbox/next_step',
    summary: 'Read the autopilot’s next step, and when it is due in sandbox time.',
    returns: Type.Object({
      case: nullable(idOf('case')),
      step: nullable(oneOf(autopilotSteps)),
      due_at: nullable(moment()),
    }),
  },
})
