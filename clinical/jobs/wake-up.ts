// Notifies the workers of the tenants with new events after the commit, with a minimum interval. A
// NOTIFY inside the write would take a database-wide lock at every commit. A lost notification
// delays an event by a second at most, because workers also poll.

import type { Mode } from '#contract/operation.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** The NOTIFY channel of a mode's workers. Both modes may share a database. */
export const wakeUpChannelOf = (mode: Mode): string => `wake_${mode}`

/** The minimum interval. Under load an event waits for half of it on average; a notification costs
 *  the database a tenth of a millisecond, and a busy worker handles several at once. */
const betweenMilliseconds = 4

/** PostgreSQL limits a notification to 8,000 bytes. Above this the workers look for themselves. */
const payloadMax = 7000

export type WakeUp = {
  notify(tenant: string): void
  close(): Promise<void>
}

/** The tenants that a notification names; null when it names none, which means any. */
export const namedIn = (payload: string): readonly string[] | null =>
  payload === '' ? null : payload.split(' ')

export function openWakeUp(mode: Mode, url: string): WakeUp {
  // Its own connection, so that notifications and calls do not wait for each other.
  const pool = openPool({ url, size: 1, name: `wake-up ${mode}` })
  const channel = wakeUpChannelOf(mode)
  let notifying: Promise<unknown> | undefined
  const written = new Set<string>()
  const takePayload = () => {
    const payload = [...written].join(' ')
    written.clear()
    return payload.length > payloadMax ? '' : payload
  }
  // The first one is sent immediately, so that an event after a pause is not delayed.
  const keepNotifying = async () => {
    try {
      while (written.size > 0) {
        const payload = takePayload()
        await pool.use(connection => connection.run(sql`select pg_notify(${channel}, ${payload})`))
        await Bun.sleep(betweenMilliseconds)
      }
    } finally {
      notifying = undefined
    }
  }
  return {
    notify(tenant) {
      written.add(tenant)
      // A failed notification needs no retry: workers poll every second.
      notifying ??= keepNotifying().catch(() => undefined)
    },
    async close() {
      await notifying
      await pool.close()
    },
  }
}
