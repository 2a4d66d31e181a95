// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions, WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Autopilot, TestAutopilotUpdateParams } from '../schemas/sandbox.ts'

export class TestAutopilotResource extends Resource {
  /**
   * Read the sandbox's timers.
   *
   * Scope: `test:manage`. Test mode only.
   *
   * @example
   * ```ts
   * await svc.test.autopilot.get()
   * ```
   */
  get(options?: CallOptions): Call<Autopilot> {
    return this.request('GET /test/autopilot', [], undefined, options)
  }

  /**
   * Set the sandbox's timers.
   *
   * Omitted timers keep their values; null turns one off. New values apply to waiting cases and
   * orders from the next minute on.
   *
   * Scope: `test:manage`. Test mode only.
   *
   * @example
   * ```ts
   * await svc.test.autopilot.update({ approve_after_s: 30, ship_after_s: 120 })
   * ```
   */
  update(params?: TestAutopilotUpdateParams, options?: WriteOptions): Call<Autopilot> {
    return this.request('PATCH /test/autopilot', [], params, options)
  }
}
