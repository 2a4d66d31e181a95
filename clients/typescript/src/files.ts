// Files, with the upload that is made of several calls.

import type { Result } from './call.ts'
import { ConnectionError, SvcError } from './errors.ts'
import { uploadTimeoutSeconds } from './generated/contract.ts'
import { FilesResource } from './generated/resources/files.ts'
import type { File, FileMime } from './generated/schemas/files.ts'
import type { CallOptions, WriteOptions } from './options.ts'
import { pause, uuid } from './runtime.ts'

export type UploadParams = {
  patient: string
  kind: string
  filename: string
  mime: FileMime
  /** Read once for each attempt, so no stream. */
  body: Blob | Uint8Array | ArrayBuffer | string
  case?: string
}

export class Files extends FilesResource {
  /**
   * Reserves a file, uploads its bytes and confirms it. Use the id of the result: in live mode it
   * differs from that of the reservation.
   */
  async upload(
    { body, ...file }: UploadParams,
    { idempotencyKey = uuid(), ...options }: WriteOptions = {},
  ): Promise<Result<File>> {
    const blob = new Blob([body as BlobPart])
    const reserve = { ...file, size_bytes: blob.size }
    const reservation = await this.create(reserve, {
      ...options,
      idempotencyKey: `${idempotencyKey}-create`,
    })
    await this.#put(reservation, blob, options)
    const { patient, kind, filename } = file
    return this.confirm(
      reservation.id,
      { patient, kind, filename },
      { ...options, idempotencyKey: `${idempotencyKey}-confirm` },
    )
  }

  /** To storage, which is not the API: without the credential. */
  async #put(
    reservation: { upload_url: string; upload_headers: Record<string, string> },
    blob: Blob,
    options: CallOptions,
  ): Promise<void> {
    const retries = options.maxRetries ?? this.transport.settings.maxRetries
    const timeout = options.timeout ?? uploadTimeoutSeconds * 1000
    for (let attempts = 1; ; attempts++) {
      options.signal?.throwIfAborted()
      const failed = { method: 'PUT', path: 'upload_url', attempts }
      const outcome = await this.transport.settings
        .fetch(reservation.upload_url, {
          method: 'PUT',
          headers: reservation.upload_headers,
          body: blob,
          signal: AbortSignal.timeout(timeout),
        })
        .catch((error: unknown) => new ConnectionError('the upload failed:', failed, error))
      if (outcome instanceof Response) {
        await outcome.body?.cancel()
        if (outcome.ok) return
      }
      const isFinal = outcome instanceof Response && outcome.status < 500 && outcome.status !== 429
      if (isFinal || attempts > retries) {
        if (outcome instanceof ConnectionError) throw outcome
        throw new SvcError(`storage answered ${outcome.status} to the upload`)
      }
      await pause(this.transport.pauseAfter(attempts), options.signal)
    }
  }
}
