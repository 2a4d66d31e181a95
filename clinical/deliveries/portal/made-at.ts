import { sql, type Statement } from '#database/sql.ts'

/** When a delivery was made in real time. `created_at` has the sandbox's, which may be ahead. */
export const madeAt: Statement = sql`least(created_at, recorded_at)`
