// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Medication, MedicationListParams } from '../schemas/organization.ts'

export class MedicationsResource extends Resource {
  /**
   * List the medications you can request.
   *
   * In live mode, only the medications the clinic dispenses.
   *
   * Scope: `organization:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.medications.list()) console.log(one.medication_id)
   * ```
   */
  list(params?: MedicationListParams, options?: CallOptions): List<Medication> {
    return this.pages('GET /medications', [], params, options, 'medication_id')
  }

  /**
   * Read a medication.
   *
   * Scope: `organization:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.medications.get('med_01ke5q8600cs8dx2pfwah5v0tz')
   * ```
   */
  get(medicationId: string, options?: CallOptions): Call<Medication> {
    return this.request(
      'GET /medications/{medication_id}',
      [medicationId],
      undefined,
      options,
      'medication_id',
    )
  }
}
