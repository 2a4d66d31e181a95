// Names and addresses are kept as long as the privacy policy says, and then no longer.
import company from '#content/site.config.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Log } from '#http/log.ts'
import { erasing } from './statements.ts'

export type ForgettingParts = {
  readonly pool: ConnectionPool
  readonly log: Pick<Log, 'event'>
  now(): number
}

const everyMilliseconds = 3_600_000

/** How many people were forgotten. */
export async function forget({ pool, log, now }: ForgettingParts): Promise<number> {
  const moment = new Date(now()).toISOString()
  const statement = erasing(moment, company.booking.retentionDays)
  const [row] = await pool.use(connection => connection.run<{ erased: number }>(statement))
  const count = row?.erased ?? 0
  if (count > 0) log.event('booking.erased', { count })
  return count
}

/** Once an hour; where the database is away, an hour later. */
export function openForgetting(parts: ForgettingParts): { close(): void } {
  const timer = setInterval(() => {
    forget(parts).catch(() => parts.log.event('booking.erase_failed'))
  }, everyMilliseconds)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
