// The job that creates live invoices, on the first of each month from 00:05 UTC. The database
// decides what's missing (database/migrations/0017_invoicing.sql), so a later run makes up for a
// month that ended while no worker ran.

import { sql } from '#database/sql.ts'
import type { Job } from '../jobs/job.ts'

export const invoicingJob: Job = {
  name: 'invoices.make',
  everySeconds: 300,
  async run({ pools, stopping }) {
    let invoices = 0
    while (!stopping.aborted) {
      const [row] = await pools.live.use(connection =>
        connection.run<{ made: number | null }>(
          sql`select live.invoice_next(now() - interval '5 minutes') as made`,
        ),
      )
      if (row?.made === null || row === undefined) break
      invoices += row.made
    }
    return invoices > 0 ? { invoices } : undefined
  },
}
