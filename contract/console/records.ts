// A patient record's disclosures and legal holds.

import { Type } from 'typebox'
import { closed, day, idOf, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { activityLimits, place } from './activity.ts'
import { chartReaders, defineConsole, readRow, writeRow } from './row.ts'

/** The maximum lengths of texts that the records role enters, and a page size. */
export const recordLimits = {
  reasonMax: 2000,
  recipientMax: 200,
  addressMax: 500,
  /** The page size of the records due for destruction. */
  duePage: 100,
} as const

const { reasonMax, recipientMax, addressMax } = recordLimits

/** The reasons to keep a record past the retention policy. */
const keeping = ['hold', 'open_case', 'open_order', 'open_visit'] as const

const by = Type.Object({ person: nullable(Type.String()), name: nullable(Type.String()) })

const Disclosure = Type.Object({
  id: idOf('disclosure'),
  disclosed_on: day(),
  recipient: Type.String(),
  recipient_address: nullable(Type.String()),
  description: Type.String({ description: 'What was disclosed.' }),
  purpose: Type.String(),
  corrects: nullable(idOf('disclosure'), { description: 'The entry this one replaces.' }),
  by,
  created_at: moment(),
})

const Hold = Type.Object({
  id: idOf('hold'),
  reason: Type.String(),
  by,
  placed_at: moment(),
  lifted: nullable(Type.Object({ reason: Type.String(), by, at: moment() })),
})

const write = { ...writeRow, roles: ['records'], isSignature: true } as const

export const recordRows = defineConsole({
  listDisclosures: {
    ...readRow,
    path: '/console/patients/{id}/disclosures',
    roles: ['records', 'auditor'],
    summary: 'List a patient record’s disclosures.',
    returns: Type.Object({ data: Type.Array(Disclosure) }),
  },
  addDisclosure: {
    ...write,
    path: '/console/patients/{id}/disclosures',
    summary: 'Record a disclosure of a patient’s record.',
    body: closed({
      disclosed_on: day({ description: 'Not after today, in the clinic’s time zone.' }),
      recipient: text(1, recipientMax),
      recipient_address: Type.Optional(nullable(text(1, addressMax))),
      description: text(1, reasonMax),
      purpose: text(1, reasonMax),
      corrects: Type.Optional(nullable(idOf('disclosure'))),
    }),
    returns: Disclosure,
  },
  listHolds: {
    ...readRow,
    path: '/console/patients/{id}/holds',
    roles: [...chartReaders, 'auditor'],
    summary: 'List a patient’s legal holds.',
    returns: Type.Object({ data: Type.Array(Hold) }),
  },
  placeHold: {
    ...write,
    path: '/console/patients/{id}/holds',
    summary: 'Place a legal hold on a patient’s record.',
    body: closed({ reason: text(1, reasonMax) }),
    returns: Hold,
  },
  liftHold: {
    ...write,
    path: '/console/patients/{id}/holds/lift',
    summary: 'Lift a legal hold.',
    body: closed({ hold: idOf('hold'), reason: text(1, reasonMax) }),
    returns: Hold,
    refuses: ['version_changed'],
  },
  listDueRecords: {
    ...readRow,
    path: '/console/records/due',
    roles: ['records', 'auditor'],
    summary: 'List records due for destruction under the retention policy.',
    query: closed({
      by: day({ description: 'The last day to include.' }),
      after_day: Type.Optional(
        day({ description: '`due_on` of the previous page’s last record.' }),
      ),
      after: Type.Optional(
        idOf('patient', {
          description: '`patient` of that record. Records after it are returned.',
        }),
      ),
    }),
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          patient: idOf('patient'),
          due_on: day(),
          last_activity_on: day(),
          kept_by: nullable(oneOf(keeping), { description: 'Why the record is kept.' }),
        }),
      ),
      has_more: Type.Boolean(),
    }),
  },
  listAccess: {
    ...readRow,
    path: '/console/patients/{id}/access',
    roles: ['admin', 'records', 'auditor'],
    summary: 'List who saw or changed a patient’s data, newest first.',
    query: closed({
      limit: Type.Optional(
        whole(1, activityLimits.pageMax, { default: activityLimits.pageDefault }),
      ),
      before: place('The ID of the last row on the previous page.'),
    }),
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          id: Type.String(),
          at: moment(),
          surface: Type.String({ description: 'console, rest, mcp, portal or worker.' }),
          person: nullable(Type.String()),
          name: nullable(Type.String(), { description: 'The person’s name.' }),
          client: nullable(Type.String(), { description: 'The agent or service that acted.' }),
          integration: nullable(Type.String()),
          operation: Type.String(),
          target: nullable(Type.String(), {
            description: 'null for a list in which the patient appeared.',
          }),
          outcome: Type.String(),
          code: nullable(Type.String()),
          address: nullable(Type.String()),
        }),
      ),
      next: nullable(Type.String(), {
        description: '`before` for the next page. null on the last page.',
      }),
    }),
  },
})
