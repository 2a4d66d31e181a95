// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type {
  Case,
  CaseAnswerParams,
  CaseCancelParams,
  CaseCreateParams,
  CaseEventsParams,
  CaseListParams,
  CaseWithdrawParams,
} from '../schemas/cases.ts'
import type { Event } from '../schemas/events.ts'

export class CasesResource extends Resource {
  /**
   * File a case.
   *
   * The case starts as queued. With hold, it starts as received, so you can attach files first.
   *
   * Scope: `cases:write`. Events: `case.queued.v1`, `case.received.v1`.
   *
   * @throws {ConsentRequiredError} Both consents are required.
   * @example
   * ```ts
   * await svc.cases.create({
   *   patient: 'pat_01m7wqrwr07q7txy3ntfjc6jem',
   *   consent_ids: ['cons_01m7wqrxwwqzrsprbqaspd0s6r', 'cons_01m7wqry2gzsngmxkkvxnyg1ps'],
   *   requested_medications: [
   *     { medication_id: 'med_01ke5q8600cs8dx2pfwah5v0tz', quantity: 4, refills: 2 },
   *   ],
   *   answers: [
   *     {
   *       id: 'weight_goal',
   *       question: 'What is your goal weight?',
   *       answer: '165 lb',
   *       type: 'string',
   *     },
   *   ],
   * })
   * ```
   */
  create(params: CaseCreateParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /cases', [], params, options)
  }

  /**
   * List cases.
   *
   * Scope: `cases:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.cases.list()) console.log(one.id)
   * ```
   */
  list(params?: CaseListParams, options?: CallOptions): List<Case> {
    return this.pages('GET /cases', [], params, options, 'id')
  }

  /**
   * Read a case.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.cases.get('case_01m7wqryk2hdshyqxcd9x2kd4r')
   * ```
   */
  get(caseId: string, options?: CallOptions): Call<Case> {
    return this.request('GET /cases/{id}', [caseId], undefined, options, 'id')
  }

  /**
   * Release a held case to the clinic.
   *
   * Scope: `cases:write`. Events: `case.queued.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.cases.release('case_01m7wqryk2hdshyqxcd9x2kd4r')
   * ```
   */
  release(caseId: string, options?: WriteOptions): Call<Case> {
    return this.request('POST /cases/{id}/release', [caseId], undefined, options, 'id')
  }

  /**
   * Cancel a case for your own reasons: a duplicate, an unpaid order, a mistake.
   *
   * Refused while a clinician is reviewing the case. The patient can still withdraw it.
   *
   * Scope: `cases:write`. Events: `case.cancelled.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.cases.cancel('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   reason: 'Filed twice by mistake.',
   * })
   * ```
   */
  cancel(caseId: string, params?: CaseCancelParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /cases/{id}/cancel', [caseId], params, options, 'id')
  }

  /**
   * Withdraw a case because the patient no longer wants the consult.
   *
   * Scope: `cases:write`. Events: `case.withdrawn.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.cases.withdraw('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   reason: 'The patient found another provider.',
   * })
   * ```
   */
  withdraw(caseId: string, params?: CaseWithdrawParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /cases/{id}/withdraw', [caseId], params, options, 'id')
  }

  /**
   * Answer the open question and return the case to the clinician.
   *
   * Omitted values come from the question. The answers are added to the thread as one message,
   * truncated to 5,000 characters; the case keeps each in full, up to 200 in total.
   *
   * Scope: `cases:write`. Events: `case.in_review.v1`, `case.message_created.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.cases.answer('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   answers: [{ answer: 'No, never.' }],
   * })
   * ```
   */
  answer(caseId: string, params: CaseAnswerParams, options?: WriteOptions): Call<Case> {
    return this.request('POST /cases/{id}/answers', [caseId], params, options, 'id')
  }

  /**
   * List a case's events.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.cases.events('case_01m7wqryk2hdshyqxcd9x2kd4r'))
   *   console.log(one.id)
   * ```
   */
  events(caseId: string, params?: CaseEventsParams, options?: CallOptions): List<Event> {
    return this.pages('GET /cases/{id}/events', [caseId], params, options, 'id')
  }
}
