// The pipeline's input and output, independent of HTTP: the adapter has turned its request into an
// operation call.

import type { Fault } from '#contract/faults.ts'
import type { Mode } from '#contract/operation.ts'
import type { Problem } from '#contract/problems.ts'
import type { Allowance } from '#http/limits/rate-limiter.ts'
import type { Caller } from '#auth/audit.ts'
import type { Bytes } from '../storage/storage.ts'

/** A call as an adapter passes it to the pipeline, before it's checked. `Id` is the type of its
 *  surface's operation IDs. */
export type RequestedCall<Id extends string> = {
  operation: Id
  /** The requested path, with its IDs. */
  path: string
  /** The path's IDs by their names in the template. */
  names: Readonly<Record<string, string>>
  query: URLSearchParams
  token: string | null
  /** Whether the URL contains a credential. Credentials in URLs are never read. */
  tokenInAddress?: boolean
  /** Whether the Authorization header is anything other than `Bearer` and one token. */
  otherScheme?: boolean
  organization: string | null
  /** The scope of a person's session. A key or token has its own scope. */
  acting?: { readonly integration: string; readonly mode: Mode }
  version: string | null
  idempotencyKey: string | null
  /** The parsed body; undefined if it's empty or couldn't be read. */
  body: unknown
  /** The reason the body couldn't be read. */
  refusedBody: Problem | null
  /** Input faults that an adapter couldn't turn into a request, such as a missing argument. They're
   *  refused together with all others when the input is checked. */
  faults?: readonly Fault[]
  /** The target the audit names; defaults to the first ID in the path. */
  target?: string
  request: string
  address: string | null
  agent: string | null
}

/** The part of a request that an adapter may read later. */
export type RequestBody = Pick<RequestedCall<string>, 'body' | 'refusedBody'>

/** A file and the headers that describe it. */
export type Attachment = { bytes: Bytes; headers: Record<string, string> }

export type Answer = {
  status: number
  body: string
  headers: Record<string, string>
  /** Opens the file, once the call has released its connection. */
  attachment?(): Promise<Attachment>
  /** The file to send instead of `body`. */
  bytes?: Bytes
  /** If more items follow the page, the ID to continue after. */
  lastId?: string
}
export type Outcome = (Answer | { problem: Problem }) & {
  /** The remaining quota in the policy that counted the call. */
  allowance: Allowance | null
  /** Identifies the caller in the log line. */
  caller: Caller
}
