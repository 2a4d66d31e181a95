// An attempt's result, recorded by the worker that still holds the lease. The statement that
// records an accepted order also moves it to `at_pharmacy`.

import { type AuditedCall, insertAuditRows } from '#auth/audit.ts'
import { transmissionSchedule } from '#contract/pharmacy/protocol.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { isMovable, moveOrders } from '../orders/move.ts'
import type { Claimed } from './claim.ts'
import { moveStatement, orderCall, type OrderCall, type PharmacyClock, readOrder } from './order.ts'
import type { Failed, Pharmacy, TransmissionError, Transmitted } from './provider.ts'

/** With `disconnected` or `order_moved`, nothing was sent or the response came too late. */
type Failure = Failed<TransmissionError | 'disconnected' | 'order_moved'>

export const notSent = <E extends string>(error: E): Failed<E> => ({
  error,
  status: null,
  detail: null,
})

/** Errors that another attempt can't fix. */
const final: ReadonlySet<string> = new Set(['rejected', 'disconnected', 'order_moved'])

export type Recorded = 'accepted' | 'stopped' | 'retry' | 'lost'

export async function record(
  connection: Connection,
  pharmacy: Pick<Pharmacy, 'id' | 'organization' | 'name'>,
  claimed: Claimed,
  result: Transmitted | Failure,
  clock: PharmacyClock,
  audited: AuditedCall,
): Promise<Recorded> {
  const { tenant, order } = claimed
  for (let tries = 0; tries < triesMax; tries++) {
    const facts = await readOrder(connection, tenant, order)
    if (facts === null) throw new Error("the transmission's order does not exist")
    const call = orderCall(pharmacy, { tenant, ...facts }, order, clock, audited)
    if (facts.transmission !== 'due') {
      if (!('error' in result)) await noteReference(connection, claimed, result.reference)
      return 'lost'
    }
    if ('error' in result) return recordFailure(connection, claimed, result, call)
    if (!isMovable('accept', facts)) {
      return recordFailure(connection, claimed, notSent('order_moved'), call)
    }
    const by = { person: null, name: pharmacy.name }
    const plan = moveOrders(by, 'accept', [facts], {})
    const accepted = await connection.run(
      moveStatement(
        call,
        plan,
        sql`t.status = 'due' and t.lease = ${claimed.lease}`,
        sql`settled as (
          update pharmacy.transmissions t
             set status = 'accepted', status_at = clock_timestamp(), lease = null, error = null,
                 http_status = null, detail = null, reference = ${result.reference}
            from changed
           where t.tenant = ${tenant}::bigint and t."order" = ${order}
        )`,
      ),
    )
    if (accepted.length > 0) return 'accepted'
    if (!(await holdsLease(connection, claimed))) {
      await noteReference(connection, claimed, result.reference)
      return 'lost'
    }
  }
  // The lease expires, and the pharmacy recognizes the next attempt.
  return 'lost'
}

const triesMax = 5

async function holdsLease(connection: Connection, { tenant, order, lease }: Claimed) {
  const rows = await connection.run(sql`
    select 1 as one from pharmacy.transmissions
     where tenant = ${tenant}::bigint and "order" = ${order} and status = 'due' and lease = ${lease}`)
  return rows.length > 0
}

/** Adds the reference if an update arrived before the response, when the reference wasn't known
 *  yet. */
const noteReference = (connection: Connection, { tenant, order }: Claimed, reference: string) =>
  connection.run(sql`
    update pharmacy.transmissions set reference = ${reference}
     where tenant = ${tenant}::bigint and "order" = ${order} and status = 'accepted'
       and reference is null`)

async function recordFailure(
  connection: Connection,
  { tenant, order, lease, attempts }: Claimed,
  { error, status, detail }: Failure,
  { caller, audited }: OrderCall,
): Promise<Recorded> {
  const seconds = transmissionSchedule[attempts - 1]
  const isStopped = seconds === undefined || final.has(error)
  const rows = await connection.run(sql`
    with recorded as (
      update pharmacy.transmissions
         set lease = null, error = ${error}, http_status = ${status}::int, detail = ${detail}::text,
             status = ${isStopped ? 'stopped' : 'due'},
             status_at = case when ${isStopped} then clock_timestamp() else status_at end,
             due_at = clock_timestamp() + ${seconds ?? 0}::int * interval '1 second'
       where tenant = ${tenant}::bigint and "order" = ${order} and status = 'due'
         and lease = ${lease}
      returning "order" as id
    ), audited as (${insertAuditRows(
      caller,
      audited,
      sql`select id, 'refused', 502::int2, ${error}::text from recorded`,
    )})
    select id from recorded`)
  if (rows.length === 0) return 'lost'
  return isStopped ? 'stopped' : 'retry'
}
