// After a commit, notifies the workers about tenants with new events, at most once per interval. A
// NOTIFY inside the write would take a database-wide lock at every commit. A lost notification
// delays an event by at most a second, because workers also poll.

import type { Mode } from '#contract/operation.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** A mode's NOTIFY channel for workers. Both modes may share a database. */
export const wakeUpChannelOf = (mode: Mode): string => `wake_${mode}`

/** The minimum interval. Under load, an event waits half of it on average. A notification costs the
 *  database a tenth of a millisecond, and a busy worker handles several together. */
const betweenMilliseconds = 4

/** PostgreSQL limits a notification to 8,000 bytes. A notification that would be larger than this
 *  names no tenants, and the workers check every tenant. */
const payloadMax = 7000

export type WakeUp = {
  notify(tenant: string): void
  close(): Promise<void>
}

/** Returns the tenants a notification names; null if it names none, which means any. */
export const namedIn = (payload: string): readonly string[] | null =>
  payload === '' ? null : payload.split(' ')

export function openWakeUp(mode: Mode, url: string): WakeUp {
  // A separate connection keeps notifications and calls from waiting for each other.
  const pool = openPool({ url, size: 1, name: `wake-up ${mode}` })
  const channel = wakeUpChannelOf(mode)
  let notifying: Promise<unknown> | undefined
  const written = new Set<string>()
  const takePayload = () => {
    const payload = [...written].join(' ')
    written.clear()
    return payload.length > payloadMax ? '' : payload
  }
  // Sends the first notification immediately, so an event after a pause isn't delayed.
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
