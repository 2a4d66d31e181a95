// Documents of a patient: a reservation, an upload to storage, a confirmation.

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
      'What it shows, in a word of your choice, such as photo_id, selfie, clinical_photo, lab_result, ' +
      'insurance_card, prior_prescription or other.',
    ...options,
  })

const filename = (options: Record<string, unknown> = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: filenamePattern,
    description: 'Without a folder, a control character or a change of writing direction.',
    ...options,
  })

const whileReserved = 'null only while reserved.'
const mime = oneOf(mimes)
const theCase = nullable(idOf('case'), { description: 'The case it is attached to.' })
const size = whole(1, limits.fileBytesMax)

export const File = named('File', 'A document of a patient, reserved or filed.', {
  id: idOf('file'),
  patient: idOf('patient'),
  case: theCase,
  kind: nullable(kind(), { description: whileReserved }),
  filename: nullable(filename(), { description: whileReserved }),
  mime,
  size_bytes: nullable(size, {
    description: 'As storage measured it; null until something is uploaded.',
  }),
  status: oneOf(['reserved', 'attached']),
  attached_at: nullable(moment()),
  created_at: moment(),
})

export const FileUpload = named('FileUpload', 'Where and how the bytes of a file are sent.', {
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
    description: 'Signed. It needs no credential, so keep it as secret as one.',
  }),
  upload_headers: Type.Object(
    {},
    {
      additionalProperties: Type.String(),
      description: 'Every entry must be sent, or storage refuses the upload.',
    },
  ),
  max_bytes: Type.Literal(limits.fileBytesMax),
  expires_at: moment({ description: 'When the reservation ends, unless it is confirmed.' }),
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
        description: 'A case of this patient that is not canceled or withdrawn.',
      }),
    ),
  ),
  size_bytes: Type.Optional(
    whole(1, limits.fileBytesMax, { description: 'If present, no other size is accepted.' }),
  ),
})

const FileConfirm = closed({
  patient: idOf('patient', { description: 'The patient of the reservation.' }),
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
    summary: 'Reserve a file and receive a signed URL to upload it to.',
    description:
      'PUT the bytes to upload_url with every entry of upload_headers, then confirm. You can repeat ' +
      'the PUT until then; the last upload counts. An unconfirmed reservation ends after an hour. ' +
      'Test mode measures the bytes and stores none.',
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
      'In live mode the file gets a new id: use the id in this response from now on, not that of ' +
      'the reservation. Test mode keeps the id, and does not check the bytes.',
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
    summary: 'Delete a file, in test mode.',
    description:
      'It is also removed from its case. In live mode every id is refused with live_not_available: ' +
      'only the clinic can remove a document.',
    body: 'none',
    status: 200,
    returns: Deleted,
    refuses: ['live_not_available'],
  },
})
