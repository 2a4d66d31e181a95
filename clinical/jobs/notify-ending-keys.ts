// Emails owners before a live key expires. The database decides what's due and queues the emails
// (database/migrations/), because the worker's role can't read people.

import { sql } from '#database/sql.ts'
import type { Job } from './job.ts'

export const notifyEndingKeysJob: Job = {
  name: 'keys.notify',
  everySeconds: 3600,
  async run({ pools }) {
    const [row] = await pools.live.use(connection =>
      connection.run<{ keys: number }>(sql`select auth.notify_ending_keys() as keys`),
    )
    const keys = row?.keys ?? 0
    return keys > 0 ? { keys } : undefined
  },
}
