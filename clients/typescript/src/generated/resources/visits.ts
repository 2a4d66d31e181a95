// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type {
  JoinLink,
  Slot,
  Visit,
  VisitBookParams,
  VisitRescheduleParams,
  VisitSlotsParams,
} from '../schemas/visits.ts'

export class VisitsResource extends Resource {
  /**
   * List the slots you can book in a state.
   *
   * The window can span at most 14 days, and slots open 60 days ahead. Listing slots reserves
   * nothing.
   *
   * Scope: `visits:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.visits.slots({ state: 'CA' })) console.log(one.id)
   * ```
   */
  slots(params: VisitSlotsParams, options?: CallOptions): List<Slot> {
    return this.pages('GET /visits/slots', [], params, options, 'id')
  }

  /**
   * Book a visit.
   *
   * Books a slot in the patient's state. If two callers want the same slot, one gets it. No
   * consent is required.
   *
   * Scope: `visits:write`. Events: `visit.booked.v1`.
   *
   * @throws {SlotUnavailableError} The slot is not available.
   * @example
   * ```ts
   * await svc.visits.book({
   *   patient: 'pat_01m7wqrwr07q7txy3ntfjc6jem',
   *   starts_at: '2026-11-24T10:00:00-08:00',
   *   case: 'case_01m7wqryk2hdshyqxcd9x2kd4r',
   * })
   * ```
   */
  book(params: VisitBookParams, options?: WriteOptions): Call<Visit> {
    return this.request('POST /visits', [], params, options)
  }

  /**
   * Read a visit.
   *
   * Scope: `visits:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.visits.get('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  get(visitId: string, options?: CallOptions): Call<Visit> {
    return this.request('GET /visits/{id}', [visitId], undefined, options, 'id')
  }

  /**
   * Cancel a scheduled visit and free its slot.
   *
   * Scope: `visits:write`. Events: `visit.cancelled.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.visits.cancel('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  cancel(visitId: string, options?: WriteOptions): Call<Visit> {
    return this.request('POST /visits/{id}/cancel', [visitId], undefined, options, 'id')
  }

  /**
   * Move a scheduled visit to another slot.
   *
   * Books the new slot and frees the old one together. If the new slot is taken, the visit does
   * not change. The visit keeps the state it was booked in.
   *
   * Scope: `visits:write`. Events: `visit.rescheduled.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @throws {SlotUnavailableError} The slot is not available.
   * @example
   * ```ts
   * await svc.visits.reschedule('vis_01m7wr8bemnv8e2bynd832jrwg', {
   *   starts_at: '2026-11-24T19:00:00.000Z',
   * })
   * ```
   */
  reschedule(visitId: string, params: VisitRescheduleParams, options?: WriteOptions): Call<Visit> {
    return this.request('POST /visits/{id}/reschedule', [visitId], params, options, 'id')
  }

  /**
   * Create a link for the patient to join a visit.
   *
   * Available from 60 minutes before the start until 30 minutes after the end. Each request
   * creates a new link that expires after 15 minutes; earlier links stay valid until they expire.
   * A link works in the first browser that enters. In live mode patients enter their date of
   * birth.
   *
   * Scope: `visits:read`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @throws {JoinNotOpenError} The visit cannot be joined now.
   * @example
   * ```ts
   * await svc.visits.join('vis_01m7wr8bemnv8e2bynd832jrwg')
   * ```
   */
  join(visitId: string, options?: CallOptions): Call<JoinLink> {
    return this.request('GET /visits/{id}/join', [visitId], undefined, options, 'visit')
  }
}
