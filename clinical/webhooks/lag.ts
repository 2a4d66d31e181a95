// Back-pressure: while deliveries are behind, nobody may ask for more of them. Events are written
// and delivered all the same, because no write waits for a delivery.

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'

export type Pressure = { behind: boolean }

/** A column of the facts. */
export const behind = sql`
  deliveries_behind(${limits.webhookBehindSeconds}::int * interval '1 second',
                    ${limits.webhookDueMax}::bigint) as behind`

export function checkPressure({ behind }: Pressure): void {
  if (!behind) return
  throw new Problem('rate_limited', {
    detail:
      'Deliveries are behind just now, so no more are made on demand. Events are not affected.',
    headers: { 'retry-after': String(limits.webhookBehindSeconds) },
  })
}
