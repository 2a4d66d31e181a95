// Log fields for a failure: the operation or route, and the failed statement. The stack contains
// neither, because a query is awaited across the driver.
import type { AuditedCall } from '#auth/audit.ts'
import { describeFailure } from '#database/describe-failure.ts'
import type { Log } from '#http/log.ts'
import type { FailedRequest } from '#http/http-request.ts'

type Events = Pick<Log, 'event'>

/** Records the failure of a request to any endpoint. */
export const requestFailure =
  (log: Events) =>
  (failure: unknown, { id, route, operation }: FailedRequest): void =>
    log.event('request.failed', {
      request_id: id,
      ...(operation === undefined ? { route } : { operation }),
      ...describeFailure(failure),
    })

/** Records the failure of an operation call. */
export const callFailure =
  (log: Events) =>
  (failure: unknown, call?: AuditedCall): void =>
    log.event('call.failed', {
      ...(call && { request_id: call.request, operation: call.action }),
      ...describeFailure(failure),
    })
