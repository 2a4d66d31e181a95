// Event methods beyond the generated methods: an iterator that polls for new events.

import { EventsResource } from './generated/resources/events.ts'
import type { Event, EventListParams, EventType } from './generated/schemas/events.ts'
import type { CallOptions } from './options.ts'
import { now, pause } from './runtime.ts'

export type IterateParams = Pick<EventListParams, 'include_resource'> & {
  /** The `created_at` of the last event you processed. Default: now, by the server's clock. */
  since?: string
  /** Yields only these types. */
  types?: readonly EventType[]
  /** Milliseconds to pause before polling again. Default: 5,000. */
  interval?: number
}

export type EventIterator = AsyncGenerator<Event, void, void> & {
  /**
   * The `created_at` of the last event read, including events that `types` excludes. Store it, and
   * pass it as `since` after a restart. Undefined until the first response unless you passed
   * `since`.
   */
  readonly cursor: string | undefined
}

export class Events extends EventsResource {
  /**
   * Iterates over every event after `since`, in order, then polls for new events without end. After
   * you process an event, store the iterator's `cursor`; pass it as `since` to resume.
   */
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

  /** Converts this machine's time to the server's, because their clocks may differ. */
  async #start(made: number, options: CallOptions): Promise<string> {
    const { shared } = this.transport
    if (shared.clockOffset === undefined) {
      await this.list({ since: new Date(made).toISOString(), limit: 1 }, options)
    }
    return new Date(made + (shared.clockOffset ?? 0)).toISOString()
  }
}
