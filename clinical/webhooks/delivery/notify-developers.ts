// Tells the developers of an integration that events do not reach an endpoint of theirs: at the
// first of a row, at the tenth, and when the endpoint is disabled. Each is told once; what was told
// is remembered beside the failed events themselves, and ends with them.

import { liveFirst } from '../../jobs/job.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Job } from '../../jobs/job.ts'

export type Told = {
  endpoint: string
  kind: 'event_failed' | 'events_failing' | 'endpoint_disabled'
  /** False where the integration has named no address. */
  emailed: boolean
}

const atOnce = 100

/** Whom there is to tell of what; the mail is queued when this answers. */
export const tellFailures = (connection: Connection): Promise<Told[]> =>
  connection.run<Told>(sql`
    select endpoint, kind, emailed
      from failures_to_report(${limits.webhookFailuresNotified}::int, ${limits.webhookFailuresMax}::int,
                            ${atOnce}::int)`)

export const tellingDevelopers: Job = {
  name: 'webhooks.tell',
  everySeconds: 30,
  async run({ pools, note }) {
    for (const mode of liveFirst) {
      for (const told of await pools[mode].use(tellFailures)) {
        note('webhook.failing', { mode, ...told })
      }
    }
  },
}
