// The input and the output of the pipeline, independent of HTTP: a request of HTTP, or of another
// adapter, has become the call of an operation.

import type { Fault } from '#contract/faults.ts'
import type { Mode } from '#contract/operation.ts'
import type { Problem } from '#contract/problems.ts'
import type { Allowance } from '#http/limits/rate-limiter.ts'
import type { Caller } from '#auth/audit.ts'
import type { Bytes } from '../storage/storage.ts'

/** A call as an adapter passes it to the pipeline, before it is checked. `Id` is the type of the
 *  ids of its surface. */
export type RequestedCall<Id extends string> = {
  operation: Id
  /** The requested path, with its ids. */
  path: string
  /** The ids of the path by their names in the template. */
  names: Readonly<Record<string, string>>
  query: URLSearchParams
  token: string | null
  /** Whether the URL contains a credential. Credentials in URLs are never read. */
  tokenInAddress?: boolean
  /** Whether the Authorization header has another form than `Bearer` and one token. */
  otherScheme?: boolean
  organization: string | null
  /** The scope of a person's session. A key or token carries its own. */
  acting?: { readonly integration: string; readonly mode: Mode }
  version: string | null
  idempotencyKey: string | null
  /** The parsed body; undefined when it is empty or could not be read. */
  body: unknown
  /** Why the body could not be read. */
  refusedBody: Problem | null
  /** Faults of input that an adapter could not turn into a request, such as a missing argument.
   *  They are refused where the input is checked, with all others. */
  faults?: readonly Fault[]
  /** The target that the audit names. Default: the first ID in the path. */
  target?: string
  request: string
  address: string | null
  agent: string | null
}

/** The part of a request that an adapter may read later. */
export type RequestBody = Pick<RequestedCall<string>, 'body' | 'refusedBody'>

export type Answer = {
  status: number
  body: string
  headers: Record<string, string>
  /** The file that is sent instead of `body`. */
  bytes?: Bytes
  /** For a page after the first, the ID to continue after. */
  lastId?: string
}
export type Outcome = (Answer | { problem: Problem }) & {
  /** The remaining quota of the policy that the call counted against. */
  allowance: Allowance | null
  /** Identifies the caller in the log line. */
  caller: Caller
}
