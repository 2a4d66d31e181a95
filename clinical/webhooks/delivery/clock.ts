// When something is due, and how late it is: by the database's clock alone, so that workers whose
// own clocks disagree keep one schedule.

import { sql, type Statement } from '#database/sql.ts'

export type WebhookClock = { readonly now: Statement }

/** The database's clock, to the millisecond, `ahead` of it by so many seconds: what a test walks
 *  the ladder with. */
export const clockOf = (ahead: () => number = () => 0): WebhookClock => ({
  get now() {
    const seconds = ahead()
    return seconds === 0
      ? sql`date_trunc('milliseconds', clock_timestamp())`
      : sql`date_trunc('milliseconds', clock_timestamp()) + ${seconds}::float8 * interval '1 second'`
  },
})
