// A patient's record as a file, for the clinic to hand out.

import { Type } from 'typebox'
import { defineConsole, readRow } from './row.ts'

export const recordExportRows = defineConsole({
  exportRecord: {
    ...readRow,
    path: '/console/patients/{id}/export',
    roles: ['records'],
    isSignature: true,
    isExport: true,
    summary: 'Export the record of a patient with its documents.',
    returns: Type.Unknown({
      description:
        'A ZIP archive: record.json, record.html to read, record.fhir.json, and the documents.',
    }),
  },
})
