// What a credential does elsewhere, a sealed address does here: it opens the stream that it names
// on the connection, and row level security holds every statement of the work to it.

import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { AppContext } from '../pipeline/perform.ts'

export const inStream = <T>(
  { pools }: Pick<AppContext, 'pools'>,
  { mode, stream }: { mode: Mode; stream: string },
  work: (connection: Connection) => Promise<T>,
): Promise<T> =>
  pools[mode].use(async connection => {
    await connection.run(sql`select set_config('app.stream', ${stream}, false)`)
    return work(connection)
  })
