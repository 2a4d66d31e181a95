// What a clinic keeps about the record of a patient: to whom it was disclosed, and legal holds.

import { Type } from 'typebox'
import { closed, day, idOf, moment, nullable, text } from '../shapes.ts'
import { chartReaders, defineConsole, readRow, writeRow } from './row.ts'

/** How long the texts of the records role may be. */
export const recordLimits = { reasonMax: 2000, recipientMax: 200, addressMax: 500 } as const

const { reasonMax, recipientMax, addressMax } = recordLimits

const by = Type.Object({ person: nullable(Type.String()), name: nullable(Type.String()) })

export const Disclosure = Type.Object({
  id: idOf('disclosure'),
  disclosed_on: day(),
  recipient: Type.String(),
  recipient_address: nullable(Type.String()),
  description: Type.String({ description: 'What was disclosed.' }),
  purpose: Type.String(),
  corrects: nullable(idOf('disclosure'), { description: 'The entry that this one replaces.' }),
  by,
  created_at: moment(),
})

export const Hold = Type.Object({
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
    summary: 'List to whom the record of a patient was disclosed.',
    returns: Type.Object({ data: Type.Array(Disclosure) }),
  },
  addDisclosure: {
    ...write,
    path: '/console/patients/{id}/disclosures',
    summary: 'Enter a disclosure of the record of a patient.',
    body: closed({
      disclosed_on: day({ description: 'Not after today, in the time of the clinic.' }),
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
    summary: 'List the legal holds of a patient.',
    returns: Type.Object({ data: Type.Array(Hold) }),
  },
  placeHold: {
    ...write,
    path: '/console/patients/{id}/holds',
    summary: 'Place a legal hold on the record of a patient.',
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
})
