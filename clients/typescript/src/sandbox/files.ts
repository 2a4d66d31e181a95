// The in-process sandbox's files. Like test mode, it counts uploaded bytes but doesn't store them.

import { examples, limits, transitions } from '../generated/sandbox.ts'
import type { Case } from '../generated/schemas/cases.ts'
import type {
  File,
  FileConfirmParams,
  FileCreateParams,
  FileUpload,
} from '../generated/schemas/files.ts'
import type { Handlers, Input } from './handlers.ts'
import { invalid, Refusal } from './refusal.ts'
import { type Row, type Store, textOf } from './store.ts'

type FileRow = File & Row
type CaseRow = Case & Row

const uploads = '/uploads/'

/** Throws if the case no longer accepts files. */
function attachable(one: CaseRow): CaseRow {
  const { from = [] } = transitions['createMessage'] ?? {}
  if (from.includes(one.status)) return one
  throw new Refusal('invalid_transition', {
    detail: `A ${one.status} case does not accept files.`,
    resource: { type: 'case', id: one.id },
    current_status: one.status,
    allowed_from: from.toSorted(),
  })
}

function createFile({ store, body }: Input): FileUpload {
  const params = body as unknown as FileCreateParams
  const { patient, mime, kind = null, filename = null, case: theCase = null } = params
  store.named('patient', patient)
  if (theCase !== null) attachable(store.named<CaseRow>('case', theCase, patient))
  const { text: created_at, milliseconds } = store.next()
  const common = { patient, case: theCase, kind, filename, mime, created_at }
  const status = 'reserved' as const
  const file = { ...common, status, size_bytes: null, attached_at: null }
  const { id } = store.add<FileRow>('file', file)
  return {
    ...common,
    id,
    status,
    upload_method: 'PUT',
    upload_url: `http://localhost${uploads}${id}`,
    upload_headers: { 'Content-Type': mime, 'X-Upload-Reservation': id },
    max_bytes: examples.FileUpload.max_bytes,
    expires_at: textOf(milliseconds + limits.reservationSeconds * 1000),
  }
}

/** Responds to an upload as storage would. Returns undefined for any other request. */
export async function upload(store: Store, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'PUT' || !pathname.startsWith(uploads)) return undefined
  const [file] = store.all<FileRow>('file', ({ id }) => id === pathname.slice(uploads.length))
  if (file?.status !== 'reserved')
    return new Response('This upload URL is not valid.\n', { status: 403 })
  store.change(file, { size_bytes: (await request.arrayBuffer()).byteLength })
  return new Response()
}

function confirmFile({ store, path, body }: Input): FileRow {
  const { patient, kind, filename } = body as unknown as FileConfirmParams
  const file = store.find<FileRow>('file', path['id'])
  if (file.patient !== patient) {
    const message = "patient must match the reservation's patient."
    throw invalid('#/patient', 'mismatch', message)
  }
  if (file.status !== 'reserved') {
    throw new Refusal('invalid_transition', {
      detail: 'Only a reserved file can be confirmed. The status of this file is attached.',
      resource: { type: 'file', id: file.id },
      current_status: file.status,
      allowed_from: ['reserved'],
    })
  }
  const owner = file.case === null ? null : attachable(store.find<CaseRow>('case', file.case))
  const { text } = store.next()
  if (owner) store.change(owner, { files: [...owner.files, file.id], updated_at: text })
  store.event('file.attached.v1', file, 'attached', 'reserved')
  return store.change(file, { kind, filename, status: 'attached', attached_at: text })
}

function deleteFile({ store, path }: Input) {
  const { id } = store.find('file', path['id'])
  for (const one of store.all<CaseRow>('case', ({ files }) => files.includes(id))) {
    const files = one.files.filter(each => each !== id)
    store.change(one, { files, updated_at: store.next().text })
  }
  store.remove(id)
  return { id, deleted: true }
}

export const files: Handlers = {
  createFile,
  confirmFile,
  getFile: ({ store, path }) => store.find('file', path['id']),
  deleteFile,
}
