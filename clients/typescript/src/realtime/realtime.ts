// Realtime subscriptions, built from realtime tokens and the event list.

import { EventsResource } from '../generated/resources/events.ts'
import { RealtimeResource } from '../generated/resources/realtime.ts'
import type { CallOptions } from '../options.ts'
import { now } from '../runtime.ts'
import { type SubscribeOptions, Subscription } from './subscription.ts'

export class Realtime extends RealtimeResource {
  /**
   * Delivers events as they happen, each once and in order, even across lost connections and
   * expired tokens. Requires the `realtime:subscribe` and `events:read` scopes. Leaving the loop
   * unsubscribes.
   *
   * @example
   * ```ts
   * for await (const event of svc.realtime.subscribe()) console.log(event.type)
   * ```
   */
  subscribe(options: SubscribeOptions & Pick<CallOptions, 'organization'> = {}): Subscription {
    const { organization, ...rest } = options
    const { settings, shared } = this.transport
    const events = new EventsResource(this.transport)
    const Socket = shared.client.WebSocket ?? globalThis.WebSocket
    if (Socket === undefined) {
      throw new TypeError(
        'This runtime has no WebSocket: pass one as the WebSocket option, such as the one from "ws".',
      )
    }
    return new Subscription(
      {
        baseUrl: settings.baseUrl,
        WebSocket: Socket,
        now: () => now() + (shared.clockOffset ?? 0),
        guard: hook => shared.log.guard(hook),
        createToken: () => this.createToken({ organization }),
        list: query => events.list(query, { organization }),
      },
      rest,
    )
  }
}
