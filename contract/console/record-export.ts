// A patient's record as a file, for the clinic to share.

import { Type } from 'typebox'
import { defineConsole, readRow } from './row.ts'

export const recordExportRows = defineConsole({
  exportRecord: {
    ...readRow,
    path: '/console/patients/{id}/export',
    roles: ['records'],
    isSignature: true,
    isExport: true,
    summary: 'Export a patient’s record with its documents.',
    returns: Type.Unknown({
      description:
        'A ZIP archive with record.json, a readable record.html, record.fhir.json and the documents.',
    }),
  },
})
