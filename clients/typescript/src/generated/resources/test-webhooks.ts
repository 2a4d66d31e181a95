// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Event } from '../schemas/events.ts'
import type { TestWebhookTriggerParams } from '../schemas/sandbox.ts'

export class TestWebhooksResource extends Resource {
  /**
   * Write an event of any type about a made-up resource, and deliver it.
   *
   * The event is listed and delivered like any other; its resource answers 404. With
   * webhook_endpoint only that endpoint receives it, whatever its subscriptions. An endpoint with
   * include_resource needs the read scope of the resource. At most 60 per minute. Also 429 while
   * deliveries are a minute behind.
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
