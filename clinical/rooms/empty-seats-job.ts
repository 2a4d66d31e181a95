// Removes the seats of pages that left without notice, for example because their gateway stopped,
// and the stored entrances of links to closed visits.

import { sql } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'

export const emptySeatsJob: Job = {
  name: 'rooms.empty',
  everySeconds: 60,
  async run({ pools }, modes) {
    const gone = await pools.live.use(connection =>
      connection.run(
        sql`delete from room_seats where seen_at < now() - interval '2 minutes' returning 1`,
      ),
    )
    for (const mode of modes) {
      await pools[mode].use(connection =>
        connection.run(sql`delete from visit_entrances where used_at < now() - interval '1 day'`),
      )
    }
    return gone.length > 0 ? { seats: gone.length } : undefined
  },
}
