// Back-pressure: while deliveries are behind, calls that create more deliveries are refused. Events
// are still written and delivered, because no write waits for a delivery.

import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { modes } from '#contract/operation.ts'
import type { Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { ModePools } from '../modes.ts'

export type Pressure = { behind: boolean }

const behindOf = (ofAny: boolean) => sql`
  deliveries_behind(${limits.webhookBehindSeconds}::int * interval '1 second',
                    ${limits.webhookDueMax}::bigint, ${ofAny}) as behind`

/** A column for a write's facts: whether its integration's deliveries are late. */
export const behind = behindOf(false)

/** Returns whether any integration's deliveries are late, in either mode. */
export async function areDeliveriesBehind(pools: ModePools): Promise<boolean> {
  const look = sql`select ${behindOf(true)}`
  const all = await Promise.all(
    modes.map(mode => pools[mode].use(each => each.run<Pressure & Row>(look))),
  )
  return all.some(([row]) => row?.behind === true)
}

export function checkPressure({ behind }: Pressure): void {
  if (!behind) return
  throw new Problem('rate_limited', {
    detail:
      'Deliveries are delayed, so new ones cannot be requested right now. Events are not affected.',
    headers: { 'retry-after': String(limits.webhookBehindSeconds) },
  })
}
