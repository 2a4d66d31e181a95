// Puts back deliveries claimed in live mode that must not be sent, because their integration has no
// agreement in effect. The claim doesn't count against the deliveries
// (migrations/0012_webhooks.mode.sql).

import type { Mode } from '#contract/operation.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Worker } from '../../jobs/job.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { WebhookClock } from './clock.ts'

/** Locks rows in the same order as every other statement that locks several of them. */
export async function hold(
  connection: Connection,
  clock: WebhookClock,
  held: readonly ClaimedDelivery[],
): Promise<void> {
  if (held.length === 0) return
  const sorted = held.toSorted(
    (one, other) => Number(one.own) - Number(other.own) || (one.id < other.id ? -1 : 1),
  )
  const [tenants, ids, claims] = [
    sorted.map(({ own }) => own),
    sorted.map(({ id }) => id),
    sorted.map(({ claim }) => claim),
  ]
  await connection.run(sql`
    select hold_deliveries(${tenants}::bigint[], ${ids}::text[], ${claims}::text[],
                           ${clock.now}) as held`)
}

/** Holds the deliveries that must wait, and returns the rest. */
export async function withoutHeld(
  worker: Worker,
  mode: Mode,
  clock: WebhookClock,
  claimed: ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const held = claimed.filter(one => one.is_held)
  if (held.length === 0) return claimed
  await worker.pools[mode].use(connection => hold(connection, clock, held))
  worker.note('webhook.held', { mode, deliveries: held.length })
  return claimed.filter(one => !one.is_held)
}
