// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { call, list, Resource } from '../../resource.ts'
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
   * With include_resource the key must have the read scope of every resource in event_types.
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
    return call(this.transport, {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      body: params,
      options,
    })
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
    return list(this.transport, 'id', {
      method: 'GET',
      path: '/v1/webhook_endpoints',
      query: { ...params },
      options,
    })
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
    return call(this.transport, {
      method: 'GET',
      path: '/v1/webhook_endpoints/{id}',
      values: { id: webhookEndpointId },
      options,
    })
  }

  /**
   * Update, disable or enable an endpoint.
   *
   * Disabling an endpoint fails its pending deliveries. Enabling it resets its count of failures
   * and sends nothing: redeliver the events that it missed.
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
    return call(this.transport, {
      method: 'PATCH',
      path: '/v1/webhook_endpoints/{id}',
      values: { id: webhookEndpointId },
      body: params,
      options,
    })
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
    return call(this.transport, {
      method: 'DELETE',
      path: '/v1/webhook_endpoints/{id}',
      values: { id: webhookEndpointId },
      options,
    })
  }

  /**
   * Replace the secret of an endpoint.
   *
   * Deliveries are signed with both secrets, the new one first, for 24 hours. Rotating again
   * removes the oldest at once.
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
    return call(this.transport, {
      method: 'POST',
      path: '/v1/webhook_endpoints/{id}/rotate_secret',
      values: { id: webhookEndpointId },
      options,
    })
  }

  /**
   * List the deliveries of an endpoint.
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
    return list(this.transport, 'id', {
      method: 'GET',
      path: '/v1/webhook_endpoints/{id}/deliveries',
      values: { id: webhookEndpointId },
      query: { ...params },
      options,
    })
  }
}
