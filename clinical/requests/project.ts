// The request log's job: projects new audit rows into it, and maintains its partitions. The
// database does both (database/migrations/), because the worker's role can't read the audit.
// Decided in docs/decisions/0098-project-the-request-log-from-the-audit.md.

import { logged } from '#contract/callable.ts'
import { type Mode, modes } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { countOf } from '../jobs/in-rounds.ts'
import type { Job, Worker } from '../jobs/job.ts'

const batch = 1000

const routes = JSON.stringify(
  Object.entries(logged).map(([operation, { method, path }]) => ({ operation, method, path })),
)

/** Projects a batch; returns how many audit rows it read. */
const projectOnce = (connection: Connection): Promise<number> =>
  countOf(connection, sql`select project_requests(${routes}::text::json, ${batch}::int) as count`)

/** Projects every finished transaction; returns how many audit rows it read. */
export async function projectRequests(
  { pools, stopping }: Pick<Worker, 'pools' | 'stopping'>,
  ofModes: readonly Mode[] = modes,
): Promise<number> {
  let rows = 0
  for (const mode of ofModes) {
    for (let taken = batch; taken >= batch && !stopping.aborted; rows += taken)
      taken = await pools[mode].use(projectOnce)
  }
  return rows
}

/** Runs every second instead of after each write, so the log may be a second late. */
const projectJob: Job = {
  name: 'requests.project',
  everySeconds: 1,
  run: async worker => void (await projectRequests(worker)),
}

const keepJob: Job = {
  name: 'requests.keep',
  everySeconds: 3600,
  async run({ pools }) {
    let dropped = 0
    for (const mode of modes) {
      dropped += await pools[mode].use(connection =>
        countOf(connection, sql`select keep_request_partitions() as count`),
      )
    }
    return dropped > 0 ? { dropped } : undefined
  },
}

export const requestJobs: readonly Job[] = [projectJob, keepJob]
