// The clinic's bulk exports of one integration's patients as FHIR files.

import { Type } from 'typebox'
import { idOf, moment, nullable, oneOf } from '../shapes.ts'
import { defineConsole, readRow, writeRow } from './row.ts'

const BulkExport = Type.Object({
  id: idOf('bulk_export'),
  status: oneOf(['running', 'completed', 'failed']),
  created_at: moment(),
  expires_at: moment(),
  started_by: Type.String(),
  files: Type.Array(
    Type.Object({ id: idOf('bulk_file'), type: Type.String(), count: Type.Integer() }),
  ),
})
const roles = ['records'] as const
const returns = Type.Object({ id: idOf('bulk_export') })

export const bulkExportRows = defineConsole({
  listBulkExports: {
    ...readRow,
    path: '/console/exports',
    roles,
    summary: 'List the clinic’s integrations, each with its newest FHIR export.',
    returns: Type.Object({
      data: Type.Array(
        Type.Object({
          integration: Type.Object({ id: idOf('integration'), name: Type.String() }),
          export: nullable(BulkExport),
        }),
      ),
    }),
  },
  startBulkExport: {
    ...writeRow,
    path: '/console/integrations/{id}/exports',
    roles,
    isSignature: true,
    isExport: true,
    summary: 'Start a FHIR export of an integration’s patients.',
    returns,
    refuses: ['rate_limited'],
  },
  downloadBulkFile: {
    ...readRow,
    path: '/console/export-files/{id}',
    roles,
    isSignature: true,
    isExport: true,
    summary: 'Download one of a FHIR export’s files.',
    returns: Type.Unknown({ description: 'NDJSON.' }),
  },
  deleteBulkExport: {
    ...writeRow,
    path: '/console/exports/{id}/delete',
    roles,
    summary: 'Cancel a FHIR export, or delete its files.',
    returns,
  },
})
