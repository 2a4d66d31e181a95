// Removes the database roles of operators whose emergency access has ended
// (database/migrations/0020_operators.sql). The roles can't read anything after that; this only
// cleans up.
import { sql } from '#database/sql.ts'
import type { Job } from './job.ts'

export const operatorRolesJob: Job = {
  name: 'operators.roles',
  everySeconds: 60,
  async run({ pools }) {
    const [row] = await pools.live.use(connection =>
      connection.run<{ removed: number }>(sql`select auth.remove_operator_roles() as removed`),
    )
    const removed = row?.removed ?? 0
    return removed > 0 ? { removed } : undefined
  },
}
