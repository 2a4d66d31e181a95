// Events, with an iterator that never ends: a few lines over the API's methods.

import { EventsResource } from './generated/resources/events.ts'
import type { Event, EventListParams, EventType } from './generated/schemas/events.ts'
import type { CallOptions } from './options.ts'
import { now, pause } from './runtime.ts'

export type IterateParams = Pick<EventListParams, 'include_resource'> & {
  /** The `created_at` of the last event that you processed. Default: now, by the server's clock. */
  since?: string
  /** Returns only these types. */
  types?: readonly EventType[]
  /** Milliseconds between two requests when there was nothing new. Default: 5,000. */
  interval?: number
}

export type EventIterator = AsyncGenerator<Event, void, void> & {
  /**
   * The `created_at` of the last event, including ones that `types` left out: store it, and pass it
   * as `since` after a restart. Undefined until the first response, unless `since` was passed.
   */
  readonly cursor: string | undefined
}

export class Events extends EventsResource {
  /** Every event after `since`, in order. Never ends: it waits for new events. Store its `cursor`
   *  after you process an event, and pass it as `since` to resume. */
  iterate({ since, ...params }: IterateParams = {}, options: CallOptions = {}): EventIterator {
    const position = { at: since }
    const events = this.#follow(position, now(), params, options)
    return Object.defineProperty(events, 'cursor', { get: () => position.at }) as EventIterator
  }

  async *#follow(
    position: { at: string | undefined },
    made: number,
    { types, interval = 5000, ...params }: Omit<IterateParams, 'since'>,
    options: CallOptions,
  ): AsyncGenerator<Event, void, void> {
    const [only, ...more] = types ?? []
    const type = only !== undefined && more.length === 0 ? { type: only } : {}
    let since = (position.at ??= await this.#start(made, options))
    for (;;) {
      for await (const event of this.list({ ...params, ...type, since }, options)) {
        since = position.at = event.created_at
        if (types === undefined || types.includes(event.type as EventType)) yield event
      }
      await pause(interval, options.signal)
    }
  }

  /** The server's time at this machine's time: the two clocks may differ. */
  async #start(made: number, options: CallOptions): Promise<string> {
    const { shared } = this.transport
    if (shared.clockOffset === undefined) {
      await this.list({ since: new Date(made).toISOString(), limit: 1 }, options)
    }
    return new Date(made + (shared.clockOffset ?? 0)).toISOString()
  }
}
