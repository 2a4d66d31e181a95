// Examples of a file and the export that contains it.

import type { Static } from 'typebox'
import type { Export, ExportBundle } from '../api/exports.ts'
import type { File, FileUpload } from '../api/files.ts'
import { approvedCase, consent, ids, order, patient, prescription } from './resources.ts'

export const file: Static<typeof File> = {
  id: ids.file,
  patient: ids.patient,
  case: ids.case,
  kind: 'photo_id',
  filename: 'license.jpg',
  mime: 'image/jpeg',
  size_bytes: 348_112,
  status: 'attached',
  attached_at: '2026-11-20T15:05:31.004Z',
  created_at: '2026-11-20T15:05:20.900Z',
}

export const upload: Static<typeof FileUpload> = {
  id: ids.file,
  patient: ids.patient,
  case: ids.case,
  kind: file.kind,
  filename: file.filename,
  mime: file.mime,
  status: 'reserved',
  upload_method: 'PUT',
  upload_url: 'https://uploads.example.com/u/3w7n0z6b2h?sig=c0ffee',
  upload_headers: { 'Content-Type': 'image/jpeg', 'X-Upload-Reservation': ids.file },
  max_bytes: 26_214_400,
  expires_at: '2026-11-20T16:05:20.900Z',
  created_at: file.created_at,
}

export const completedExport: Static<typeof Export> = {
  id: ids.export,
  status: 'completed',
  url: `https://api.example.com/v1/exports/${ids.export}/download`,
  expires_at: '2026-11-21T15:20:01.000Z',
}

export const bundle: Static<typeof ExportBundle> = {
  export: ids.export,
  organization: ids.organization,
  mode: 'test',
  created_at: '2026-11-20T15:20:01.000Z',
  patient,
  cases: [approvedCase],
  consents: [consent],
  files: [file],
  prescriptions: [prescription],
  orders: [order],
  documents: [
    { file: ids.file, filename: 'license.jpg', mime: file.mime, url: null, expires_at: null },
  ],
}
