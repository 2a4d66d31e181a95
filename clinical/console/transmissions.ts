// An order's status at the clinic's pharmacy. Staff can resend or take over an order that wasn't
// accepted. Both actions lock the row the worker claims, so an order is never both sent and filled
// manually.

import type { consoleOperations } from '#contract/console/operations.ts'
import type { OutputOf } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type OrderFacts, orderFactColumns } from '../orders/move.ts'
import { orderColumns } from '../orders/order.ts'
import { tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { sameVersion, type StaffCall, write } from './handler.ts'

type TransmissionView = NonNullable<
  OutputOf<(typeof consoleOperations)['readOrder']>['transmission']
>

/** Selects the transmission of a row in `orders`. */
export const transmissionColumn = sql`(
  select row_to_json(x) from (
    select c.name as pharmacy, t.status, t.attempts, iso(t.due_at) as due_at, t.error,
           t.http_status, t.detail, t.reference
      from pharmacy.transmissions t join pharmacy.connections c on c.id = t.connection
     where t.tenant = orders.tenant and t."order" = orders.id) x) as transmission`

export type StaffOrderFacts = OrderFacts & {
  readonly transmission: {
    readonly status: TransmissionView['status']
    readonly is_sending: boolean
    readonly has_pharmacy: boolean
  } | null
}

export const factsOf = (call: StaffCall, { id }: { id: string }) => sql`
  select ${orderFactColumns}, (
    select row_to_json(x) from (
      select t.status, t.lease is not null and t.due_at > clock_timestamp() as is_sending,
             exists (${connected(call)}) as has_pharmacy
        from pharmacy.transmissions t
       where t.tenant = o.tenant and t."order" = o.id) x) as transmission
    from orders o join prescriptions p on p.tenant = o.tenant and p.id = o.prescription
   where o.tenant = ${tenantOf(call)} and o.id = ${id}`

const connected = ({ principal }: StaffCall) => sql`
  select c.id from pharmacy.connections c
   where c.organization = ${principal.organization.id} and c.ended_at is null`

/** Changes the transmission unless it's being sent, and returns the order. */
const changed = (
  call: StaffCall,
  order: string,
  from: TransmissionView['status'],
  set: Statement,
) => sql`
  held as materialized (
    select t.tenant, t.prescription from pharmacy.transmissions t
     where t.tenant = ${tenantOf(call)} and t."order" = ${order} and t.status = ${from}
       and (t.lease is null or t.due_at <= clock_timestamp()) and exists (select from go)
       for no key update
  ), changed as (
    update pharmacy.transmissions t set ${set}, status_at = clock_timestamp(), lease = null
      from held h where t.tenant = h.tenant and t.prescription = h.prescription
    returning t."order" as id, (
      select ${published(orderColumns)} from orders
       where orders.tenant = t.tenant and orders.id = t."order") as answer
  )`

type Plan = { readonly id: string; readonly from: TransmissionView['status'] }

function openTransmission(
  found: StaffOrderFacts | null,
  version: { version: string },
  from: readonly TransmissionView['status'][],
): Plan {
  const { id, transmission } = sameVersion(found, version)
  const status = transmission?.status
  if (status === undefined || !from.includes(status)) {
    const isByHand = status === undefined || status === 'by_hand'
    const detail = isByHand
      ? 'Your clinic already fills this order.'
      : 'The pharmacy may have this order by now.'
    throw refusedAs(id, status ?? 'by_hand', from, detail)
  }
  if (transmission?.is_sending === true) {
    throw refusedAs(id, 'sending', from, 'The order is being sent now. Try again in a minute.')
  }
  return { id, from: status }
}

const refusedAs = (id: string, status: string, from: readonly string[], detail: string) =>
  new Problem('invalid_transition', {
    detail,
    members: {
      resource: { type: 'order', id },
      current_status: status,
      allowed_from: from.toSorted(),
    },
  })

/** Sends the order again, to the pharmacy the clinic is currently connected to. */
export const resendOrder = write('resendOrder', {
  facts: factsOf,
  decide: (_, input, found: StaffOrderFacts | null) => {
    const plan = openTransmission(found, input, ['stopped'])
    if (found?.transmission?.has_pharmacy === true) return plan
    const detail = 'No pharmacy is connected. Ask an administrator, or fill the order yourself.'
    throw refusedAs(plan.id, 'stopped', ['stopped'], detail)
  },
  write: (call, { id, from }) =>
    changed(
      call,
      id,
      from,
      sql`status = 'due', due_at = clock_timestamp(), attempts = 0, error = null,
          http_status = null, detail = null, connection = coalesce((${connected(call)}), t.connection)`,
    ),
})

export const takeOverOrder = write('takeOverOrder', {
  facts: factsOf,
  decide: (_, input, found: StaffOrderFacts | null) =>
    openTransmission(found, input, ['due', 'stopped']),
  write: (call, { id, from }) => changed(call, id, from, sql`status = 'by_hand'`),
})
