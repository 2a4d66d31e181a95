// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, DownloadOptions, WriteOptions } from '../../options.ts'
import { type JsonResponse, Resource } from '../../resource.ts'
import type { Export, ExportBundle } from '../schemas/exports.ts'

export class ExportsResource extends Resource {
  /**
   * Export part of a patient's record.
   *
   * The bundle contains the patient, consents, cases, files, prescriptions and orders, but no
   * messages, visits or charges. In test mode the export is pending and completes in about a
   * second, so poll it. In live mode it is already completed in the response. A new export does
   * not change older ones.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.exports.create('pat_01m7wqrwr07q7txy3ntfjc6jem')
   * ```
   */
  create(patientId: string, options?: WriteOptions): Call<Export> {
    return this.request('POST /patients/{id}/exports', [patientId], undefined, options)
  }

  /**
   * Read one of a patient's exports.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.exports.getForPatient(
   *   'pat_01m7wqrwr07q7txy3ntfjc6jem',
   *   'exp_01m7wrp180vpv8xg74ed2b1he2',
   * )
   * ```
   */
  getForPatient(patientId: string, exportId: string, options?: CallOptions): Call<Export> {
    return this.request(
      'GET /patients/{id}/exports/{job}',
      [patientId, exportId],
      undefined,
      options,
      'id',
    )
  }

  /**
   * Read an export.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.exports.get('exp_01m7wrp180vpv8xg74ed2b1he2')
   * ```
   */
  get(exportId: string, options?: CallOptions): Call<Export> {
    return this.request('GET /exports/{id}', [exportId], undefined, options, 'id')
  }

  /**
   * Download an export's bundle.
   *
   * Every download of an export has the same bytes and the same ETag. Send the ETag in
   * If-None-Match to get 304 without a body.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {ExportNotReadyError} The export is not ready.
   * @throws {GoneError} The download has expired.
   * @example
   * ```ts
   * const response = await svc.exports.download('exp_01m7wrp180vpv8xg74ed2b1he2')
   * console.log(await response.json())
   * ```
   */
  download(exportId: string, options?: DownloadOptions): Call<JsonResponse<ExportBundle>> {
    return this.bytes('GET /exports/{id}/download', [exportId], options)
  }
}
