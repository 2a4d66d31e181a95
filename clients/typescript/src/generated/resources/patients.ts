// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type {
  Deleted,
  Patient,
  PatientCreateParams,
  PatientListParams,
  PatientUpdateParams,
} from '../schemas/patients.ts'

export class PatientsResource extends Resource {
  /**
   * Create a patient.
   *
   * Scope: `patients:write`. Events: `patient.created.v1`.
   *
   * @example
   * ```ts
   * await svc.patients.create({
   *   first_name: 'Ada',
   *   last_name: 'Rivera',
   *   date_of_birth: '1988-03-14',
   *   sex_at_birth: 'female',
   *   email: 'ada.rivera@example.com',
   *   phone: '+14155550142',
   *   address: {
   *     line1: '1600 Stockton Street',
   *     line2: 'Apt 4',
   *     city: 'San Francisco',
   *     state: 'CA',
   *     postal_code: '94133',
   *   },
   *   external_id: 'cust_8812',
   * })
   * ```
   */
  create(params: PatientCreateParams, options?: WriteOptions): Call<Patient> {
    return this.request('POST /patients', [], params, options)
  }

  /**
   * List patients, or find one by your own ID.
   *
   * Scope: `patients:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.patients.list()) console.log(one.id)
   * ```
   */
  list(params?: PatientListParams, options?: CallOptions): List<Patient> {
    return this.pages('GET /patients', [], params, options, 'id')
  }

  /**
   * Read a patient.
   *
   * Scope: `patients:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.patients.get('pat_01m7wqrwr07q7txy3ntfjc6jem')
   * ```
   */
  get(patientId: string, options?: CallOptions): Call<Patient> {
    return this.request('GET /patients/{id}', [patientId], undefined, options, 'id')
  }

  /**
   * Update a patient.
   *
   * Omitted fields keep their values, null clears middle_name or external_id, and an address is
   * replaced as a whole. If nothing changes, nothing is written and no event is sent.
   *
   * Scope: `patients:write`. Events: `patient.updated.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.patients.update('pat_01m7wqrwr07q7txy3ntfjc6jem', { phone: '+14155550177' })
   * ```
   */
  update(patientId: string, params?: PatientUpdateParams, options?: WriteOptions): Call<Patient> {
    return this.request('PATCH /patients/{id}', [patientId], params, options, 'id')
  }

  /**
   * Delete a patient and withdraw their open cases.
   *
   * Withdraws open cases and cancels scheduled visits. In test mode the details are erased. In
   * live mode they are hidden from you, and the clinic keeps its record. Cases, prescriptions,
   * orders and visits stay readable.
   *
   * Scope: `patients:write`. Events: `case.withdrawn.v1`, `visit.cancelled.v1`,
   * `patient.deleted.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.patients.delete('pat_01m7wqrwr07q7txy3ntfjc6jem')
   * ```
   */
  delete(patientId: string, options?: WriteOptions): Call<Deleted> {
    return this.request('DELETE /patients/{id}', [patientId], undefined, options, 'id')
  }
}
