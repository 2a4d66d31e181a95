// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Message, MessageCreateParams, MessageListParams } from '../schemas/messages.ts'

export class MessagesResource extends Resource {
  /**
   * List a case's thread.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.messages.list('case_01m7wqryk2hdshyqxcd9x2kd4r'))
   *   console.log(one.id)
   * ```
   */
  list(caseId: string, params?: MessageListParams, options?: CallOptions): List<Message> {
    return this.pages('GET /cases/{id}/messages', [caseId], params, options, 'id', 'case')
  }

  /**
   * Post a message to a case's thread.
   *
   * Messages never change the case status. To answer a question, call POST /v1/cases/{id}/answers.
   *
   * Scope: `cases:write`. Events: `case.message_created.v1`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {InvalidTransitionError} The current status does not allow this operation.
   * @example
   * ```ts
   * await svc.messages.create('case_01m7wqryk2hdshyqxcd9x2kd4r', {
   *   body: 'Can I take it in the evening?',
   *   author: 'patient',
   * })
   * ```
   */
  create(caseId: string, params: MessageCreateParams, options?: WriteOptions): Call<Message> {
    return this.request('POST /cases/{id}/messages', [caseId], params, options, 'case')
  }
}
