// Emails an integration's developers when events don't reach an endpoint: at the first failed event
// in a row, at the tenth, and when the endpoint is disabled. To send each email only once, the
// failed events' rows record which emails were sent.

import { liveFirst } from '../../jobs/job.ts'
import { limits } from '#contract/limits.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Job } from '../../jobs/job.ts'

type Notification = {
  endpoint: string
  kind: 'event_failed' | 'events_failing' | 'endpoint_disabled'
  /** False if the integration has no email address for developers. */
  emailed: boolean
}

const atOnce = 100

/** Queues due emails, and returns the notifications. */
export const queueNotifications = (connection: Connection): Promise<Notification[]> =>
  connection.run<Notification>(sql`
    select endpoint, kind, emailed
      from failures_to_report(${limits.webhookFailuresNotified}::int, ${limits.webhookFailuresMax}::int,
                            ${atOnce}::int)`)

export const notifyDevelopersJob: Job = {
  name: 'webhooks.notify',
  everySeconds: 30,
  async run({ pools, note }) {
    for (const mode of liveFirst) {
      for (const notification of await pools[mode].use(queueNotifications)) {
        note('webhook.failing', { mode, ...notification })
      }
    }
  },
}
