// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { File, FileConfirmParams, FileCreateParams, FileUpload } from '../schemas/files.ts'
import type { Deleted } from '../schemas/patients.ts'

export class FilesResource extends Resource {
  /**
   * Reserve a file and get a signed upload URL.
   *
   * PUT the bytes to upload_url with every entry of upload_headers, then confirm the file. Until
   * then you can repeat the PUT; the last upload counts. Unconfirmed reservations expire after an
   * hour. Test mode measures the bytes but stores none.
   *
   * Scope: `patients:write`.
   *
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.files.create({
   *   patient: 'pat_01m7wqrwr07q7txy3ntfjc6jem',
   *   case: 'case_01m7wqryk2hdshyqxcd9x2kd4r',
   *   kind: 'photo_id',
   *   filename: 'license.jpg',
   *   mime: 'image/jpeg',
   *   size_bytes: 348112,
   * })
   * ```
   */
  create(params: FileCreateParams, options?: WriteOptions): Call<FileUpload> {
    return this.request('POST /files', [], params, options)
  }

  /**
   * Confirm an uploaded file.
   *
   * In live mode the file gets a new ID: use the ID in this response instead of the reservation's.
   * Test mode keeps the ID and does not check the bytes.
   *
   * Scope: `patients:write`. Events: `file.attached.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @throws {UploadMissingError} Nothing was uploaded.
   * @example
   * ```ts
   * await svc.files.confirm('file_01m7wqv6r49ar1pk5pa8g92t1x', {
   *   patient: 'pat_01m7wqrwr07q7txy3ntfjc6jem',
   *   kind: 'photo_id',
   *   filename: 'license.jpg',
   * })
   * ```
   */
  confirm(fileId: string, params: FileConfirmParams, options?: WriteOptions): Call<File> {
    return this.request('POST /files/{id}/confirm', [fileId], params, options)
  }

  /**
   * Read a file or a reservation.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.files.get('file_01m7wqv6r49ar1pk5pa8g92t1x')
   * ```
   */
  get(fileId: string, options?: CallOptions): Call<File> {
    return this.request('GET /files/{id}', [fileId], undefined, options, 'id')
  }

  /**
   * Delete a file in test mode.
   *
   * Also removes the file from its case. In live mode every ID is refused with live_not_available:
   * only the clinic can remove a document.
   *
   * Scope: `patients:write`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {LiveNotAvailableError} Not available in live mode.
   * @example
   * ```ts
   * await svc.files.delete('file_01m7wqv6r49ar1pk5pa8g92t1x')
   * ```
   */
  delete(fileId: string, options?: WriteOptions): Call<Deleted> {
    return this.request('DELETE /files/{id}', [fileId], undefined, options, 'id')
  }
}
