// The actions of a clinic's staff on each patient, and each integration's actions at the clinic.

import { Type } from 'typebox'
import { closed, idOf, moment, nullable, text, whole } from '../shapes.ts'
import { defineConsole, readRow } from './row.ts'

export const activityLimits = {
  pageDefault: 50,
  /** The page size for reading an activity file. */
  pageMax: 500,
} as const

/** A row's position in the audit. */
export const place = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description }))

const Activity = Type.Object({
  id: Type.String(),
  at: moment(),
  person: nullable(Type.String()),
  name: nullable(Type.String(), { description: 'The staff member’s name, even after they leave.' }),
  operation: Type.String(),
  target: nullable(Type.String(), { description: 'The resource the call named. null for a list.' }),
  patient: nullable(Type.String(), { description: 'The target’s patient.' }),
  integration: nullable(Type.String()),
  outcome: Type.String(),
  code: nullable(Type.String()),
  address: nullable(Type.String()),
  is_emergency: Type.Boolean({
    description: 'Whether the person had emergency access at the time.',
  }),
})

export const activityRows = defineConsole({
  listActivity: {
    ...readRow,
    path: '/console/activity',
    roles: ['admin', 'records', 'auditor'],
    summary: 'List staff activity, newest first.',
    query: closed({
      limit: Type.Optional(
        whole(1, activityLimits.pageMax, { default: activityLimits.pageDefault }),
      ),
      before: place('The ID of the last row on the previous page.'),
      person: Type.Optional(text(1, 64)),
      patient: Type.Optional(idOf('patient')),
      since: Type.Optional(moment()),
      until: Type.Optional(moment()),
    }),
    returns: Type.Object({
      data: Type.Array(Activity),
      next: nullable(Type.String(), {
        description: '`before` for the next page. null on the last page.',
      }),
    }),
  },
  listIntegrations: {
    ...readRow,
    path: '/console/integrations',
    roles: ['admin'],
    summary: 'Count what each integration created in the last seven days.',
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          integration: Type.Object({ id: Type.String(), name: Type.String() }),
          patients: Type.Integer(),
          cases: Type.Integer(),
          messages: Type.Integer(),
          visits: Type.Integer(),
          last_case_at: nullable(moment()),
        }),
      ),
    }),
  },
})
