// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Case } from '../schemas/cases.ts'
import type { Message } from '../schemas/messages.ts'
import type {
  TestCaseBlockParams,
  TestCaseClinicianMessageParams,
  TestCaseDecideParams,
  TestCaseShipParams,
} from '../schemas/sandbox.ts'

export class TestCasesResource extends Resource {
  /**
   * Simulate the clinician's decision.
   *
   * The case moves to in_review first, which sends its own event.
   *
   * Scope: `test:manage`. Test mode only. Writes one event.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.decide('case_01m7wqryk2hdshyqxcd9x2kd4r', { decision: 'approve' })
   * ```
   */
  decide(caseId: string, params: TestCaseDecideParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /test/cases/{id}/decision', [caseId], params, options, 'id')
  }

  /**
   * Simulate a message from the clinician on a case's thread.
   *
   * Scope: `test:manage`. Test mode only. Events: `case.message_created.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.clinicianMessage('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   body: 'Yes, the evening is fine.',
   * })
   * ```
   */
  clinicianMessage(
    caseId: string,
    params: TestCaseClinicianMessageParams,
    options?: WriteOptions,
  ): Call<Message> {
    return this.request(
      'POST /test/cases/{id}/clinician_message',
      [caseId],
      params,
      options,
      'case',
    )
  }

  /**
   * Simulate the pharmacy shipping a case's orders.
   *
   * Ships every order that can ship, all or none. Orders that are created or blocked move to
   * at_pharmacy first, which sends its own event.
   *
   * Scope: `test:manage`. Test mode only. Events: `order.at_pharmacy.v1`, `order.shipped.v1`,
   * `prescription.updated.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.ship('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   tracking: {
   *     carrier: 'ups',
   *     number: '1Z999AA10123456784',
   *     url: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
   *   },
   * })
   * ```
   */
  ship(caseId: string, params?: TestCaseShipParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /test/cases/{id}/ship', [caseId], params, options, 'id')
  }

  /**
   * Simulate delivery of a case's orders.
   *
   * Scope: `test:manage`. Test mode only. Events: `order.delivered.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.deliver('case_01m7wqryk2hdshyqxcd9x2kd4r')
   * ```
   */
  deliver(caseId: string, options?: WriteOptions): Call<Case> {
    return this.request('POST /test/cases/{id}/deliver', [caseId], undefined, options, 'id')
  }

  /**
   * Simulate the pharmacy blocking a case's orders.
   *
   * To resume a blocked order, ship it.
   *
   * Scope: `test:manage`. Test mode only. Events: `order.blocked.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.block('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   reason: 'Out of stock until Thursday.',
   * })
   * ```
   */
  block(caseId: string, params: TestCaseBlockParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /test/cases/{id}/block', [caseId], params, options, 'id')
  }

  /**
   * Simulate permanent failure of a case's orders.
   *
   * Scope: `test:manage`. Test mode only. Events: `order.failed.v1`, `prescription.updated.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.cases.fail('case_01m7wqryk2hdshyqxcd9x2kd4r')
   * ```
   */
  fail(caseId: string, options?: WriteOptions): Call<Case> {
    return this.request('POST /test/cases/{id}/fail', [caseId], undefined, options, 'id')
  }
}
