// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Prescription, PrescriptionListParams } from '../schemas/prescriptions.ts'

export class PrescriptionsResource extends Resource {
  /**
   * List a case's prescriptions.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.prescriptions.list('case_01m7wqryk2hdshyqxcd9x2kd4r'))
   *   console.log(one.id)
   * ```
   */
  list(caseId: string, params?: PrescriptionListParams, options?: CallOptions): List<Prescription> {
    return this.pages('GET /cases/{id}/prescriptions', [caseId], params, options, 'id', 'case')
  }

  /**
   * Read a prescription.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.prescriptions.get('rx_01m7wr3qspd4mt996695cy6x0s')
   * ```
   */
  get(prescriptionId: string, options?: CallOptions): Call<Prescription> {
    return this.request('GET /prescriptions/{id}', [prescriptionId], undefined, options, 'id')
  }
}
