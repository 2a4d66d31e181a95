// Audit rows that are written behind the answer, in batches. Those of calls without a credential:
// they disclosed nothing, and a flood of bad keys costs one statement a second, not one a call. And
// those that the database could not take: of refusals, and of reads while it has no room to write.

import { problems, type ProblemCode } from '#contract/problems.ts'
import { isAway } from '#database/failures.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type Asked, type Caller, nobody } from './audit.ts'
import { momentText } from '#database/clock.ts'

export type Anonymous = {
  note(asked: Asked, code: ProblemCode, caller?: Caller): void
  /** Of a read that was made; false when there is no place for it, and it may not be told. */
  noteRead(asked: Asked, caller: Caller): boolean
  /** Writes what is waiting; rows that cannot be written now stay for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

const rowsMax = 10_000
const batchMax = 500
const everySeconds = 1

/** Inserts rows. One that the database will never take must not keep the others waiting: it is
 *  found by halves, and left out. */
function inserter(pool: ConnectionPool, failed: (failure: unknown) => void) {
  const insert = (batch: readonly object[]) =>
    pool.use(connection =>
      connection.run(sql`
          insert into audit.entries (at, mode, integration, organization, actor, surface, action,
                                     target, outcome, status, code, request, address, agent)
          select at, mode, integration, organization, actor, surface, action, target,
                 outcome, status, code, request, address, agent
            from json_to_recordset(${JSON.stringify(batch)}::text::json) as r (at timestamptz,
                 mode text, integration text, organization text, actor text, surface text,
                 action text, target text, outcome text, status int2, code text, request text,
                 address text, agent text)`),
    )
  const insertAll = async (batch: readonly object[]): Promise<void> => {
    try {
      await insert(batch)
    } catch (failure) {
      if (isAway(failure)) throw failure
      const half = batch.length >> 1
      if (half === 0) return failed(failure)
      await insertAll(batch.slice(0, half))
      await insertAll(batch.slice(half))
    }
  }
  return insertAll
}

export function openAnonymous(
  pool: ConnectionPool,
  now: () => number,
  failed: (failure: unknown) => void,
): Anonymous {
  let rows: object[] = []
  let dropped = 0
  const insertAll = inserter(pool, failed)
  const write = async () => {
    while (rows.length > 0) {
      const batch = rows.slice(0, batchMax)
      await insertAll(batch)
      rows = rows.slice(batch.length)
    }
  }
  let writing: Promise<void> = Promise.resolve()
  const flush = () => (writing = writing.then(write).catch(failed))
  const timer = setInterval(() => void (rows.length > 0 && flush()), everySeconds * 1000)
  timer.unref()
  const push = (asked: Asked, { credential: actor, ...who }: Caller, outcome: object) => {
    if (rows.length >= rowsMax) return false
    rows.push({ at: momentText(now()), ...who, actor, ...asked, ...outcome })
    return true
  }
  return {
    note(asked, code, caller = nobody) {
      const { status } = problems[code]
      const outcome = status >= 500 ? 'error' : 'refused'
      if (push(asked, caller, { outcome, status, code })) return
      dropped++
      if (dropped % rowsMax === 1)
        failed(new Error(`${dropped} audit rows of refused calls were dropped`))
    },
    noteRead: (asked, caller) => push(asked, caller, { outcome: 'ok', status: 200, code: null }),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
