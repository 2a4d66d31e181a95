// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Delivery, Event, EventListParams, EventRedeliverParams } from '../schemas/events.ts'

export class EventsResource extends Resource {
  /**
   * Poll the event stream.
   *
   * Save the created_at of the last event you processed and send it as since. You won't miss or
   * repeat an event.
   *
   * Scope: `events:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.events.list()) console.log(one.id)
   * ```
   */
  list(params?: EventListParams, options?: CallOptions): List<Event> {
    return this.pages('GET /events', [], params, options, 'id')
  }

  /**
   * Read an event.
   *
   * Scope: `events:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.events.get('evt_01m7wr3qsnrewzy4jdebaktdgd')
   * ```
   */
  get(eventId: string, options?: CallOptions): Call<Event> {
    return this.request('GET /events/{id}', [eventId], undefined, options, 'id')
  }

  /**
   * Send an event again.
   *
   * Sends the event to every enabled endpoint subscribed to its type, or only to webhook_endpoint,
   * whatever it subscribes to. The event keeps its ID, so receivers can recognize it. If an
   * endpoint has include_resource, you need the resource's read scope. Limited to 60 per minute,
   * and refused with 429 while deliveries are a minute behind.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @throws {EndpointDisabledError} The endpoint is disabled.
   * @example
   * ```ts
   * await svc.events.redeliver('evt_01m7wr3qsnrewzy4jdebaktdgd')
   * ```
   */
  redeliver(
    eventId: string,
    params?: EventRedeliverParams,
    options?: WriteOptions,
  ): Call<{ data: Delivery[]; has_more: boolean }> {
    return this.request('POST /events/{id}/redeliver', [eventId], params, options, 'event')
  }
}
