// Tells the workers that something was written, after the commit and at most once in a while: a
// notification inside the write would take a lock of the whole database at every commit
// (contract/12, section 4). One that is lost costs a second, because workers also look by
// themselves.

import type { Mode } from '#contract/operation.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** The channel on which the workers of a plane are rung. Planes may share a database. */
export const channelOf = (mode: Mode): string => `wake_${mode}`

/** An event waits for half of it when there are many. A ring takes a tenth of a millisecond of the
 *  database's time, and a worker that is busy answers many rings at once. */
const betweenMilliseconds = 4

export type WakeUp = {
  notify(): void
  close(): Promise<void>
}

export function openWakeUp(mode: Mode, url: string): WakeUp {
  // A connection of its own: a ring must neither wait for a call nor keep one waiting.
  const pool = openPool({ url, size: 1, name: `doorbell ${mode}` })
  const channel = channelOf(mode)
  let notifying: Promise<unknown> | undefined
  let again = false
  // At once, so that an event after a pause waits for nothing; then no more than once in a while.
  const keepNotifying = async () => {
    try {
      do {
        again = false
        await pool.use(connection => connection.run(sql`select pg_notify(${channel}, '')`))
        await Bun.sleep(betweenMilliseconds)
      } while (again)
    } finally {
      notifying = undefined
    }
  }
  return {
    notify() {
      again = true
      // Whoever cannot be rung now looks by itself within a second.
      notifying ??= keepNotifying().catch(() => undefined)
    },
    async close() {
      await notifying
      await pool.close()
    },
  }
}
