// Audit rows of calls that no credential was found for, or that the database could not take when
// they were made. They disclosed nothing, so they are written behind the answer, in batches: a
// flood of bad keys costs the database one statement a second, not one a call.

import { problems, type ProblemCode } from '#contract/problems.ts'
import { isTransient } from '#database/failures.ts'
import type { Lanes } from '#database/lanes.ts'
import { sql } from '#database/sql.ts'
import { type Asked, type Caller, nobody } from './audit.ts'
import { momentText } from '#database/time-and-chance.ts'

export type Anonymous = {
  note(asked: Asked, code: ProblemCode, caller?: Caller): void
  /** Writes what is waiting; rows that cannot be written now stay for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

const rowsMax = 10_000
const batchMax = 500
const everySeconds = 1

/** Inserts rows. One that the database will never take must not keep the others waiting: it is
 *  found by halves, and left out. */
function inserter(lanes: Lanes, failed: (failure: unknown) => void) {
  const insert = (batch: readonly object[]) =>
    lanes.use(lane =>
      lane.run(sql`
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
      if (isTransient(failure)) throw failure
      const half = batch.length >> 1
      if (half === 0) return failed(failure)
      await insertAll(batch.slice(0, half))
      await insertAll(batch.slice(half))
    }
  }
  return insertAll
}

export function openAnonymous(
  lanes: Lanes,
  now: () => number,
  failed: (failure: unknown) => void,
): Anonymous {
  let rows: object[] = []
  let dropped = 0
  const insertAll = inserter(lanes, failed)
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
  return {
    note(asked, code, caller = nobody) {
      if (rows.length >= rowsMax) {
        dropped++
        if (dropped % rowsMax === 1)
          failed(new Error(`${dropped} audit rows of refused calls were dropped`))
        return
      }
      const { status } = problems[code]
      const { credential: actor, ...who } = caller
      const outcome = status >= 500 ? 'error' : 'refused'
      rows.push({ at: momentText(now()), ...who, actor, ...asked, outcome, status, code })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
