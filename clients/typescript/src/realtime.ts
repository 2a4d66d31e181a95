// Realtime, with the subscription that is made of its tokens and of the list of events.

import { hide } from './errors.ts'
import type { EventsResource } from './generated/resources/events.ts'
import { RealtimeResource } from './generated/resources/realtime.ts'
import type { CallOptions } from './options.ts'
import { type SubscribeOptions, Subscription } from './subscription.ts'
import type { Transport } from './transport.ts'

export class Realtime extends RealtimeResource {
  declare protected readonly events: EventsResource
  declare protected readonly socket: typeof WebSocket | undefined

  constructor(transport: Transport, events: EventsResource, socket?: typeof WebSocket) {
    super(transport)
    hide(this, { events, socket })
  }

  /**
   * The events as they happen, each once and in order, across lost connections and ended tokens.
   * It needs the scopes `realtime:subscribe` and `events:read`. Leaving the loop ends it.
   *
   * @example
   * ```ts
   * for await (const event of svc.realtime.subscribe()) console.log(event.type)
   * ```
   */
  subscribe(options: SubscribeOptions & Pick<CallOptions, 'organization'> = {}): Subscription {
    const { organization, ...rest } = options
    const Socket = this.socket ?? globalThis.WebSocket
    if (Socket === undefined) {
      throw new TypeError(
        'This runtime has no WebSocket: pass one as the option WebSocket, such as that of "ws".',
      )
    }
    return new Subscription(
      {
        baseUrl: this.transport.settings.baseUrl,
        WebSocket: Socket,
        createToken: () => this.createToken({ organization }),
        list: query => this.events.list(query, { organization }),
      },
      rest,
    )
  }
}
