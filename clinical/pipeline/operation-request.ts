// What every adapter brings to the pipeline, and what it takes away.

import type { OperationId } from '#contract/api.ts'
import type { Problem } from '#contract/problems.ts'
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
