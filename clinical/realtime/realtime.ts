// The interface of a realtime provider: it makes tokens, and defines how the worker's dispatcher
// passes events to it.

import type { Mode } from '#contract/operation.ts'
import type { Statement } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'
import type { Grant } from './token.ts'

export type Realtime = {
  readonly name: 'embedded' | 'ably'
  /** Signs a token for one channel, without a call to the provider. */
  mint(mode: Mode, grant: Grant): Promise<string>
  /** A common table expression `announced` in the dispatcher's statement, where `taken (tenant,
   *  event, integration, organization, realtime)` are the events that it reads, so that both commit
   *  together. `realtime`: whether a token of the integration is valid. */
  announce(mode: Mode): Statement
  /** Background jobs that bring the events to the subscribers. */
  readonly jobs: readonly Job[]
}
