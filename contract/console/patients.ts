// The clinic's view of a patient, whichever integration created them.

import { Type } from 'typebox'
import { Patient } from '../api/patients.ts'
import { Order, Prescription } from '../api/thread.ts'
import { Visit } from '../api/visits.ts'
import { limits } from '../limits.ts'
import { closed, day, idOf, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { caseStatuses, orderStatuses } from '../states.ts'
import { ClinicFile } from './files.ts'
import { chartReaders, defineConsole, readRow } from './row.ts'

/** Roles that can search patients. The pharmacy finds only patients with an order, and sees only
 *  their orders. */
const finders = ['clinician', 'nurse', 'pharmacy', 'records'] as const

export const searchLengthMax = 200

export const ChartPatient = Type.Object({
  ...Patient.properties,
  status: oneOf(['active', 'deleted'], {
    description: 'deleted: the integration deleted the patient and can no longer see them.',
  }),
  deleted_at: nullable(moment()),
})

const Newest = {
  case: nullable(
    Type.Object({ id: idOf('case'), status: oneOf(caseStatuses), created_at: moment() }),
    { description: 'The newest case. Always null for the pharmacy role.' },
  ),
  order: nullable(
    Type.Object({
      id: idOf('order'),
      status: oneOf(orderStatuses),
      medication_id: idOf('medication'),
      created_at: moment(),
    }),
    { description: 'The newest order.' },
  ),
}

const ListedPatient = Type.Object({
  ...Type.Pick(ChartPatient, [
    'id',
    'external_id',
    'status',
    'first_name',
    'middle_name',
    'last_name',
  ]).properties,
  date_of_birth: day(),
  state: Type.String(),
  integration: Type.Object({ id: Type.String(), name: Type.String() }),
  ...Newest,
})

const foundTypes = ['patient', 'case', 'prescription', 'order', 'visit'] as const

export const patientRows = defineConsole({
  findPatients: {
    ...readRow,
    path: '/console/search',
    roles: finders,
    summary: 'Find patients by name, date of birth, phone, email, external ID or ID.',
    query: closed({
      q: text(1, searchLengthMax, {
        description:
          'The beginnings of names in any order, optionally with a date of birth. Or a phone, an email, an external ID, or the ID of a patient, case, prescription, order or visit.',
      }),
    }),
    returns: Type.Object({
      data: Type.Array(ListedPatient, { description: 'Best matches first, at most 25.' }),
      has_more: Type.Boolean(),
      found: nullable(Type.Object({ type: oneOf(foundTypes), id: Type.String() }), {
        description: 'What an ID in the search belongs to; null for any other search.',
      }),
    }),
  },
  listClinicPatients: {
    ...readRow,
    path: '/console/patients',
    roles: chartReaders,
    summary: 'List patients, newest first.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageDefault })),
      before: Type.Optional(
        idOf('patient', { description: 'The last patient on the previous page.' }),
      ),
    }),
    returns: Type.Object({ data: Type.Array(ListedPatient), has_more: Type.Boolean() }),
  },
  readPatient: {
    ...readRow,
    path: '/console/patients/{id}',
    roles: chartReaders,
    summary: 'Read a patient with their cases, prescriptions, orders, visits and files.',
    returns: Type.Object({
      ...ChartPatient.properties,
      integration: Type.Object({ id: Type.String(), name: Type.String() }),
      is_held: Type.Boolean({ description: 'Whether the record is on legal hold.' }),
      cases: Type.Array(
        Type.Object({
          id: idOf('case'),
          status: oneOf(caseStatuses),
          created_at: moment(),
          updated_at: moment(),
        }),
      ),
      prescriptions: Type.Array(Prescription),
      orders: Type.Array(Order),
      visits: Type.Array(Visit),
      files: Type.Array(ClinicFile),
    }),
  },
})
