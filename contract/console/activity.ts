// What the staff of a clinic did with which patient, and what each integration did there.

import { Type } from 'typebox'
import { closed, idOf, moment, nullable, text, whole } from '../shapes.ts'
import { defineConsole, readRow } from './row.ts'

export const activityLimits = {
  pageDefault: 50,
  /** A file of the activity is read in pages of this size. */
  pageMax: 500,
} as const

/** The place of a row in the audit. */
export const place = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description }))

const Activity = Type.Object({
  id: Type.String(),
  at: moment(),
  person: nullable(Type.String()),
  name: nullable(Type.String(), { description: 'Of the member of staff, also after they left.' }),
  operation: Type.String(),
  target: nullable(Type.String(), { description: 'What the call named; null for a list.' }),
  patient: nullable(Type.String(), { description: 'Whom the target is of.' }),
  integration: nullable(Type.String()),
  outcome: Type.String(),
  code: nullable(Type.String()),
  address: nullable(Type.String()),
  is_emergency: Type.Boolean({ description: 'Done while the person had emergency access.' }),
})

export const activityRows = defineConsole({
  listActivity: {
    ...readRow,
    path: '/console/activity',
    roles: ['admin', 'records', 'auditor'],
    summary: 'List what staff did, the newest first.',
    query: closed({
      limit: Type.Optional(
        whole(1, activityLimits.pageMax, { default: activityLimits.pageDefault }),
      ),
      before: place('The id of the last row of the page before.'),
      person: Type.Optional(text(1, 64)),
      patient: Type.Optional(idOf('patient')),
      since: Type.Optional(moment()),
      until: Type.Optional(moment()),
    }),
    returns: Type.Object({
      data: Type.Array(Activity),
      next: nullable(Type.String(), { description: '`before` of the next page; null: the last.' }),
    }),
  },
  listIntegrations: {
    ...readRow,
    path: '/console/integrations',
    roles: ['admin'],
    summary: 'Count what each integration made in the last seven days.',
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
