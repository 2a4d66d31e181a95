// The documents of a clinic's patients. Documents are shown as images, and the records role can
// remove them.

import { Type } from 'typebox'
import { File } from '../api/files.ts'
import { closed, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { chartReaders, defineConsole, readRow, version, writeRow } from './row.ts'

const scans = ['pending', 'clean', 'refused'] as const

/** Why a document isn't shown to anyone. */
export const fileFindings = [
  'damaged',
  'password',
  'too_many_pages',
  'too_large',
  'too_slow',
  'malware',
] as const

export const fileLimits = {
  /** The maximum number of pages. A longer document isn't shown to anyone. */
  pagesMax: 200,
} as const

const by = Type.Object({ person: Type.String(), name: Type.String() })

/** A removed document no longer has a name. */
export const ClinicFile = Type.Object({
  ...File.properties,
  filename: nullable(Type.String()),
  status: oneOf(['attached', 'removed']),
  scan: nullable(oneOf(scans, { description: 'Only clean documents are shown.' })),
  finding: nullable(oneOf(fileFindings), { description: 'Why the document was refused.' }),
  pages: nullable(Type.Integer(), {
    description: 'Number of pages. null until the document is clean.',
  }),
  removal: nullable(Type.Object({ by, at: moment(), reason: Type.String() }), {
    description:
      'The requested removal, which needs confirmation unless the document is already removed.',
  }),
  removed: nullable(Type.Object({ by, at: moment() })),
  updated_at: moment(),
})

const removal = {
  ...writeRow,
  roles: ['records'],
  returns: ClinicFile,
  refuses: ['invalid_transition', 'version_changed'],
} as const

export const fileRows = defineConsole({
  readFile: {
    ...readRow,
    path: '/console/files/{id}',
    roles: chartReaders,
    summary: 'Read a document’s details, without its content.',
    returns: ClinicFile,
  },
  viewFile: {
    ...readRow,
    path: '/console/files/{id}/page',
    roles: chartReaders,
    summary: 'View a page of a document as an image.',
    query: closed({ page: Type.Optional(whole(1, fileLimits.pagesMax, { default: 1 })) }),
    returns: Type.Unknown({ description: 'A WebP image.' }),
    refuses: ['file_not_shown'],
  },
  downloadFile: {
    ...readRow,
    path: '/console/files/{id}/original',
    roles: chartReaders,
    isExport: true,
    summary: 'Download a document whose pages take too long to show.',
    returns: Type.Unknown({ description: 'The document as uploaded.' }),
    refuses: ['file_not_shown'],
  },
  requestRemoval: {
    ...removal,
    path: '/console/files/{id}/removal',
    isSignature: true,
    summary: 'Request a document’s removal, with a reason.',
    body: closed({ version, reason: text(1, 2000) }),
  },
  cancelRemoval: {
    ...removal,
    path: '/console/files/{id}/removal/cancel',
    summary: 'Keep a document whose removal was requested.',
    body: closed({ version }),
  },
  confirmRemoval: {
    ...removal,
    path: '/console/files/{id}/removal/confirm',
    isSignature: true,
    summary: 'Remove a document permanently.',
    refuses: ['invalid_transition', 'version_changed', 'legal_hold'],
    body: closed({ version }),
  },
})
