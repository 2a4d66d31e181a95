// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import type { List } from '../../page.ts'
import { Resource } from '../../resource.ts'
import type { Invoice, InvoiceListParams } from '../schemas/billing.ts'

export class InvoicesResource extends Resource {
  /**
   * List invoices.
   *
   * One invoice per month and currency covers the charges from every clinic. Invoices are issued
   * on the first of the following month. Empty in test mode.
   *
   * Scope: `billing:read`.
   *
   * @example
   * ```ts
   * for await (const one of svc.invoices.list()) console.log(one.id)
   * ```
   */
  list(params?: InvoiceListParams, options?: CallOptions): List<Invoice> {
    return this.pages('GET /invoices', [], params, options, 'id')
  }

  /**
   * Read an invoice with its charges.
   *
   * Test mode has no invoices, so every ID returns 404.
   *
   * Scope: `billing:read`.
   *
   * @throws {NotFoundError} Not found.
   * @example
   * ```ts
   * await svc.invoices.get('inv_01m6a6ryz0p50qp98yw4f2f6f8')
   * ```
   */
  get(invoiceId: string, options?: CallOptions): Call<Invoice> {
    return this.request('GET /invoices/{id}', [invoiceId], undefined, options, 'id')
  }
}
