// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Usage, UsageGetParams } from '../schemas/billing.ts'

export class UsageResource extends Resource {
  /**
   * Read charge totals for a time window, by kind.
   *
   * The window can span at most 366 days.
   *
   * Scope: `billing:read`.
   *
   * @example
   * ```ts
   * await svc.usage.get()
   * ```
   */
  get(params?: UsageGetParams, options?: CallOptions): Call<Usage> {
    return this.request('GET /usage', [], params, options)
  }
}
