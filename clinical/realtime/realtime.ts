// The one interface that every realtime provider has: it makes tokens, and it says how the worker's
// dispatcher hands events over. What carries them further is the provider's own affair.

import type { Mode } from '#contract/operation.ts'
import type { Statement } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'
import type { Grant } from './token.ts'

export type Realtime = {
  readonly name: 'embedded' | 'ably'
  /** A token that subscribes to one channel. Arithmetic: it asks nobody. */
  mint(mode: Mode, grant: Grant): Promise<string>
  /** A common table expression `announced` of the dispatcher's statement, where `taken (tenant,
   *  event)` are events that are written and leave the outbox: both commit together. */
  announce(mode: Mode): Statement
  /** What a worker does besides, to get them to the subscribers. */
  readonly jobs: readonly Job[]
}
