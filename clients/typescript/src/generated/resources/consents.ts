// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Consent, ConsentListParams, ConsentRecordParams } from '../schemas/patients.ts'

export class ConsentsResource extends Resource {
  /**
   * Record a patient's consent to one document.
   *
   * The newest consent of each kind is current and supersedes the previous one. A consent to a
   * version that is no longer in force is recorded as superseded.
   *
   * Scope: `patients:write`. Events: `consent.recorded.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.consents.record('pat_01m7wqrwr07q7txy3ntfjc6jem', {
   *   kind: 'telehealth',
   *   version: '2026-09-01',
   *   accepted_at: '2026-11-20T15:03:58.000Z',
   * })
   * ```
   */
  record(patientId: string, params: ConsentRecordParams, options?: WriteOptions): Call<Consent> {
    return this.request('POST /patients/{id}/consents', [patientId], params, options, 'patient')
  }

  /**
   * List a patient's consents.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.consents.list('pat_01m7wqrwr07q7txy3ntfjc6jem'))
   *   console.log(one.id)
   * ```
   */
  list(patientId: string, params?: ConsentListParams, options?: CallOptions): List<Consent> {
    return this.pages('GET /patients/{id}/consents', [patientId], params, options, 'id', 'patient')
  }
}
