// Claims due transmissions. A claim is a lease: when it expires, another worker may take over. The
// claim counts the attempt, and stops a transmission whose worker died at every attempt.

import { transmissionSchedule } from '#contract/pharmacy/protocol.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { Turns } from '../jobs/turns.ts'

export type Claimed = Row & {
  tenant: string
  prescription: string
  order: string
  connection: string
  lease: string
  attempts: number
}

/** Much longer than any attempt, so a slow worker records its result before the lease expires. */
export const leaseSeconds = 60
/** The limit per pharmacy in one claim. Each pharmacy's first prescription comes before any second,
 *  and pharmacies take turns, so the unresponsive ones don't use up the claims. */
const perPharmacy = 4
export const attemptsMax = transmissionSchedule.length + 1

export async function claim(
  connection: Connection,
  most: number,
  fresh: () => string,
  turns: Turns,
): Promise<{ claimed: Claimed[]; stopped: number }> {
  const rows = await connection.run<Claimed & { isStopped: boolean }>(sql`
    with due as materialized (
      select p.place from pharmacy.connections c
       cross join lateral unnest(array(
         select t.ctid from pharmacy.transmissions t
          where t.connection = c.id and t.status = 'due' and t.due_at <= clock_timestamp()
          order by t.due_at limit ${perPharmacy}::int for update skip locked))
                     with ordinality as p (place, n)
       order by p.n, ${turns.by(sql`c.id`)} limit ${most}::int
    ), claimed as (
      update pharmacy.transmissions t
         set attempts = least(t.attempts + 1, ${attemptsMax}::int),
             status = case when t.attempts < ${attemptsMax}::int then 'due' else 'stopped' end,
             status_at = case when t.attempts < ${attemptsMax}::int then t.status_at
                              else clock_timestamp() end,
             error = case when t.attempts < ${attemptsMax}::int then t.error else 'interrupted' end,
             lease = case when t.attempts < ${attemptsMax}::int then ${fresh()} end,
             due_at = clock_timestamp() + ${leaseSeconds}::int * interval '1 second'
        where t.ctid = any (array(select place from due))
      returning t.*
    )
    select tenant::text as tenant, prescription, "order", connection, lease, attempts,
           status = 'stopped' as "isStopped" from claimed`)
  for (const row of rows) turns.took(row.connection)
  const claimed = rows.filter(row => !row.isStopped)
  return { claimed, stopped: rows.length - claimed.length }
}
