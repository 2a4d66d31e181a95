// Writes audit rows in batches after the response is sent. Unauthenticated requests disclose
// nothing, so their rows can wait: a flood of bad keys then costs one statement per second instead
// of one per request. Refusals and reads are also queued here if the call's own statement couldn't
// write their row. Decided in docs/decisions/0011-audit-unauthenticated-refusals-asynchronously.md.

import { problems, type ProblemCode } from '#contract/problems.ts'
import { isRejectedValue } from '#database/failures.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type AuditedCall, auditColumns, type Caller, unauthenticated } from '#auth/audit.ts'
import { momentText } from '#database/clock.ts'

export type BackgroundAuditWriter = {
  recordRefusal(audited: AuditedCall, code: ProblemCode, caller?: Caller): void
  /** Queues the audit row for a read that showed the patients in `shown`. Returns false when the
   *  queue is full; the read must then be refused. */
  recordRead(audited: AuditedCall, caller: Caller, shown: string): boolean
  /** Writes the queued rows, and keeps rows that can't be written yet. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** The maximum number of rows waiting in memory, as published on the security page. */
export const rowsMax = 10_000
/** The limit for rows about callers without a valid key, so a flood of bad keys leaves room for
 *  reads. A read is refused while the queue is full. */
const unauthenticatedMax = rowsMax / 2
const batchMax = 500
const everySeconds = 1

/** Inserts rows. A row with values the database rejects must not block the others, so such a batch
 *  is split in half until that row is found and dropped. Rows are inserted in order. After any
 *  other failure, the rows that `onDone` hasn't counted stay queued. */
function inserter(
  pool: ConnectionPool,
  onDone: (count: number) => void,
  onError: (failure: unknown) => void,
) {
  const insert = (batch: readonly object[]) =>
    pool.use(connection =>
      connection.run(sql`
          insert into audit.entries (at, ${auditColumns}, shape, patients)
          select at, ${auditColumns}, shape, audit.patients_in(shown)
            from json_to_recordset(${JSON.stringify(batch)}::text::json) as r (at timestamptz,
                 mode text, integration text, organization text, actor text, person text,
                 client text, surface text, action text, target text, outcome text, status int2,
                 code text, request text, address text, agent text, shape text,
                 shown text)`),
    )
  const insertAll = async (batch: readonly object[]): Promise<void> => {
    try {
      await insert(batch)
    } catch (failure) {
      if (!isRejectedValue(failure)) throw failure
      const half = batch.length >> 1
      if (half > 0) {
        await insertAll(batch.slice(0, half))
        return insertAll(batch.slice(half))
      }
      onError(failure)
    }
    return onDone(batch.length)
  }
  return insertAll
}

export function openBackgroundWriter(
  pool: ConnectionPool,
  now: () => number,
  failed: (failure: unknown) => void,
): BackgroundAuditWriter {
  let rows: object[] = []
  let dropped = 0
  const insertAll = inserter(pool, count => void (rows = rows.slice(count)), failed)
  const write = async () => {
    while (rows.length > 0) await insertAll(rows.slice(0, batchMax))
  }
  let writing: Promise<void> = Promise.resolve()
  const flush = () => (writing = writing.then(write).catch(failed))
  const timer = setInterval(() => void (rows.length > 0 && flush()), everySeconds * 1000)
  timer.unref()
  const push = (audited: AuditedCall, { credential: actor, ...who }: Caller, outcome: object) => {
    if (rows.length >= rowsMax) return false
    rows.push({ at: momentText(now()), ...who, actor, ...audited, ...outcome })
    return true
  }
  return {
    recordRefusal(audited, code, caller = unauthenticated) {
      const { status } = problems[code]
      const outcome = status >= 500 ? 'error' : 'refused'
      const isCrowded = caller === unauthenticated && rows.length >= unauthenticatedMax
      if (!isCrowded && push(audited, caller, { outcome, status, code })) return
      dropped++
      if (dropped % rowsMax === 1)
        failed(new Error(`dropped ${dropped} audit rows for refused calls`))
    },
    recordRead: (audited, caller, shown) =>
      push(audited, caller, { outcome: 'ok', status: 200, code: null, shown }),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
