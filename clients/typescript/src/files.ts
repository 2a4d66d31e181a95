// File uploads, which make several requests.

import type { Result } from './call.ts'
import { APIError, isRefusal, keyed } from './errors.ts'
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
   *  differs from the reservation's. Repeating the call with the same `idempotencyKey`, which an
   *  error has, uploads nothing twice. */
  async upload(
    params: UploadParams,
    { idempotencyKey = uuid(), ...options }: WriteOptions = {},
  ): Promise<Result<File>> {
    return keyed(idempotencyKey, this.#upload(params, idempotencyKey, options))
  }

  async #upload({ body, ...file }: UploadParams, key: string, options: WriteOptions) {
    const blob = new Blob([body as BlobPart])
    const reserve = { ...file, size_bytes: blob.size }
    const remaining = remainingOf(options, this.transport.settings.call)
    const { data, replayed } = await this.create(reserve, {
      ...remaining(),
      idempotencyKey: `${key}-create`,
    }).withResponse()
    const { upload_url: url, upload_headers: headers } = data
    const put = this.transport.put(url, headers, blob, remaining())
    const refused = await put.catch((error: unknown) => {
      // Storage refuses the bytes of a file that an earlier call confirmed.
      if (replayed && error instanceof APIError && error.status === 403) return error
      throw error
    })
    const { patient, kind, filename } = file
    const confirmed = this.confirm(
      data.id,
      { patient, kind, filename },
      { ...remaining(), idempotencyKey: `${key}-confirm` },
    )
    return confirmed.catch((error: unknown) => {
      throw refused && isRefusal(error) ? refused : error
    })
  }
}
