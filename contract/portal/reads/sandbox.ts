// What the pages of the sandbox read: ids, states and times, and no value of a patient.

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
    summary: 'List the cases of the sandbox, the newest first.',
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
    summary: 'Read a case of the sandbox, with its orders, its visits and their newest events.',
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
    summary: 'List the visits of the sandbox, the newest first.',
    query: closed(newestFirst('visit')),
    returns: Type.Object({ data: Type.Array(SandboxVisit) }),
  },
  getNextStep: {
    ...row,
    scope: 'test:manage',
    path: '/portal/sandbox/next_step',
    summary: 'What the autopilot does next, and when it is due by the clock of the sandbox.',
    returns: Type.Object({
      case: nullable(idOf('case')),
      step: nullable(oneOf(autopilotSteps)),
      due_at: nullable(moment()),
    }),
  },
})
