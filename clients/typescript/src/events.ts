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

export class Events extends EventsResource {
  /**
   * Every event from `since` on, in order, without an end: it waits for the next one. Store
   * `created_at` of the event that you processed last, and begin there again.
   */
  async *iterate(
    { since, types, interval = 5000, ...params }: IterateParams = {},
    options: CallOptions = {},
  ): AsyncGenerator<Event, void, void> {
    let position = since ?? new Date(now()).toISOString()
    const [only, ...more] = types ?? []
    const type = only !== undefined && more.length === 0 ? { type: only } : {}
    for (;;) {
      for await (const event of this.list({ ...params, ...type, since: position }, options)) {
        position = event.created_at
        if (types === undefined || types.includes(event.type)) yield event
      }
      await pause(interval, options.signal)
    }
  }
}
