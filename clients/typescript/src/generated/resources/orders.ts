// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Order, OrderListParams } from '../schemas/orders.ts'

export class OrdersResource extends Resource {
  /**
   * List a case's orders.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * for await (const one of svc.orders.list('case_01m7wqryk2hdshyqxcd9x2kd4r')) console.log(one.id)
   * ```
   */
  list(caseId: string, params?: OrderListParams, options?: CallOptions): List<Order> {
    return this.pages('GET /cases/{id}/orders', [caseId], params, options, 'id', 'case')
  }

  /**
   * Read an order.
   *
   * Scope: `cases:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.orders.get('ord_01m7wr3qsr6kesqx0xh3s2cw9c')
   * ```
   */
  get(orderId: string, options?: CallOptions): Call<Order> {
    return this.request('GET /orders/{id}', [orderId], undefined, options, 'id')
  }
}
