// Cases, with what is made of several calls: a few lines over the methods of the API.

import type { Result } from './call.ts'
import { SvcError } from './errors.ts'
import { CasesResource } from './generated/resources/cases.ts'
import type { Case, CaseStatus } from './generated/schemas/cases.ts'
import type { CallOptions } from './options.ts'
import { now, pause } from './runtime.ts'

export type WaitOptions = Pick<CallOptions, 'organization' | 'signal'> & {
  status: readonly CaseStatus[]
  timeout?: number | undefined
}

export class Cases extends CasesResource {
  /**
   * Reads a case until it has one of these statuses, with pauses that grow from one second to ten.
   * A webhook is the better way where you can receive one.
   *
   * @throws {SvcError} When `timeout` milliseconds have passed; `timeout` is 60,000 by default.
   */
  async waitFor(
    caseId: string,
    { status, timeout = 60_000, ...options }: WaitOptions,
  ): Promise<Result<Case>> {
    const end = now() + timeout
    for (let wait = 1000; ; wait = Math.min(wait * 1.5, 10_000)) {
      const found = await this.get(caseId, options)
      if (status.includes(found.status)) return found
      if (now() + wait > end) {
        throw new SvcError(
          `the case is ${found.status} after ${timeout} ms, not ${status.join(' or ')}`,
        )
      }
      await pause(wait, options.signal)
    }
  }
}
