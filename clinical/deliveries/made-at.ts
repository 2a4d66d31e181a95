import { sql, type Statement } from '#database/sql.ts'

/** When a delivery was created in real time. `created_at` uses the sandbox's time, which may be
 *  ahead. */
export const madeAt: Statement = sql`least(created_at, recorded_at)`
