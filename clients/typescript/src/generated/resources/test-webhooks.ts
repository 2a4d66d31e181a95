// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Event } from '../schemas/events.ts'
import type { TestWebhookTriggerParams } from '../schemas/sandbox.ts'

export class TestWebhooksResource extends Resource {
  /**
   * Send an event of any type about a made-up resource.
   *
   * The event is listed and delivered like any other, but its resource returns 404. With
   * webhook_endpoint, only that endpoint receives it, whatever it subscribes to. If an endpoint
   * has include_resource, you need the resource's read scope. Limited to 60 per minute, and
   * refused with 429 while deliveries are a minute behind.
   *
   * Scope: `test:manage`. Test mode only. Writes one event.
   *
   * @throws {EndpointDisabledError} The endpoint is disabled.
   * @example
   * ```ts
   * await svc.test.webhooks.trigger({ type: 'case.approved.v1' })
   * ```
   */
  trigger(params: TestWebhookTriggerParams, options?: WriteOptions): Call<Event> {
    return this.request('POST /test/webhooks/trigger', [], params, options)
  }
}
