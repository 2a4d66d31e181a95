// Ship, deliver, block and fail. Each control changes, in ID order, every order in the case whose
// status allows the change, and either changes all of them or none.

import type { Input } from '#contract/api.ts'
import { caseTransitions, orderTransitions } from '#contract/states.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { type Call, tenantOf, write } from '../pipeline/handler.ts'
import {
  isMovable,
  moveOrders,
  type OrderFacts,
  type OrderPlan,
  orderFactColumns,
  writeOrders,
} from '../orders/move.ts'
import { nextCalls } from '../pipeline/next-calls.ts'
import { published } from '../pipeline/publish.ts'
import { sandboxPharmacy } from '../actor.ts'

type Control = 'shipCase' | 'deliverCase' | 'blockCase' | 'failCase'

type Facts = { id: string; status: string; orders: OrderFacts[] }
type Plan = OrderPlan & { id: string }

const controls = {
  shipCase: 'ship',
  deliverCase: 'deliver',
  blockCase: 'block',
  failCase: 'fail',
} as const

const factsOf = (call: Call<Control>, id: string): Statement => sql`
  select c.id, c.status, (
    select coalesce(json_agg(row_to_json(o)), '[]') from (
      select ${orderFactColumns}
        from orders o join prescriptions p on p.tenant = o.tenant and p.id = o.prescription
       where o.tenant = c.tenant and o."case" = c.id order by o.id) o
  ) as orders
    from cases c where c.tenant = ${tenantOf(call)} and c.id = ${id}`

/** The four bodies' optional fields. The contract allows tracking only for ship and a reason only
 *  for block. */
const bodyOf = (input: Input<Control>) =>
  input as Partial<Pick<Input<'shipCase'>, 'tracking'> & Pick<Input<'blockCase'>, 'reason'>>

const decidable: readonly string[] = caseTransitions.decide.from

function hintWithoutOrders(status: string): string {
  if (status === 'approved') {
    return "Nothing on this case's plan is dispensable. Approve a medication that is: GET /v1/medications."
  }
  if (decidable.includes(status)) {
    return 'Approve the case first: POST /v1/test/cases/{id}/decision.'
  }
  return caseTransitions.release.from.some(held => held === status)
    ? 'Release the case first: POST /v1/cases/{id}/release. Then approve it.'
    : 'Only an approved case has orders. File another case: POST /v1/cases.'
}

function nothingMoves({ status, orders }: Facts, move: keyof typeof orderTransitions) {
  if (orders.length === 0) {
    const detail = `This case has no orders. The status of this case is ${status}.`
    return { detail, hint: hintWithoutOrders(status) }
  }
  const statuses = new Set(orders.map(order => order.status))
  const hints = [...statuses].map(each => nextCalls('order', orderTransitions, move, each))
  const detail = `None of this case's orders has a status that ${move} accepts.`
  return { detail, hint: hints.join(' ') }
}

const control = (operation: Control) =>
  write<Control, Facts, Plan>(operation, {
    facts: (call, { id }) => factsOf(call, id),
    decide: (call, input, found) => {
      if (!found) throw call.refuse('not_found')
      const move = controls[operation]
      const movable = found.orders.filter(one => isMovable(move, one))
      if (movable.length === 0) {
        throw call.refuse('invalid_transition', {
          ...nothingMoves(found, move),
          members: {
            resource: { type: 'case', id: found.id },
            current_status: found.status,
            allowed_from: orderTransitions[move].from.toSorted(),
            orders: found.orders.map(({ id, status }) => ({ id, status })),
          },
        })
      }
      return { id: found.id, ...moveOrders(sandboxPharmacy, move, movable, bodyOf(input)) }
    },
    write: (call, { id, ...plan }) =>
      writeOrders(
        call,
        plan,
        sql`select id, ${published(caseColumns)} as answer from cases
             where tenant = ${tenantOf(call)} and id = ${id} and exists (select from clock)`,
      ),
  })

export const shipCase = control('shipCase')
export const deliverCase = control('deliverCase')
export const blockCase = control('blockCase')
export const failCase = control('failCase')
