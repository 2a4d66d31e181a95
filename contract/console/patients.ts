// A patient as the clinic sees them, whichever integration created them.

import { Type } from 'typebox'
import { Patient } from '../api/patients.ts'
import { Order, Prescription } from '../api/thread.ts'
import { Visit } from '../api/visits.ts'
import { idOf, moment, nullable, oneOf } from '../shapes.ts'
import { caseStatuses } from '../states.ts'
import { ClinicFile } from './files.ts'
import { chartReaders, defineConsole, readRow } from './row.ts'

export const ChartPatient = Type.Object({
  ...Patient.properties,
  status: oneOf(['active', 'deleted'], {
    description: 'deleted: by the integration, which does not see the patient any more.',
  }),
  deleted_at: nullable(moment()),
})

export const patientRows = defineConsole({
  readPatient: {
    ...readRow,
    path: '/console/patients/{id}',
    roles: chartReaders,
    summary: 'Read a patient with their cases, prescriptions, orders, visits and files.',
    returns: Type.Object({
      ...ChartPatient.properties,
      integration: Type.Object({ id: Type.String(), name: Type.String() }),
      is_held: Type.Boolean({ description: 'Whether a legal hold stands.' }),
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
