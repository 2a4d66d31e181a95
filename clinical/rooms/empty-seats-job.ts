// Removes the seats of pages that left without a word, for example because their gateway ended.

import { sql } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'

export const emptySeatsJob: Job = {
  name: 'rooms.empty',
  everySeconds: 60,
  async run({ pools }) {
    const gone = await pools.live.use(connection =>
      connection.run(
        sql`delete from room_seats where seen_at < now() - interval '2 minutes' returning 1`,
      ),
    )
    return gone.length > 0 ? { seats: gone.length } : undefined
  },
}
