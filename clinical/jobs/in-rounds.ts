import type { Connection } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { Worker } from './job.ts'

/** The maximum rounds in one run; the job's next run continues. */
const roundsMax = 200

/** Repeats a batch until it changes no rows; returns how many it changed. */
export async function inRounds(
  { stopping }: Pick<Worker, 'stopping'>,
  batch: () => Promise<number>,
): Promise<number> {
  let count = 0
  for (let round = 0; round < roundsMax && !stopping.aborted; round++) {
    const rows = await batch()
    if (rows === 0) break
    count += rows
  }
  return count
}

/** Runs a statement that selects its `count` of rows. */
export const countOf = async (connection: Connection, statement: Statement): Promise<number> =>
  (await connection.run<{ count: number }>(statement))[0]?.count ?? 0
