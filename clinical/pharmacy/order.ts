// Moves a transmitted order with the same functions as the console's board and the sandbox
// (clinical/orders/move.ts), with its pharmacy as the actor.

import type { OperationId } from '#contract/api.ts'
import { type AuditedCall, type Caller, callerOf, insertAuditRows } from '#auth/audit.ts'
import type { Connection, Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type OrderFacts, orderFactColumns, type OrderPlan, writeOrders } from '../orders/move.ts'
import { type AnyCall, type AnyPrincipal, callOf } from '../pipeline/handler.ts'
import type { Pharmacy } from './provider.ts'

type TransmissionStatus = 'due' | 'accepted' | 'stopped' | 'by_hand'

export type TransmittedOrder = OrderFacts & {
  readonly transmission: TransmissionStatus
  /** The timestamp of the newest applied update. */
  readonly updated_to: string | null
  readonly integration: string
}

/** Time and randomness. */
export type PharmacyClock = { now(): number; fresh(): string }

/** The call behind each statement about an order. */
export type OrderCall = {
  readonly call: AnyCall
  readonly caller: Caller
  readonly audited: AuditedCall
  readonly order: string
}

/** Returns the order in the connection's tenant, or null. */
export async function readOrder(
  connection: Connection,
  tenant: string,
  order: string,
): Promise<TransmittedOrder | null> {
  await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
  const [found] = await connection.run<Row & { order: TransmittedOrder }>(sql`
    select row_to_json(f) as order from (
      select ${orderFactColumns}, t.status as transmission, iso(t.updated_to) as updated_to,
             (select n.integration from tenants n where n.id = o.tenant) as integration
        from pharmacy.transmissions t
        join orders o on o.tenant = t.tenant and o.id = t."order"
        join prescriptions p on p.tenant = o.tenant and p.id = o.prescription
       where t.tenant = ${tenant}::bigint and t."order" = ${order}) f`)
  return found?.order ?? null
}

/** A call by the pharmacy, which the audit identifies by its connection. */
export function orderCall(
  { id, organization }: Pick<Pharmacy, 'id' | 'organization'>,
  { tenant, integration }: { tenant: string; integration: string },
  order: string,
  { now, fresh }: PharmacyClock,
  audited: AuditedCall,
): OrderCall {
  const principal: AnyPrincipal = {
    credential: id,
    mode: 'live',
    tenant,
    client: null,
    person: null,
    integration,
    organization: { id: organization },
  }
  const { request } = audited
  const call = callOf<OperationId, AnyPrincipal>(principal, { realNow: now(), request }, fresh)
  return { call, caller: callerOf(principal), audited, order }
}

/** If the order's transmission meets the condition, atomically moves the order, inserts the audit
 *  row and runs `also`, which selects from `changed`. Returns the moved ID. */
export const moveStatement = (
  { call, caller, audited, order }: OrderCall,
  plan: OrderPlan,
  condition: Statement,
  also: Statement,
): Statement => sql`
  with go as materialized (
    select 1 as yes from pharmacy.transmissions t
     where t.tenant = ${call.principal.tenant}::bigint and t."order" = ${order} and ${condition}
       for no key update
  ), ${writeOrders(call, plan, sql`select id from moved`)}, ${also},
  audited as (${insertAuditRows(
    caller,
    audited,
    sql`select id, 'ok', 200::int2, null::text from changed`,
  )})
  select id from changed`
