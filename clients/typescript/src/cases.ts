// Case methods that make several requests.

import type { Result } from './call.ts'
import { SvcError, TimeoutError, WaitTimeoutError } from './errors.ts'
import { CasesResource } from './generated/resources/cases.ts'
import type { Case, CaseStatus } from './generated/schemas/cases.ts'
import type { CallOptions } from './options.ts'
import { elapsed, pause } from './runtime.ts'

export type WaitOptions = Omit<CallOptions, 'timeout' | 'totalTimeout'> & {
  status: readonly CaseStatus[]
  /** Milliseconds for the whole wait; 0 means no limit. Default: 60,000. */
  timeout?: number | undefined
}

export class Cases extends CasesResource {
  /**
   * Polls a case until it has one of these statuses, pausing for one second at first and up to ten.
   * Prefer webhooks if you can receive them.
   *
   * @throws {WaitTimeoutError} If `timeout` milliseconds pass first.
   */
  async waitFor(
    caseId: string,
    { status, timeout = 60_000, ...options }: WaitOptions,
  ): Promise<Result<Case>> {
    const end = timeout === 0 ? Infinity : elapsed() + timeout
    let last = 'not known'
    let over: ErrorOptions | undefined
    for (let wait = 1000; elapsed() < end; wait = Math.min(wait * 1.5, 10_000)) {
      const left = Math.max(1, end - elapsed())
      const found = await this.get(caseId, { ...options, totalTimeout: left }).catch(
        (error: unknown) => {
          if (!(error instanceof TimeoutError)) throw error
          // A retry would start after the end, or a timer ended a millisecond early.
          if (!(error.cause instanceof SvcError) && end - elapsed() >= 2) throw error
          over = { cause: error }
        },
      )
      if (!found) break
      if (status.includes(found.status)) return found
      last = found.status
      await pause(Math.min(wait, end - elapsed()), options.signal)
    }
    throw new WaitTimeoutError(
      `the case is ${last} after ${timeout} ms, not ${status.join(' or ')}`,
      over,
    )
  }
}
