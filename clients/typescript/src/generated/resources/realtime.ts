// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { RealtimeToken } from '../schemas/realtime.ts'

export class RealtimeResource extends Resource {
  /**
   * Create a token that subscribes to the events of one organization.
   *
   * The name of each message is the event type, and its body is that of `GET /v1/events/{id}`.
   * Messages are notifications and can be missed: read `GET /v1/events` after every connect.
   * Tokens cannot publish.
   *
   * Scope: `realtime:subscribe`.
   *
   * @example
   * ```ts
   * await svc.realtime.createToken()
   * ```
   */
  createToken(options?: WriteOptions): Call<RealtimeToken> {
    return this.request('POST /realtime/tokens', [], undefined, options)
  }
}
