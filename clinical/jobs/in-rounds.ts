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
