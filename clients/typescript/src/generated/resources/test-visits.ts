// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Visit } from '../schemas/visits.ts'

export class TestVisitsResource extends Resource {
  /**
   * Simulate the clinician starting a visit.
   *
   * You can start a visit at any time, even before starts_at.
   *
   * Scope: `test:manage`. Test mode only. Events: `visit.started.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.visits.start('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  start(visitId: string, options?: WriteOptions): Call<Visit> {
    return this.request('POST /test/visits/{id}/start', [visitId], undefined, options, 'id')
  }

  /**
   * Simulate the clinician completing a started visit.
   *
   * Creates a `video_visit` charge; no other operation creates charges. In test mode the charge
   * appears only in its event, not in usage or invoices.
   *
   * Scope: `test:manage`. Test mode only. Events: `visit.completed.v1`, `charge.created.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.visits.complete('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  complete(visitId: string, options?: WriteOptions): Call<Visit> {
    return this.request('POST /test/visits/{id}/complete', [visitId], undefined, options, 'id')
  }

  /**
   * Simulate a patient not showing up for a visit.
   *
   * Creates no charge.
   *
   * Scope: `test:manage`. Test mode only. Events: `visit.no_show.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.test.visits.noShow('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  noShow(visitId: string, options?: WriteOptions): Call<Visit> {
    return this.request('POST /test/visits/{id}/no_show', [visitId], undefined, options, 'id')
  }
}
