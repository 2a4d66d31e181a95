// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Delivery } from '../schemas/events.ts'
import type { Deleted } from '../schemas/patients.ts'
import type {
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointDeliveriesParams,
  WebhookEndpointListParams,
  WebhookEndpointUpdateParams,
} from '../schemas/webhooks.ts'

export class WebhookEndpointsResource extends Resource {
  /**
   * Create an endpoint and get its secret.
   *
   * With include_resource, your key needs the read scope for every resource in event_types. An
   * endpoint never receives a resource that the key could not read when it created the endpoint or
   * last changed its url, event_types or include_resource.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {EndpointLimitReachedError} Too many webhook endpoints.
   * @example
   * ```ts
   * await svc.webhookEndpoints.create({
   *   url: 'https://hooks.brand.example/clinical',
   *   event_types: ['case.approved.v1', 'case.declined.v1', 'order.shipped.v1'],
   *   description: 'Production order pipeline',
   * })
   * ```
   */
  create(params: WebhookEndpointCreateParams, options?: WriteOptions): Call<WebhookEndpoint> {
    return this.request('POST /webhook_endpoints', [], params, options)
  }

  /**
   * List your endpoints.
   *
   * Scope: `webhooks:manage`.
   *
   * @example
   * ```ts
   * for await (const one of svc.webhookEndpoints.list()) console.log(one.id)
   * ```
   */
  list(params?: WebhookEndpointListParams, options?: CallOptions): List<WebhookEndpoint> {
    return this.pages('GET /webhook_endpoints', [], params, options, 'id')
  }

  /**
   * Read an endpoint.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.webhookEndpoints.get('we_01m7wqds6thbpae84920gqtw9a')
   * ```
   */
  get(webhookEndpointId: string, options?: CallOptions): Call<WebhookEndpoint> {
    return this.request(
      'GET /webhook_endpoints/{id}',
      [webhookEndpointId],
      undefined,
      options,
      'id',
    )
  }

  /**
   * Update, disable or enable an endpoint.
   *
   * Disabling an endpoint fails its pending deliveries. Enabling it resets its failure count and
   * sends nothing, so redeliver the events it missed. With include_resource, changing url or
   * event_types needs the same read scopes as creating the endpoint.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.webhookEndpoints.update('we_01m7wqds6thbpae84920gqtw9a', { status: 'enabled' })
   * ```
   */
  update(
    webhookEndpointId: string,
    params?: WebhookEndpointUpdateParams,
    options?: WriteOptions,
  ): Call<WebhookEndpoint> {
    return this.request('PATCH /webhook_endpoints/{id}', [webhookEndpointId], params, options, 'id')
  }

  /**
   * Delete an endpoint. Its pending deliveries fail.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.webhookEndpoints.delete('we_01m7wqds6thbpae84920gqtw9a')
   * ```
   */
  delete(webhookEndpointId: string, options?: WriteOptions): Call<Deleted> {
    return this.request(
      'DELETE /webhook_endpoints/{id}',
      [webhookEndpointId],
      undefined,
      options,
      'id',
    )
  }

  /**
   * Rotate an endpoint's secret.
   *
   * For 24 hours, deliveries are signed with both secrets, the new one first. Rotating again drops
   * the oldest secret immediately.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.webhookEndpoints.rotateSecret('we_01m7wqds6thbpae84920gqtw9a')
   * ```
   */
  rotateSecret(webhookEndpointId: string, options?: WriteOptions): Call<WebhookEndpoint> {
    return this.request(
      'POST /webhook_endpoints/{id}/rotate_secret',
      [webhookEndpointId],
      undefined,
      options,
      'id',
    )
  }

  /**
   * List an endpoint's deliveries.
   *
   * Scope: `webhooks:manage`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.webhookEndpoints.deliveries('we_01m7wqds6thbpae84920gqtw9a'))
   *   console.log(one.id)
   * ```
   */
  deliveries(
    webhookEndpointId: string,
    params?: WebhookEndpointDeliveriesParams,
    options?: CallOptions,
  ): List<Delivery> {
    return this.pages(
      'GET /webhook_endpoints/{id}/deliveries',
      [webhookEndpointId],
      params,
      options,
      'id',
      'webhook_endpoint',
    )
  }
}
