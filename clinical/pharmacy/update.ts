// Applies a pharmacy's update to one of its orders, unless the update is too late or too early.

import { Problem } from '#contract/problems.ts'
import { updateMoves, type UpdateResult } from '#contract/pharmacy/protocol.ts'
import { type AuditedCall, insertAuditRows, refusedRow } from '#auth/audit.ts'
import { isDuplicate } from '#database/failures.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { isMovable, moveOrders } from '../orders/move.ts'
import {
  moveStatement,
  orderCall,
  type OrderCall,
  type PharmacyClock,
  readOrder,
  type TransmittedOrder,
} from './order.ts'
import type { Pharmacy, Update } from './provider.ts'

export type Received = {
  readonly pharmacy: Pharmacy
  /** The pharmacy's ID for the update, the same when the update is resent. */
  readonly id: string
  readonly digest: string
  readonly update: Update
}

export type Applied = {
  readonly result: UpdateResult | 'duplicate'
  /** The tenant whose order moved; null if no order moved. */
  readonly tenant: string | null
}

type Verdict = UpdateResult | 'early'

/** `ignored` means the update is older than an update already applied, the order can no longer move
 *  that way, or a person is handling the order manually. `early` means another update has to move
 *  the order first. */
function verdictOf(
  { type, timestamp }: Pick<Update, 'type' | 'timestamp'>,
  order: Pick<TransmittedOrder, 'status' | 'transmission' | 'updated_to'>,
): Verdict {
  if (order.transmission === 'by_hand') return 'ignored'
  const { updated_to: newest } = order
  if (newest !== null && Date.parse(timestamp) < Date.parse(newest)) return 'ignored'
  if (isMovable(updateMoves[type], order)) return 'applied'
  return type === 'order.delivered' && isMovable('ship', order) ? 'early' : 'ignored'
}

export async function applyUpdate(
  connection: Connection,
  received: Received,
  clock: PharmacyClock,
  audited: AuditedCall,
): Promise<Applied> {
  const { pharmacy, update } = received
  const tenant = await tenantOfOrder(connection, pharmacy, update.data.order)
  if (tenant === null) throw unknownOrder()
  for (let tries = 0; tries < triesMax; tries++) {
    const known = await readResult(connection, received)
    const facts = await readOrder(connection, tenant, update.data.order)
    if (facts === null) throw unknownOrder()
    const at = { tenant, integration: facts.integration }
    const call = orderCall(pharmacy, at, update.data.order, clock, audited)
    if (known !== null) {
      await connection.run(insertAuditRows(call.caller, audited, repeatedRow))
      return { result: known, tenant: null }
    }
    const written = await write(connection, received, facts, call)
    if (written !== null) return { result: written, tenant: written === 'applied' ? tenant : null }
  }
  throw new Problem('service_unavailable', {
    detail: 'The order kept changing while this update was processed.',
    headers: { 'retry-after': '1' },
  })
}

const unknownOrder = () =>
  new Problem('not_found', {
    detail: 'This connection has no such order.',
    hint: "Send the order's ID in data.order, as it was transmitted.",
  })

const triesMax = 8

/** Finds the tenant of an order that was, or will be, transmitted over this connection. */
async function tenantOfOrder(connection: Connection, { id }: Pharmacy, order: string) {
  const [row] = await connection.run<Row & { tenant: string }>(sql`
    select tenant::text as tenant from pharmacy.transmissions
     where "order" = ${order} and connection = ${id}`)
  return row?.tenant ?? null
}

async function readResult(connection: Connection, { pharmacy, id, digest }: Received) {
  const [row] = await connection.run<Row & { digest: string }>(sql`
    select digest from pharmacy.updates where connection = ${pharmacy.id} and id = ${id}`)
  if (row === undefined) return null
  if (row.digest === digest) return 'duplicate'
  throw new Problem('idempotency_key_reused', {
    detail: 'This webhook-id was already used with a different body.',
    hint: 'Use a new webhook-id for each update, and the same body when you retry.',
  })
}

/** Returns null if the order has changed, or the same update was recorded in the meantime. */
async function write(
  connection: Connection,
  received: Received,
  facts: TransmittedOrder,
  call: OrderCall,
): Promise<UpdateResult | null> {
  const { pharmacy, update } = received
  const verdict = verdictOf(update, facts)
  if (verdict === 'early') throw tooEarly(facts)
  try {
    if (verdict === 'ignored') {
      await connection.run(ignoreStatement(received, call))
      return verdict
    }
    const { tracking, reason } = update.data
    const by = { person: null, name: pharmacy.name }
    const plan = moveOrders(by, updateMoves[update.type], [facts], { tracking, reason })
    const moved = await connection.run(
      moveStatement(
        call,
        plan,
        sql`t.status = ${facts.transmission}`,
        sql`${noted(received, 'applied', sql`changed`)}, settled as (
          update pharmacy.transmissions t
             set status = 'accepted', lease = null, error = null, http_status = null, detail = null,
                 status_at = case when t.status = 'accepted' then t.status_at
                                  else clock_timestamp() end,
                 updated_to = greatest(t.updated_to, ${update.timestamp}::timestamptz)
            from changed
           where t.tenant = ${call.call.principal.tenant}::bigint and t."order" = ${facts.id}
        )`,
      ),
    )
    return moved.length > 0 ? verdict : null
  } catch (failure) {
    if (isDuplicate(failure)) return null
    throw failure
  }
}

const tooEarly = (order: TransmittedOrder) =>
  new Problem('invalid_transition', {
    detail: `The status of this order is ${order.status}.`,
    hint: 'Send order.shipped first, then resend this update with its webhook-id.',
    members: {
      resource: { type: 'order', id: order.id },
      current_status: order.status,
      allowed_from: ['shipped'],
    },
  })

const noted = ({ pharmacy, id, digest }: Received, result: UpdateResult, from: Statement) => sql`
  noted as (
    insert into pharmacy.updates (connection, id, digest, result)
    select ${pharmacy.id}, ${id}, ${digest}, ${result} from ${from}
  )`

const repeatedRow = refusedRow(200, 'update_repeated', 'replayed')

const ignoreStatement = (received: Received, { caller, audited }: OrderCall) => sql`
  with ${noted(received, 'ignored', sql`(select 1 as one) one`)}
  ${insertAuditRows(caller, audited, refusedRow(200, 'update_ignored'))}`
