// Erases names and addresses after the privacy policy's retention period, and forgets callers'
// networks once their quota hour ends.
import { hourMilliseconds } from '#contract/moments.ts'
import company from '#content/site.config.ts'
import { describeFailure } from '#database/describe-failure.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Log } from '#http/log.ts'
import { eraseBefore, forgetNetworks } from './statements.ts'

type RetentionOptions = {
  readonly pool: ConnectionPool
  readonly log: Pick<Log, 'event'>
  now(): number
}

const everyMilliseconds = hourMilliseconds

/** Returns how many people were erased. */
export async function eraseExpired({ pool, log, now }: RetentionOptions): Promise<number> {
  const moment = new Date(now()).toISOString()
  const statement = eraseBefore(moment, company.booking.retentionDays)
  const [row] = await pool.use(async connection => {
    await connection.run(forgetNetworks(moment))
    return connection.run<{ erased: number }>(statement)
  })
  const count = row?.erased ?? 0
  if (count > 0) log.event('booking.erased', { count })
  return count
}

/** Runs once an hour; if the database is unavailable, it tries again an hour later. */
export function openRetention(parts: RetentionOptions): { close(): void } {
  const timer = setInterval(() => {
    eraseExpired(parts).catch((failure: unknown) =>
      parts.log.event('booking.erase_failed', describeFailure(failure)),
    )
  }, everyMilliseconds)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
