// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { RealtimeToken } from '../schemas/realtime.ts'

export class RealtimeResource extends Resource {
  /**
   * Create a token that subscribes to an organization's events.
   *
   * Each message's name is the event type, and its body is the `GET /v1/events/{id}` response.
   * Messages are notifications and can be missed, so read `GET /v1/events` after every connect.
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
