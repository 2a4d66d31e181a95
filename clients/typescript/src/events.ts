// Events, with the iterator that never ends: a few lines over the methods of the API.

import { EventsResource } from './generated/resources/events.ts'
import type { Event, EventListParams } from './generated/schemas/events.ts'
import type { CallOptions } from './options.ts'
import { now, pause } from './runtime.ts'

export type IterateParams = Pick<EventListParams, 'include_resource'> & {
  /** The `created_at` of the last event that you processed. Default: now. */
  since?: string
  /** Only these types. */
  types?: readonly string[]
  /** Milliseconds between two questions when there was nothing new. Default: 5,000. */
  interval?: number
}

export type EventIterator = AsyncGenerator<Event, void, void> & {
  /**
   * The `created_at` of the last event, also of one that `types` left out: store it, and pass it as
   * `since` after a restart.
   */
  readonly cursor: string
}

export class Events extends EventsResource {
  /**
   * Every event from `since` on, in order, without an end: it waits for the next one. Store its
   * `cursor` once you have processed an event, and begin there again.
   */
  iterate({ since, ...params }: IterateParams = {}, options: CallOptions = {}): EventIterator {
    const position = { at: since ?? new Date(now()).toISOString() }
    const events = this.#follow(position, params, options)
    return Object.defineProperty(events, 'cursor', { get: () => position.at }) as EventIterator
  }

  async *#follow(
    position: { at: string },
    { types, interval = 5000, ...params }: Omit<IterateParams, 'since'>,
    options: CallOptions,
  ): AsyncGenerator<Event, void, void> {
    const [only, ...more] = types ?? []
    const type = only !== undefined && more.length === 0 ? { type: only } : {}
    for (;;) {
      for await (const event of this.list({ ...params, ...type, since: position.at }, options)) {
        position.at = event.created_at
        if (types === undefined || types.includes(event.type)) yield event
      }
      await pause(interval, options.signal)
    }
  }
}
