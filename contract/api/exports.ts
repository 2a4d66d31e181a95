// Exports of a patient's data, available for download for a day.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define, modes } from '../operation.ts'
import { idOf, moment, named, nullable, oneOf } from '../shapes.ts'
import { Case } from './cases.ts'
import { File } from './files.ts'
import { Consent, Patient } from './patients.ts'
import { Order, Prescription } from './thread.ts'

const tillCompleted = 'null until the export is completed.'

export const Export = named('Export', 'An export job.', {
  id: idOf('export'),
  status: oneOf(['pending', 'completed', 'failed']),
  url: nullable(Type.String({ format: 'uri' }), {
    description: `Where to download the bundle, with a credential. ${tillCompleted}`,
  }),
  expires_at: nullable(moment(), {
    description: `${limits.exportHours} hours after completion. ${tillCompleted}`,
  }),
})

const inSandbox = 'null in the sandbox, which stores no bytes.'

export const ExportBundle = named('ExportBundle', 'The downloaded export file.', {
  export: idOf('export'),
  organization: idOf('organization'),
  mode: oneOf(modes),
  created_at: moment({ description: 'The data in the bundle is as of this time.' }),
  patient: Patient,
  cases: Type.Array(Case, { description: 'Ascending by ID, like every list below.' }),
  consents: Type.Array(Consent),
  files: Type.Array(File, { description: 'Attached files only.' }),
  prescriptions: Type.Array(Prescription),
  orders: Type.Array(Order),
  documents: Type.Array(
    Type.Object({
      file: idOf('file'),
      filename: Type.String(),
      mime: File.properties.mime,
      url: nullable(Type.String({ format: 'uri' }), { description: inSandbox }),
      expires_at: nullable(moment(), { description: inSandbox }),
    }),
    { description: 'One entry per file, with where to download its bytes.' },
  ),
})

const common = { tag: 'Exports', scope: 'patients:read', mode: 'both', tool: false } as const

export const exports = define({
  createExport: {
    ...common,
    // Decided in docs/decisions/0171-need-cases-read-for-an-export.md.
    alsoNeeds: ['cases:read'],
    method: 'POST',
    path: '/v1/patients/{id}/exports',
    summary: "Export part of a patient's record.",
    description:
      'The bundle contains the patient, consents, cases, files, prescriptions and orders, but no ' +
      'messages, visits or charges. ' +
      'In test mode the export is pending and completes in about a second, so poll it. In live ' +
      'mode it is already completed in the response. A new export does not change older ones.',
    body: 'none',
    quota: 'exports',
    status: 201,
    returns: Export,
  },
  getPatientExport: {
    ...common,
    method: 'GET',
    path: '/v1/patients/{id}/exports/{job}',
    summary: "Read one of a patient's exports.",
    status: 200,
    returns: Export,
  },
  getExport: {
    ...common,
    method: 'GET',
    path: '/v1/exports/{id}',
    summary: 'Read an export.',
    status: 200,
    returns: Export,
  },
  downloadExport: {
    ...common,
    alsoNeeds: ['cases:read'],
    method: 'GET',
    path: '/v1/exports/{id}/download',
    summary: "Download an export's bundle.",
    description:
      'Every download of an export has the same bytes and the same ETag. Send the ETag in ' +
      'If-None-Match to get 304 without a body.',
    status: 200,
    returns: ExportBundle,
    hasETag: true,
    refuses: ['export_not_ready', 'gone'],
  },
})
