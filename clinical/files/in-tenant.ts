// What a credential does elsewhere, a sealed address does here: it opens the stream that it names
// on the connection, and row level security holds every statement of the work to it.

import type { Mode } from '#contract/operation.ts'
import type { Lane } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { House } from '../pipeline/perform.ts'

export const inStream = <T>(
  { planes }: Pick<House, 'planes'>,
  { mode, stream }: { mode: Mode; stream: string },
  work: (lane: Lane) => Promise<T>,
): Promise<T> =>
  planes[mode].use(async lane => {
    await lane.run(sql`select set_config('app.stream', ${stream}, false)`)
    return work(lane)
  })
