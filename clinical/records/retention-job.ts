// The job that destroys live records past their clinic's retention policy. The database decides
// which records to destroy (database/migrations/0018_records.sql), under a role that nothing else
// uses.

import { sql } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'

const batch = 100

type Step = { tenant: string | null; patient: string | null; destroyed: number }

export const retentionJob: Job = {
  name: 'records.destroy',
  everySeconds: 3600,
  async run({ pools, stopping }) {
    let destroyed = 0
    let [tenant, patient] = ['0', '']
    while (!stopping.aborted) {
      const [step] = await pools.live.use(connection =>
        connection.run<Step>(sql`
          select tenant::text as tenant, patient, destroyed
            from records.destroy_due(${tenant}::bigint, ${patient}, ${batch}::int)`),
      )
      if (step?.tenant == null || step.patient === null) break
      ;[tenant, patient] = [step.tenant, step.patient]
      destroyed += step.destroyed
    }
    return destroyed > 0 ? { records: destroyed } : undefined
  },
}
