// A clinic's orders, updated manually by its pharmacy.

import { Problem } from '#contract/problems.ts'
import { openOrderStatuses } from '#contract/console/orders.ts'
import { pharmacyTransitions } from '#contract/states.ts'
import { nothing, sql } from '#database/sql.ts'
import {
  isMovable,
  type MoveDetails,
  moveOrders,
  type OrderPlan,
  writeOrders,
} from '../orders/move.ts'
import { orderColumns } from '../orders/order.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { paging } from '../pipeline/pages.ts'
import { idAndItem, published } from '../pipeline/publish.ts'
import { prescriptionColumns } from '../prescriptions/prescription.ts'
import { constantsOf, newestOf } from './clinic.ts'
import { actorOf, read, sameVersion, type StaffCall, write } from './handler.ts'
import { factsOf, type StaffOrderFacts, transmissionColumn } from './transmissions.ts'

/** The clinic keeps patients that their integration deleted. */
const recipientColumn = sql`
  (select row_to_json(x) from (
     select id, first_name, last_name, date_of_birth::text as date_of_birth, phone from patients
      where tenant = orders.tenant and id = orders.patient) x) as recipient`

const listedColumns = sql`${orderColumns}, ${recipientColumn}, ${transmissionColumn}`

/** Constants let the plan use the index on open orders. */
const isOpen = constantsOf('status', openOrderStatuses)

/** Orders whose prescription waits for a person. */
const isNotSent = sql`id = any (array(
  select "order" from pharmacy.transmissions where status = 'stopped'))`

const views = { open: isOpen, not_sent: isNotSent } as const

/** Reads at most one page of orders per integration. */
export const listPharmacyOrders = read('listPharmacyOrders', (call, input) => ({
  rows: sql`
    with page as materialized (
      select o.* from tenants t cross join lateral (
        select * from orders where tenant = t.id
           ${input.view === undefined ? nothing : sql`and ${views[input.view]}`}
           ${input.status === undefined ? nothing : sql`and status = ${input.status}`}
           ${paging(input)}) o
       where t.organization = ${call.principal.organization.id} ${paging(input, { id: sql`o.id` })})
    select ${idAndItem(listedColumns)}
      from page orders order by id`,
}))

const orders = { table: sql`orders`, columns: listedColumns }

export const listPastOrders = read('listPastOrders', (call, input) => ({
  rows: newestOf(call, { ...orders, where: sql`and status = ${input.status}` }, input),
}))

export const readOrder = read('readOrder', (call, { id }) => ({
  rows: sql`
    select ${idAndItem(sql`${orderColumns}, moved_by_name as moved_by, (
               select answers from cases
                where tenant = orders.tenant and id = orders."case") as answers, ${transmissionColumn},
             (select row_to_json(x) from (
                select ${prescriptionColumns} from prescriptions
                 where tenant = orders.tenant and id = orders.prescription) x) as prescribed,
             ${recipientColumn}`)}
      from orders where tenant = ${tenantOf(call)} and id = ${id}`,
}))

/** The operation table allows tracking only for ship, and a reason only for block and fail. */
type MoveInput = { id: string; version: string } & MoveDetails

const move = <M extends keyof typeof pharmacyTransitions>(name: M) => ({
  facts: (call: StaffCall, input: MoveInput) => factsOf(call, input),
  decide: (call: StaffCall, input: MoveInput, found: StaffOrderFacts | null) => {
    const { transmission, ...order } = sameVersion(found, input)
    // An accepted or taken-over order is never due again, so this check can't race with the worker.
    if (transmission?.status === 'due' || transmission?.status === 'stopped') {
      throw new Problem('transmission_open')
    }
    if (!isMovable(name, order)) {
      throw new Problem('invalid_transition', {
        detail: `The status of this order is ${order.status}.`,
        members: {
          resource: { type: 'order', id: order.id },
          current_status: order.status,
          allowed_from: pharmacyTransitions[name].from.toSorted(),
        },
      })
    }
    return moveOrders(actorOf(call), name, [order], input)
  },
  write: (call: StaffCall, plan: OrderPlan<M>) =>
    writeOrders(call, plan, sql`select id, ${published(orderColumns)} as answer from moved`),
})
export const shipOrder = write('shipOrder', move('ship'))
export const deliverOrder = write('deliverOrder', move('deliver'))
export const blockOrder = write('blockOrder', move('block'))
export const unblockOrder = write('unblockOrder', move('unblock'))
export const failOrder = write('failOrder', move('fail'))
