// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { WriteOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { SandboxReset } from '../schemas/sandbox.ts'
import { TestCasesResource } from './test-cases.ts'
import { TestVisitsResource } from './test-visits.ts'
import { TestWebhooksResource } from './test-webhooks.ts'
import { TestAutopilotResource } from './test-autopilot.ts'

export class TestResource extends Resource {
  readonly cases = new TestCasesResource(this.transport)
  readonly visits = new TestVisitsResource(this.transport)
  readonly webhooks = new TestWebhooksResource(this.transport)
  readonly autopilot = new TestAutopilotResource(this.transport)

  /**
   * Reset the sandbox.
   *
   * Deletes all of the integration's sandbox data and turns autopilot off. Keeps credentials and
   * webhook endpoints. Deletions send no events, and earlier cursors (`since`, `starting_after`)
   * stay valid unless you had advanced the sandbox clock.
   *
   * Scope: `test:manage`. Test mode only.
   *
   * @example
   * ```ts
   * await svc.test.reset()
   * ```
   */
  reset(options?: WriteOptions): Call<SandboxReset> {
    return this.request('POST /test/reset', [], undefined, options)
  }
}
