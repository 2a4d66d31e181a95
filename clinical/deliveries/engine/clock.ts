// Due times use only the database's clock, so workers whose own clocks differ share one schedule.

import { sql, type Statement } from '#database/sql.ts'

export type WebhookClock = { readonly now: Statement }

/** Returns the database's clock in milliseconds, plus `ahead` seconds, which tests use to reach the
 *  next step of the retry schedule. */
export const clockOf = (ahead: () => number = () => 0): WebhookClock => ({
  get now() {
    const seconds = ahead()
    return seconds === 0
      ? sql`date_trunc('milliseconds', clock_timestamp())`
      : sql`date_trunc('milliseconds', clock_timestamp()) + ${seconds}::float8 * interval '1 second'`
  },
})
