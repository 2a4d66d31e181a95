// What the pipeline takes and what it answers, whichever adapter brings it.

import type { OperationId } from '#contract/api.ts'
import type { Problem } from '#contract/problems.ts'
import type { Allowance } from '#http/rate-limiter.ts'
import type { Caller } from '../audit/audit.ts'
import type { Bytes } from '../storage/storage.ts'

/** A request as every adapter brings it. */
export type OperationRequest = {
  operation: OperationId
  /** The path as it was asked, ids filled in, and the ids by name. */
  path: string
  names: Readonly<Record<string, string>>
  query: URLSearchParams
  token: string | null
  /** Whether a credential was put into the address, where none is read. */
  tokenInAddress?: boolean
  /** There is an Authorization header, and it is not Bearer and one value. */
  otherScheme?: boolean
  organization: string | null
  version: string | null
  idempotencyKey: string | null
  /** The parsed body, undefined when empty, or the refusal that reading it came to. */
  body: unknown
  refusedBody: Problem | null
  request: string
  address: string | null
  agent: string | null
}

export type Answer = {
  status: number
  body: string
  headers: Record<string, string>
  /** The body of an answer that is a file. */
  bytes?: Bytes
}
export type Outcome = (Answer | { problem: Problem }) & {
  /** What is left of the policy that the call counted against. */
  allowance: Allowance | null
  /** Who it was, for the log line. */
  caller: Caller
}
