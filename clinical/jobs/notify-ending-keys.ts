// The job that emails owners before a key of live mode ends. The database decides what is due and
// queues the emails (database/migrations/), because the worker's role sees no person.

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
