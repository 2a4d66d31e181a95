// A call's attempts, and the pauses between them.

import type { Deadline } from './deadline.ts'
import {
  APIError,
  ConnectionError,
  type FailedCall,
  causeText,
  mayRetry,
  SvcError,
  TimeoutError,
} from './errors.ts'
import { pauseSeconds, retryAfterSecondsMax } from './generated/contract.ts'
import type { Log } from './log.ts'
import type { CallOptions } from './options.ts'
import { pause, random } from './runtime.ts'

/** A response. `text` is undefined if the body goes to the caller unread. */
export type Read = { readonly response: Response; readonly text: string | undefined }

/** The result of one attempt. 'again' requests another attempt that doesn't count as a retry. */
type Outcome = Read | SvcError | 'again'

type Attempts = {
  readonly call: FailedCall
  readonly options: CallOptions
  readonly deadline: Deadline
  readonly log: Log
  /** Makes one attempt. Throws only errors that a retry can't fix. */
  readonly once: (call: FailedCall) => Promise<Outcome>
}

export async function attempts({ options, deadline, log, once, ...given }: Attempts) {
  const { maxRetries: retries = 0, signal } = options
  let more = retries
  for (let number = 1; ; number++) {
    const call = { ...given.call, attempts: number }
    const outcome = await once(call)
    if (outcome === 'again') continue
    if (!(outcome instanceof SvcError)) return { read: outcome, call }
    const wait = more-- > 0 ? waitAfter(outcome, retries - more) : undefined
    if (wait === undefined) throw outcome
    if (wait >= deadline.left) {
      const late = `the next attempt would start after the total timeout of ${deadline.total} ms:`
      throw new TimeoutError(late, call, outcome)
    }
    log.retry(call, outcome, wait)
    await pause(wait, signal)
  }
}

/** Converts a failed fetch to an error. Rethrows the caller's own abort. */
export function failed(error: unknown, deadline: Deadline, call: FailedCall): ConnectionError {
  const { reason } = deadline
  if (reason && 'aborted' in reason) throw reason.aborted
  if (reason) return new TimeoutError(reason.over, call)
  return new ConnectionError(`the connection failed (${causeText(error)}):`, call, error)
}

/** Wraps a body that goes to the caller, so the timeout applies to each chunk and failures are
 *  this library's errors. */
export function timed(response: Response, deadline: Deadline, call: FailedCall): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    deadline.end()
    return response
  }
  const body = new ReadableStream(
    {
      async pull(controller) {
        deadline.restart()
        try {
          const { done, value } = await reader.read()
          deadline.pause()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(bodyFailure(error, deadline, call))
        }
        deadline.end()
      },
      cancel(reason) {
        deadline.end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

function bodyFailure(error: unknown, deadline: Deadline, call: FailedCall): unknown {
  try {
    return failed(error, deadline, call)
  } catch (thrown) {
    return thrown
  }
}

/** Milliseconds until the next attempt; undefined if a retry wouldn't help. */
function waitAfter(error: SvcError, attempt: number): number | undefined {
  const { first, longest } = pauseSeconds
  const usual = Math.min(longest, first * 2 ** (attempt - 1)) * random() * 1000
  if (error instanceof ConnectionError && !error.mayPass) return undefined
  if (!(error instanceof APIError)) return usual
  const { retryAfter } = error
  if (!mayRetry(error)) return undefined
  if (retryAfter === undefined) return usual
  return retryAfter <= retryAfterSecondsMax ? retryAfter * 1000 : undefined
}
