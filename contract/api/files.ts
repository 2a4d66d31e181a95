// A patient's documents: reserve, upload to storage, confirm.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import {
  closed,
  fileKindPattern,
  filenamePattern,
  idOf,
  moment,
  named,
  nullable,
  oneOf,
  whole,
} from '../shapes.ts'
import { Deleted } from './answers.ts'

export const mimes = ['application/pdf', 'image/jpeg', 'image/png', 'image/heic'] as const

const kind = (options: Record<string, unknown> = {}) =>
  Type.String({
    pattern: fileKindPattern,
    description:
      'A label of your choice for the content, such as photo_id, selfie, clinical_photo, lab_result, ' +
      'insurance_card, prior_prescription or other.',
    ...options,
  })

const filename = (options: Record<string, unknown> = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: filenamePattern,
    description: 'Must not contain folders, control characters or text-direction characters.',
    ...options,
  })

const whileReserved = 'null only while the file is reserved.'
const mime = oneOf(mimes)
const theCase = nullable(idOf('case'), { description: 'The case the file is attached to.' })
const size = whole(1, limits.fileBytesMax)

export const File = named('File', "A patient's document, reserved or attached.", {
  id: idOf('file'),
  patient: idOf('patient'),
  case: theCase,
  kind: nullable(kind(), { description: whileReserved }),
  filename: nullable(filename(), { description: whileReserved }),
  mime,
  size_bytes: nullable(size, {
    description: 'The size storage measured. null until something is uploaded.',
  }),
  status: oneOf(['reserved', 'attached']),
  attached_at: nullable(moment()),
  created_at: moment(),
})

export const FileUpload = named('FileUpload', "Where and how to upload a file's bytes.", {
  id: idOf('file'),
  patient: idOf('patient'),
  case: theCase,
  kind: nullable(kind()),
  filename: nullable(filename()),
  mime,
  status: Type.Literal('reserved'),
  upload_method: Type.Literal('PUT'),
  upload_url: Type.String({
    format: 'uri',
    description: 'A signed URL that needs no credential. Keep it as secret as one.',
  }),
  upload_headers: Type.Object(
    {},
    {
      additionalProperties: Type.String(),
      description: 'Send every entry, or storage refuses the upload.',
    },
  ),
  max_bytes: Type.Literal(limits.fileBytesMax),
  expires_at: moment({ description: 'When the reservation expires unless you confirm it.' }),
  created_at: moment(),
})

const FileCreate = closed({
  patient: idOf('patient'),
  mime,
  kind: Type.Optional(nullable(kind({ default: null }))),
  filename: Type.Optional(nullable(filename({ default: null }))),
  case: Type.Optional(
    nullable(
      idOf('case', {
        default: null,
        description: "One of this patient's cases, not canceled or withdrawn.",
      }),
    ),
  ),
  size_bytes: Type.Optional(
    whole(1, limits.fileBytesMax, { description: 'If set, no other size is accepted.' }),
  ),
})

const FileConfirm = closed({
  patient: idOf('patient', { description: 'The patient the reservation is for.' }),
  kind: kind(),
  filename: filename(),
})

export const files = define({
  createFile: {
    method: 'POST',
    path: '/v1/files',
    tag: 'Files',
    scope: 'patients:write',
    mode: 'both',
    tool: false,
    summary: 'Reserve a file and get a signed upload URL.',
    description:
      'PUT the bytes to upload_url with every entry of upload_headers, then confirm the file. Until ' +
      'then you can repeat the PUT; the last upload counts. Unconfirmed reservations expire after ' +
      `${limits.reservationSeconds / 60} minutes. Test mode measures the bytes but stores none.`,
    body: FileCreate,
    status: 201,
    returns: FileUpload,
    refuses: ['invalid_transition'],
  },
  confirmFile: {
    method: 'POST',
    path: '/v1/files/{id}/confirm',
    tag: 'Files',
    scope: 'patients:write',
    mode: 'both',
    tool: false,
    summary: 'Confirm an uploaded file.',
    description:
      "In live mode the file gets a new ID: use the ID in this response instead of the reservation's. " +
      'Test mode keeps the ID and does not check the bytes.',
    body: FileConfirm,
    status: 200,
    returns: File,
    emits: ['file.attached.v1'],
    refuses: ['invalid_transition', 'upload_missing'],
  },
  getFile: {
    method: 'GET',
    path: '/v1/files/{id}',
    tag: 'Files',
    scope: 'patients:read',
    mode: 'both',
    tool: false,
    summary: 'Read a file or a reservation.',
    status: 200,
    returns: File,
  },
  deleteFile: {
    method: 'DELETE',
    path: '/v1/files/{id}',
    tag: 'Files',
    scope: 'patients:write',
    mode: 'both',
    tool: false,
    summary: 'Delete a file in test mode.',
    description:
      'Also removes the file from its case. In live mode every ID is refused with ' +
      'live_not_available: only the clinic can remove a document.',
    body: 'none',
    status: 200,
    returns: Deleted,
    refuses: ['live_not_available'],
  },
})
