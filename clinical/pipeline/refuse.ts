// Turns a call's failure into the problem for its caller and an audit row.

import type { AnyOperation } from '#contract/operation.ts'
import { Problem, problems } from '#contract/problems.ts'
import { isAway, isFull } from '#database/failures.ts'
import type { Connection } from '#database/pool.ts'
import { type AuditedCall, insertAuditRows, type Caller, refusedRow } from '#auth/audit.ts'
import type { BackgroundAuditWriter } from '../audit/background-writer.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RequestedCall } from './requested-call.ts'
import type { Challenge } from './surface.ts'

type RefusedCall = {
  readonly context: {
    readonly auditWriter: BackgroundAuditWriter
    readonly limiter: RateLimits
    onError(failure: unknown, audited?: AuditedCall): void
  }
  readonly audited: AuditedCall
  readonly caller: Caller
  /** Absent for a caller identified by a signature instead of a token. */
  readonly requested?: Pick<RequestedCall<string>, 'token'>
}

// Unknown, revoked and expired tokens get the same response.
const tokenInvalid = 'The token is unknown, revoked or expired.'
const invalidToken = `, error="invalid_token", error_description="${tokenInvalid}"`

export function unauthorized(
  challenge: Challenge,
  operation: AnyOperation,
  { token, ...request }: RequestedCall<string>,
): Problem {
  const absent = request.tokenInAddress
    ? 'The credential is in the URL, where it is never read.'
    : request.otherScheme
      ? 'The Authorization header is not Bearer, one space and one token.'
      : 'No bearer token was sent.'
  return new Problem('unauthorized', {
    detail: token === null ? absent : tokenInvalid,
    headers: { 'www-authenticate': challenge(token === null ? '' : invalidToken, operation) },
  })
}

export const refusalRow = ({ code }: Problem) => refusedRow(problems[code].status, code)

/** Inserts a refused call's audit row, unless the call's statement already did. */
export async function auditRefusal(
  { context, audited, caller }: RefusedCall,
  connection: Connection,
  problem: Problem,
): Promise<void> {
  if (problem.isAudited) return
  const row = connection.run(insertAuditRows(caller, audited, refusalRow(problem)))
  await row.catch((failure: unknown) => {
    if (!isFull(failure)) throw failure
    context.auditWriter.recordRefusal(audited, problem.code, caller)
  })
}

/** An operator must free disk space first, so retrying every second wouldn't help. */
const fullSeconds = '30'

/** Whether the same call may succeed later. */
export const isUnavailable = (failure: unknown): boolean =>
  failure instanceof StorageUnavailable || isAway(failure)

/** Returns the problem for a call's failure. Failures that aren't problems go to `onError`. */
export async function problemOf(
  { context, audited, caller, requested }: RefusedCall,
  failure: unknown,
): Promise<Problem> {
  if (failure instanceof Problem) {
    const isUnauthorized = failure.code === 'unauthorized'
    const exceeded = isUnauthorized
      ? await context.limiter.recordAuthFailure(
          audited.address,
          requested?.token === null ? 'none' : 'key',
        )
      : null
    const problem = exceeded ?? failure
    context.auditWriter.recordRefusal(audited, problem.code)
    return problem
  }
  context.onError(failure, audited)
  const part = failure instanceof StorageUnavailable ? 'storage' : 'database'
  const problem = isUnavailable(failure)
    ? new Problem('service_unavailable', {
        detail: isFull(failure)
          ? 'The database cannot accept writes right now.'
          : `The ${part} did not respond in time.`,
        headers: { 'retry-after': isFull(failure) ? fullSeconds : '1' },
      })
    : new Problem('internal_error', { detail: 'The failure was logged under request_id.' })
  context.auditWriter.recordRefusal(audited, problem.code, caller)
  return problem
}
