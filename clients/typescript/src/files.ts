// File uploads, which make several requests.

import type { Result } from './call.ts'
import { FilesResource } from './generated/resources/files.ts'
import type { File, FileMime } from './generated/schemas/files.ts'
import { remainingOf, type WriteOptions } from './options.ts'
import { uuid } from './runtime.ts'

export type UploadParams = {
  patient: string
  kind: string
  filename: string
  mime: FileMime
  /** Each attempt reads the body from the start, so a stream isn't allowed. */
  body: Blob | Uint8Array | ArrayBuffer | string
  case?: string
}

export class Files extends FilesResource {
  /** Reserves a file, uploads its bytes and confirms it. Use the result's ID, which in live mode
   *  differs from the reservation's. */
  async upload(
    { body, ...file }: UploadParams,
    { idempotencyKey = uuid(), ...options }: WriteOptions = {},
  ): Promise<Result<File>> {
    const blob = new Blob([body as BlobPart])
    const reserve = { ...file, size_bytes: blob.size }
    const remaining = remainingOf(options, this.transport.settings.call)
    const reservation = await this.create(reserve, {
      ...remaining(),
      idempotencyKey: `${idempotencyKey}-create`,
    })
    const { upload_url: url, upload_headers: headers } = reservation
    await this.transport.put(url, headers, blob, remaining())
    const { patient, kind, filename } = file
    return this.confirm(
      reservation.id,
      { patient, kind, filename },
      { ...remaining(), idempotencyKey: `${idempotencyKey}-confirm` },
    )
  }
}
