// Notifies the workers of new events after the commit, with a minimum interval. A NOTIFY inside the
// write would take a database-wide lock at every commit. A lost notification delays an event by a
// second at most, because workers also poll.

import type { Mode } from '#contract/operation.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** The NOTIFY channel of a mode's workers. Both modes may share a database. */
export const wakeUpChannelOf = (mode: Mode): string => `wake_${mode}`

/** The minimum interval. Under load an event waits for half of it on average; a notification costs
 *  the database a tenth of a millisecond, and a busy worker handles several at once. */
const betweenMilliseconds = 4

export type WakeUp = {
  notify(): void
  close(): Promise<void>
}

export function openWakeUp(mode: Mode, url: string): WakeUp {
  // Its own connection, so that notifications and calls do not wait for each other.
  const pool = openPool({ url, size: 1, name: `wake-up ${mode}` })
  const channel = wakeUpChannelOf(mode)
  let notifying: Promise<unknown> | undefined
  let isRequested = false
  // The first one is sent immediately, so that an event after a pause is not delayed.
  const keepNotifying = async () => {
    try {
      do {
        isRequested = false
        await pool.use(connection => connection.run(sql`select pg_notify(${channel}, '')`))
        await Bun.sleep(betweenMilliseconds)
      } while (isRequested)
    } finally {
      notifying = undefined
    }
  }
  return {
    notify() {
      isRequested = true
      // A failed notification needs no retry: workers poll every second.
      notifying ??= keepNotifying().catch(() => undefined)
    },
    async close() {
      await notifying
      await pool.close()
    },
  }
}
